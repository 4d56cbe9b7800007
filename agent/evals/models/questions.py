"""The questions that models are asked, and the rooms they are asked in: three made worlds and two meetings."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from agent.evals import sample
from agent.evals.plans.bank import ALL, WORLDS, Worlds
from agent.evals.plans.filling import Filling, filled, filled_plan
from agent.library import Library
from store import recordings, streams
from store.catalog import catalog
from store.clock import end_ms
from store.database import Database
from store.errors import DataError, reason
from store.record import Event, Segment, StreamKind, Turn
from store.streams import Source
from tools.call import Session
from tools.imports.recording import Given, import_recording

FOLDER = Path(__file__).resolve().parent
SET = (FOLDER / "bank.toml", FOLDER / "open.toml")
FESTIVAL, BOARD = "Festival meeting", "Library board"


@dataclass(frozen=True, slots=True)
class Item:
    """One question and what is right: a gold plan, or key facts (each in any of its words), or how it is refused."""

    id: str
    on: str
    question: str
    plan: Sequence[Any] = ()
    status: str = "answered"
    reasons: Sequence[str] = ()
    must: Sequence[Sequence[str]] = ()
    never: Sequence[str] = ()

    @property
    def family(self) -> str:
        """The family of a gold plan; else `open`, or `refusal`."""
        if self.plan:
            return self.id.removeprefix("bank.").partition(".")[0]
        return "open" if self.status == "answered" else "refusal"


def read(paths: Sequence[Path] = SET) -> list[Item]:
    """Read questions from files; DataError says what is wrong with one."""
    found: list[Item] = []
    for path in paths:
        try:
            table = tomllib.loads(path.read_text(encoding="utf-8"))
            found += [Item(**row) for row in table["question"]]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise DataError(f"{path} is no set of questions: {reason(error)}; {SET[1]} is one") from error
    return found


@dataclass(frozen=True, slots=True)
class Place:
    """Where a question is asked: a library, one recording of it or all (None), and a session on the same."""

    library: Library
    recording: str | None
    session: Session


class Rooms:
    """Both libraries in one folder, made anew: the same questions there make the same requests anywhere."""

    def __init__(self, folder: Path) -> None:
        self._open = ExitStack()
        self._worlds = self._open.enter_context(Worlds(folder / "worlds"))
        self._libraries = Library(folder / "worlds"), Library(folder / "meetings")
        meetings = self._libraries[1].database
        self._meetings = {name: publish(meetings) for name, publish in ((FESTIVAL, _festival), (BOARD, _board))}
        self._sessions = {name: self._session(meetings, public_id) for name, public_id in self._meetings.items()}

    def __enter__(self) -> Self:
        """Use the rooms."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the sessions."""
        self._open.close()

    def furnished(self, item: Item) -> Item:
        """Fill a question's placeholders, and its gold plan's, with the words of its world."""
        if item.on in self._meetings:
            return item
        words = self._worlds.fillings[self._number(item)]
        return replace(item, question=filled(item.question, words), plan=filled_plan([*item.plan], words))

    def world(self, number: int) -> tuple[str, Filling]:
        """Give the name of a world, counted round, and what it puts in the place of placeholders."""
        at = number % len(WORLDS)
        return f"world {WORLDS[at].seed}", self._worlds.fillings[at]

    def place(self, item: Item) -> Place:
        """Give where a question is asked; DataError when there is no such recording."""
        if item.on in self._meetings:
            return Place(self._libraries[1], self._meetings[item.on], self._sessions[item.on])
        if item.id.removeprefix("bank.").startswith(ALL):
            return Place(self._libraries[0], None, self._worlds.all)
        session = self._worlds.each[self._number(item)]
        return Place(self._libraries[0], session.catalog.recordings[0].recording.public_id, session)

    def _number(self, item: Item) -> int:
        names = [f"world {spec.seed}" for spec in WORLDS]
        if item.on not in names:
            raise DataError(f"{item.id}: no recording {item.on!r}; there are {', '.join([*names, *self._meetings])}")
        return names.index(item.on)

    def _session(self, database: Database, public_id: str) -> Session:
        with database.reader() as connection:
            scope = catalog(connection, [recordings.find(connection, public_id)])
        return self._open.enter_context(Session(database, scope))


def _board(database: Database) -> str:
    return import_recording(database, Given((("transcript", FOLDER / "board.vtt"),), title=BOARD)).recording.public_id


def _festival(database: Database) -> str:
    """Store the sample's truth, so that nothing hangs on how well it was heard."""
    truth = json.loads((sample.FOLDER / "truth.json").read_text(encoding="utf-8"))
    said = [Segment(*_span(row), row["text"], row["speaker"], language="en") for row in truth["segments"]]
    turns = [Turn(*_span(row), row["speaker"]) for row in truth["turns"]]
    heard = [Event(*_span(row), row["label"], 0.9) for row in truth["events"]]
    rows: dict[StreamKind, Sequence[Any]] = {"transcript": said, "speaker": turns, "events": heard}
    new = recordings.NewRecording("fe57" * 16, FESTIVAL, "import", end_ms(truth["duration"]))
    with database.writing() as connection:
        recording = recordings.add(connection, new)
        for kind, found in rows.items():
            version = streams.new_version(connection, recording.id, kind, Source("truth", {}))
            streams.publish(connection, version, found)
        streams.finish(connection, recording.id, "en")
    return recording.public_id


def _span(row: Mapping[str, Any]) -> tuple[int, int]:
    return end_ms(row["start"]), end_ms(row["end"])
