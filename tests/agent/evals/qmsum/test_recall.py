"""Real meetings: the plain baseline is what was measured, and passages beat it."""

from pathlib import Path
from statistics import fmean

import pytest

from agent.evals.qmsum.baseline import Baseline
from agent.evals.qmsum.meetings import Meeting, publish
from agent.evals.qmsum.recall import Filled, oracle
from agent.graph.topic import opened
from store.catalog import catalog
from store.database import Database
from tools.call import Session
from tools.passages import LETTERS
from tools.plan import parse_plan

BASELINE = 0.355
FUSE = {"anchor": "transcript_1", "order": "rank", "answer_schema": "text"}


def tokens(text: str) -> int:
    return 1 + len(text) // LETTERS


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
