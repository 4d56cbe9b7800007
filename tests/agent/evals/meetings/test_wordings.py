"""Every wording is understood for every kind of sound that is laid in meetings: the plan is the gold one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.brains.protocol import Question as Words
from agent.brains.rules.brain import RulesBrain
from agent.evals.meetings.items import questions
from agent.evals.meetings.meeting import Meeting, called, meeting
from agent.evals.meetings.publishing import publish
from agent.evals.plans.sameness import same
from agent.evals.tasks.grounds import gold_plan
from agent.library import Library
from scripts.event_sets import CLASSES
from store.catalog import catalog
from store.recordings import find
from tests.agent.evals.meetings.made import told
from tools.call import Session
from tools.plan import parse_plan


def everything(seed: int) -> Meeting:
    """Give a meeting in which all kinds of sounds are heard."""
    events = [
        {"start": 20 + 40 * n, "end": 23 + 40 * n, "kind": kind, "label": CLASSES[kind], "snr_db": 5, "over_speech": 1}
        for n, kind in enumerate(called())
    ]
    return meeting(Path("all.flac"), told() | {"events": events, "seed": seed})


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    library, made = Library(tmp_path_factory.mktemp("all")), everything(0)
    recording = publish(library.database, "all", made.world, made.world.turns, made.world.events)
    with library.database.reader() as connection:
        scope = catalog(connection, [find(connection, recording)])
    with Session(library.database, scope) as session:
        yield session


def test_every_question_is_planned_as_it_is_meant(session: Session) -> None:
    asked = {one.item.question: one.item for seed in range(12) for one in questions(everything(seed))}
    for kind in called().values():
        assert any(kind.happens in text for text in asked)
    wrong = []
    for text, item in asked.items():
        planned = RulesBrain().plan(Words(text, {}), session.catalog, None)
        if not planned.tool_calls or not same(parse_plan(planned.tool_calls), gold_plan(item), session):
            wrong.append(text)
    assert wrong == []
