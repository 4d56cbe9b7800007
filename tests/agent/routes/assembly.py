"""A long assembly: an hour of turns about many things, with what was decided spread over it."""

from pathlib import Path

from agent.library import Library
from store import recordings, streams
from store.record import Row, Segment, StreamKind, Turn

PEOPLE = ("Ada", "Ben", "Chloe")
TURN = 8_000
FILLER = (
    "The minutes of the last assembly were read out and nobody had anything to add to them.",
    "The caretaker asks everybody to shut the gate behind them in the evening, please.",
    "There was a long discussion about bicycles in the hall, as there is every single year.",
    "The window on the second floor has been draughty since the winter and should be looked at.",
    "I would like to thank those who watered the plants while we were all away in the summer.",
)
DECIDED = {
    40: "We decide to repaint the staircase in green because the old paint is peeling.",
    170: "The roof will be repaired in October, since the insurance pays for half of it.",
    290: "I propose to sell the cellar and the assembly agrees, because nobody has used it for years.",
    410: "We decide that the garden stays open at night, although Ben is against it.",
}


def assembly(folder: Path, turns: int = 450, title: str = "Assembly") -> Library:
    """Publish the assembly in a library."""
    library = Library(folder)
    said = [
        Segment(n * TURN, (n + 1) * TURN - 300, DECIDED.get(n, FILLER[n % 5]), PEOPLE[n % 3], score=0.9)
        for n in range(turns)
    ]
    new = recordings.NewRecording(title.encode().hex().zfill(64)[:64], title, "import", turns * TURN)
    with library.database.writing() as connection:
        added = recordings.add(connection, new)
        kinds: tuple[StreamKind, ...] = ("speaker", "transcript")
        for kind in kinds:
            rows: list[Row] = [*said] if kind == "transcript" else [Turn(s.t0, s.t1, str(s.speaker), 0.9) for s in said]
            streams.publish(
                connection, streams.new_version(connection, added.id, kind, streams.Source("hand", {})), rows
            )
        streams.finish(connection, added.id, "en")
    return library
