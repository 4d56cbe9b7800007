"""Real meetings: the plain baseline is what was measured, passages beat it, swapped speakers are refused."""

from pathlib import Path
from statistics import fmean

import pytest

from agent.ask import ask
from agent.evals.qmsum import Baseline, Filled, Meeting, asked_about, meetings, oracle, publish, swaps, wilson
from agent.graph.topic import opened, words
from agent.library import Library
from store.catalog import catalog
from store.database import Database
from tools.call import Session
from tools.passages import LETTERS
from tools.plan import parse_plan

BASELINE = 0.355
NAMES = ("Bed006", "Bmr009", "Bro012")
FUSE = {"anchor": "transcript_1", "order": "rank", "answer_schema": "text"}


def tokens(text: str) -> int:
    return 1 + len(text) // LETTERS


@pytest.fixture(scope="module")
def few(data: Path) -> list[Meeting]:
    found = {meeting.name: meeting for meeting in meetings(data / "qmsum" / "train")}
    return [found[name] for name in NAMES]


def test_a_meeting_is_imported_as_it_was_said(few: list[Meeting], database: Database, tmp_path: Path) -> None:
    for jitter in (None, 3):
        meeting = few[0] if jitter is None else few[1]
        recording = publish(database, meeting, tmp_path, jitter)
        with database.reader() as connection:
            rows = connection.execute(
                "SELECT g.text, s.label, g.t0, g.t1 FROM segment g JOIN speaker s ON s.id = g.speaker_id"
                " WHERE g.rec_id = ? ORDER BY g.id",
                (recording.id,),
            ).fetchall()
        assert [(row[0], row[1]) for row in rows] == [(piece.text, piece.speaker) for piece in meeting.pieces]
        assert all(row[3] - row[2] <= 45_000 for row in rows)
        assert [row[2] for row in rows] == sorted(row[2] for row in rows)


def test_passages_hold_more_of_the_evidence_than_the_plain_baseline(few: list[Meeting], tmp_path: Path) -> None:
    plain: list[float] = []
    ours: list[float] = []
    best: list[float] = []
    for meeting in few:
        database = Database.open(tmp_path / meeting.name)
        recording = publish(database, meeting, tmp_path)
        with database.reader() as connection:
            scope = catalog(connection, [recording])
        filled, baseline = Filled(meeting, tokens), Baseline(meeting)
        for question in meeting.questions:
            gold = meeting.gold(question)
            search = {"name": "transcript", "id": "transcript_1", "args": {"keywords": question.text.split()[:24]}}
            calls = [search, {"name": "fuse", "args": FUSE, "id": "fuse_1"}]
            plan = parse_plan(opened(calls, question.text, scope, semantic=False))
            with Session(database, scope) as session:
                rows = [row.id & 0xFFFFF for row in session.run(plan).rows]
            ours.append(filled.recall(rows, gold, 2000))
            plain.append(filled.recall(baseline.order(question.text), gold, 2000))
            best.append(filled.recall(oracle(gold), gold, 2000))
    assert fmean(plain) == pytest.approx(BASELINE, abs=0.005)
    assert fmean(plain) < fmean(ours) <= fmean(best)


def test_who_says_none_of_the_words_is_not_quoted(few: list[Meeting], tmp_path: Path) -> None:
    library = Library(tmp_path / "library")
    asked = 0
    for meeting in few[:2]:
        recording = publish(library.database, meeting, tmp_path).public_id
        for swap in swaps(meeting, words, most=1):
            reply = ask(library, swap.swapped, recording=recording)
            if swap.hard:
                asked += 1
                assert reply.status in ("refused", "not_found"), swap
            assert {c.speaker for c in reply.citations if reply.status == "answered"} <= {swap.other}
    assert asked >= 3


def test_only_a_question_about_one_person_is_swapped(few: list[Meeting]) -> None:
    meeting = few[0]
    assert asked_about(meeting, "What did Grad C think about the schema?") == "Grad C"
    assert asked_about(meeting, "What did Grad C and Grad G discuss?") is None
    assert asked_about(meeting, "What did the team think about the schema?") is None


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"), [(0, 10, 0.0, 0.278), (84, 84, 0.956, 1.0), (5, 10, 0.237, 0.763)]
)
def test_the_interval_is_wilsons(hits: int, of: int, low: float, high: float) -> None:
    assert wilson(hits, of) == pytest.approx((low, high), abs=0.001)
