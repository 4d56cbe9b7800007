"""A model that gives no value that can be read is told once what is wrong; then the rows answer instead."""

from collections.abc import Callable
from typing import Any

import pytest

from agent.brains.openai import OpenAIBrain
from agent.brains.protocol import Answered, Question
from agent.brains.rules.brain import RulesBrain
from agent.brains.shape import Shape
from tests.agent.brains.meeting import segments
from tests.tools.loopback import Json, Reply, message, serving, spoken
from tools.endpoint import Endpoint
from tools.evidence import Evidence, EvidenceRow
from tools.plan import parse_plan

SCHEMA = {"type": "object", "properties": {"days": {"type": "integer"}}, "required": ["days"]}
ROWS = tuple(EvidenceRow("transcript", n, "m-1", s.t0, s.t1, s.speaker, s.text) for n, s in enumerate(segments()))
OPTIONS = Question(
    "Which problem is it?", {"A": "the module", "B": "the certificate", "C": "the bank", "D": "a holiday"}
)


def says(*texts: str) -> Callable[[Json], Reply]:
    left = list(texts)
    return lambda request: spoken(request, message(left.pop(0) if len(left) > 1 else left[0]))


def answered(schema: Any, question: Question, *texts: str) -> tuple[Answered, list[Json]]:
    calls = [
        {"name": "transcript", "args": {"keywords": ["certificate"]}, "id": "said"},
        {"name": "fuse", "args": {"anchor": "said", "answer_schema": schema}, "id": "fuse_1"},
    ]
    with serving(says(*texts)) as server:
        brain = OpenAIBrain(Endpoint(server.url, "sk-x", "m"), RulesBrain())
        return brain.answer(question, parse_plan(calls), Evidence(ROWS[4:9], 5), None), server.requests


def test_a_value_by_a_schema_is_read_and_its_line_is_no_part_of_the_words() -> None:
    said = 'They need two weeks [5].\nVALUE: {"days": 14}'
    found, requests = answered(SCHEMA, Question("How long?"), said)
    assert (found.text, found.value) == ("They need two weeks [1].", {"days": 14})
    assert '"days"' in requests[0]["messages"][0]["content"]


@pytest.mark.parametrize(
    "bad", ["They need two weeks [5].", "Weeks [5]. VALUE: {", 'Weeks [5]. VALUE: {"days": "two"}']
)
def test_a_bad_value_is_told_and_mended(bad: str) -> None:
    found, requests = answered(SCHEMA, Question("How long?"), bad, 'Two weeks [5]. VALUE: {"days": 14}')
    assert found.value == {"days": 14}
    assert "VALUE" in requests[1]["messages"][-1]["content"] or "value" in requests[1]["messages"][-1]["content"]
    assert found.cost.model_calls == 2


def test_a_value_that_stays_bad_leaves_the_rows_to_answer() -> None:
    found, requests = answered(SCHEMA, Question("How long?"), "Two weeks [5].")
    assert len(requests) == 2
    assert found.kind == "quoted"
    assert any("no value that can be read" in caveat for caveat in found.caveats)


def test_a_letter_that_stays_away_leaves_the_rows_to_choose() -> None:
    found, requests = answered("options", OPTIONS, "It is the certificate [5].")
    assert len(requests) == 2
    assert "A, B, C, D" in requests[1]["messages"][-1]["content"]
    assert found.kind != "generated"
    assert found.value in (None, "B")


def test_a_schema_that_could_do_harm_is_never_sent_to_a_model() -> None:
    shape = Shape({"$ref": "http://127.0.0.1:1/x"}, Question("How long?"))
    assert shape.asked == ""
    assert "$ref" in str(shape.problem("Two weeks [5]."))
