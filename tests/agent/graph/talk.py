"""One small conversation, with names or with labels, for the tests of the graph."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from agent.library import Library
from store import recordings, streams
from store.record import Emotion, Event, Row, Segment, StreamKind, Turn
from store.recordings import NewRecording, Roster
from store.streams import Source

LINES = (
    (0, 4_000, 0, "Good morning, the budget is cut by ten percent."),
    (4_200, 9_000, 1, "I am Ben and I think the orchard will bloom, Marie told me so."),
    (9_100, 14_000, 0, "Then we move the budget meeting to Friday."),
    (14_200, 20_000, 1, "The train to Paris leaves at noon."),
    (20_500, 26_000, 2, "Nobody asked me about the contracts."),
    (26_200, 33_000, 1, "The train was late and I was furious."),
    (33_100, 40_000, 0, "Finally, the orchard is not for sale."),
)
NAMED = ("Anna", "Ben", "Carla")
UNNAMED = ("SPEAKER_00", "SPEAKER_01", "SPEAKER_02")
EVENTS = (
    Event(10_000, 12_000, "Siren", 0.9),
    Event(30_000, 31_500, "Applause", 0.8),
    Event(36_000, 37_000, "Siren", 0.7),
)
FELT = (Emotion(26_200, 33_000, "anger", 0.9, "1"), Emotion(0, 4_000, "neutral", 0.8, "0"))


def talk(
    folder: Path,
    people: tuple[str, ...] = NAMED,
    *,
    kinds: tuple[StreamKind, ...] = ("transcript", "speaker", "emotion", "events"),
    heard_ms: int | None = None,
    roster: Roster = "auto",
    title: str = "Talk",
    lines: Sequence[tuple[int, int, int, str]] = LINES,
    events: Sequence[Event] = EVENTS,
    health: Mapping[str, float | None] | None = None,
) -> Library:
    """Publish the conversation in a library; `heard_ms` leaves it listening at that watermark."""
    library = Library(folder)
    rows: dict[StreamKind, list[Row]] = {
        "transcript": [Segment(t0, t1, text, people[who], score=0.9) for t0, t1, who, text in lines],
        "speaker": [Turn(t0, t1, people[who], 0.9) for t0, t1, who, _ in lines],
        "emotion": [Emotion(e.t0, e.t1, e.label, e.score, people[int(e.speaker or 0)]) for e in FELT],
        "events": list(events),
    }
    with library.database.writing() as connection:
        new = NewRecording(title.encode().hex().zfill(64)[:64], title, "import", 60_000, roster=roster)
        added = recordings.add(connection, new)
        for kind in kinds:
            labels = ("neutral", "anger", "happiness", "sadness") if kind == "emotion" else None
            version = streams.new_version(
                connection, added.id, kind, Source("test", {}, labels, (health or {}).get(kind))
            )
            kept = [row for row in rows[kind] if heard_ms is None or row.t1 <= heard_ms]
            streams.publish(connection, version, kept)
        if heard_ms is None:
            streams.finish(connection, added.id, "en")
        else:
            streams.hear_until(connection, added.id, heard_ms)
    return library
