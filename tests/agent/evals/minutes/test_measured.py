"""The bars of checking, on few documents: planted falsehoods are caught, true sentences are not called false."""

from pathlib import Path

import pytest

from agent.check.checking import check
from agent.check.document import document
from agent.evals.minutes.marking import Tally
from agent.evals.minutes.meeting import Meeting, of_qmsum, published
from agent.evals.minutes.writing import ALTERED, Writer, document_of
from agent.evals.worlds.world import Spec, make
from store.database import Database


def tallied(database: Database, meetings: list[Meeting], each: int) -> Tally:
    tally = Tally()
    for meeting in meetings:
        sentences = Writer(meeting, 7).sentences(each)
        text, lines = document_of(sentences)
        tally.add(sentences, lines, check(database, published(database, meeting), document("x", text.encode())))
    return tally


def test_in_worlds(database: Database) -> None:
    worlds = [Meeting(f"world {seed}", make(Spec(seed, 30)).segments) for seed in (40, 41)]
    tally = tallied(database, worlds, 6)
    assert all(tally.planted[kind] == 12 for kind in ALTERED)
    assert tally.share_caught >= 0.95, tally.wrong
    assert tally.share_alarms <= 0.02, tally.wrong


@pytest.mark.parametrize("name", ["Bdb001", "Bro018"])
def test_in_real_meetings(name: str, database: Database, data: Path) -> None:
    path = data / "qmsum" / "train" / f"{name}.json"
    if not path.is_file():
        pytest.skip(f"no {path.name} in QMSum's training meetings")
    tally = tallied(database, [of_qmsum(path)], 8)
    assert tally.share_caught >= 0.9, tally.wrong
    assert tally.alarms <= 1, tally.wrong


def test_what_is_written_is_what_was_said_and_what_is_altered_is_not(database: Database) -> None:
    meeting = Meeting("world", make(Spec(43, 20)).segments)
    sentences = Writer(meeting, 1).sentences(4)
    assert {sentence.altered for sentence in sentences} == {None, *ALTERED}
    assert Writer(meeting, 1).sentences(4) == sentences
    assert sum(sentence.altered is None for sentence in sentences) == 16
