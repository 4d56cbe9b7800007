"""A meeting asked as it was heard: a record of each reply, and where each lost point was lost.

A point lost to hearing is put down to a stream by asking once more of rows of which one stream is true and the other as
it was heard.
"""

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Literal

from agent.evals.answerer import Answerer, agent
from agent.evals.baselines.topline import Gold, Pair, decomposed, topline
from agent.evals.meetings.items import Question, questions
from agent.evals.meetings.meeting import Meeting
from agent.evals.meetings.naming import Names, named, voices
from agent.evals.meetings.publishing import publish
from agent.evals.statistics.decomposition import Record as Lost
from agent.evals.tasks.grounds import gold_plan, truth_table
from agent.evals.tasks.marking import mark
from agent.evals.tasks.record import Record
from agent.evals.tasks.run import grounded, recorded
from agent.library import Library
from agent.reply import Reply
from store import rows, streams
from store.catalog import catalog
from store.record import Event, Turn
from store.recordings import find
from tools.call import Session

MADE = "made audio"
"""The preset under which records of made meetings are kept."""
Blamed = Literal["voices", "sounds", "both"]


@dataclass(frozen=True)
class Rows:
    """Who speaks and what is heard, as a recogniser says."""

    turns: Sequence[Turn]
    events: Sequence[Event]


@dataclass(frozen=True, slots=True)
class Answered:
    """One item's record, where its point was lost, and to which stream if to hearing."""

    record: Record
    lost: Lost
    blamed: Blamed | None = None


@dataclass
class Asking:
    """A meeting, the library in which it was heard, and a folder for the libraries of its truth."""

    meeting: Meeting
    library: Library
    recording: str
    folder: Path
    answer: Answerer = agent
    _library: dict[str, tuple[Library, str]] = field(default_factory=dict, init=False)

    def answered(self) -> Iterator[Answered]:
        """Ask everything."""
        heard = self.heard()
        names = voices(self.meeting.world.turns, heard.turns)
        self._publish(heard, names)
        with self.library.database.reader() as connection:
            scope = catalog(connection, [find(connection, self.recording)])
        with Session(self.library.database, scope) as session, truth_table(self.meeting.world) as table:
            for question in questions(self.meeting):
                started, item = time.perf_counter(), question.item
                reply = self.answer(self.library, self.recording, item.question)
                seconds = time.perf_counter() - started
                found = recorded(item, named(question, reply, names), self.meeting.world, MADE, seconds)
                found = grounded(found, item, reply, self.library, session, table)
                lost = self._lost(question, names)
                blamed = self._blamed(question, names) if lost.lost_to == "perception" else None
                yield Answered(replace(found, stages=asdict(lost), blamed=blamed), lost, blamed)

    def heard(self) -> Rows:
        """Give the rows as they were heard."""
        with self.library.database.reader() as connection:
            ids = streams.active(connection, find(connection, self.recording).id)
            return Rows(rows.turns(connection, ids["speaker"]), rows.events(connection, ids["events"]))

    def _lost(self, question: Question, names: Names) -> Lost:
        pair = Pair(self._library["truth"], (self.library, self.recording))
        return decomposed(self._gold(question, names), pair, self.answer)

    def _gold(self, question: Question, names: Names) -> Gold:
        def right(reply: Reply) -> bool:
            return mark(question.item, named(question, reply, names)).right

        return Gold(question.item.question, gold_plan(question.item).tool_calls(), right)

    def _blamed(self, question: Question, names: Names) -> Blamed:
        gold = self._gold(question, names)
        good = {
            name: gold.right(topline(*self._library[name], gold.question, gold.calls)) for name in ("voices", "sounds")
        }
        if good["voices"] == good["sounds"]:
            return "both"
        return "sounds" if good["voices"] else "voices"

    def _publish(self, heard: Rows, names: Names) -> None:
        """Publish the truth, and rows of which the voices alone, or the sounds alone, are as they were heard."""
        world = self.meeting.world
        spoken = [Turn(t.t0, t.t1, names.get(t.speaker, t.speaker)) for t in heard.turns]
        true = {
            "truth": Rows(world.turns, world.events),
            "voices": Rows(spoken, world.events),
            "sounds": Rows(world.turns, heard.events),
        }
        library = Library(self.folder)
        for name, one in true.items():
            self._library[name] = (library, publish(library.database, name, world, one.turns, one.events))
