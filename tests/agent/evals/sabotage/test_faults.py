"""Each planted fault turns the evaluation red: fewer questions pass, and RS(10) falls, both beyond chance."""

from collections.abc import Mapping
from typing import Any

import pytest

from agent.ask import ask
from agent.evals.answerer import agent
from agent.evals.citations import precision, untrue
from agent.evals.sabotage.faults import FAULTS, Misspelling, Sabotaged
from agent.evals.sabotage.turning import Evaluation
from agent.evals.worlds.world import Spec
from agent.library import Library
from agent.reply import Reply
from store.errors import NotFound

SPEC = Spec(731, 10, 5)


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    return Evaluation(tmp_path_factory.mktemp("library"), SPEC)


def test_without_a_fault_everything_is_right_and_truly_cited(evaluation: Evaluation) -> None:
    assert [i.question for i, mark in zip(evaluation.items, evaluation.sound, strict=True) if not mark.right] == []


def test_a_plan_that_cannot_be_read_costs_nothing_where_its_error_is_told(evaluation: Evaluation) -> None:
    def told(library: Library, recording: str, question: str) -> Reply:
        return ask(library, question, recording=recording, brain=Misspelling())

    assert sum(mark.right for mark in evaluation.marks(told)) >= len(evaluation.items) - 1


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: str(fault.fault))
def test_a_planted_fault_turns_the_evaluation_red(fault: Sabotaged, evaluation: Evaluation) -> None:
    change = evaluation.change(evaluation.marks(fault))
    assert change.red, change


def test_the_sound_agent_is_not_red(evaluation: Evaluation) -> None:
    assert not evaluation.change(evaluation.sound).red


def test_a_fault_is_taken_out_again(evaluation: Evaluation) -> None:
    places: Mapping[str, object] = {fault.fault: getattr(fault.owner, fault.name) for fault in FAULTS}
    for fault in FAULTS:
        with fault.planted():
            assert getattr(fault.owner, fault.name) is not places[fault.fault]
        with pytest.raises(NotFound):
            fault(evaluation.library, "no such recording", "Who spoke?")
    assert {fault.fault: getattr(fault.owner, fault.name) for fault in FAULTS} == places


def test_what_is_cited_is_held_against_the_store(evaluation: Evaluation) -> None:
    reply = agent(evaluation.library, evaluation.recording, "Who spoke the most?")
    words = agent(evaluation.library, evaluation.recording, "What was said between 0:00 and 2:00?")
    for told in (reply, words):
        assert told.citations
        assert untrue(told, evaluation.library) == []
        assert precision(told, evaluation.library) == 1
        first, *rest = told.citations
        changes: list[dict[str, Any]] = [{"start": first.start + 0.001}, {"speaker": "Nobody"}, {"stream": "events"}]
        for change in [*changes, *([{"quote": "never said"}] if first.stream == "transcript" else [])]:
            spoilt = first.model_copy(update=change)
            assert untrue(told.model_copy(update={"citations": [spoilt, *rest]}), evaluation.library) == [spoilt]
    assert precision(Reply(status="answered", answer="so it is"), evaluation.library) is None
