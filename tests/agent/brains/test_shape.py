"""A model that gives no value that can be read is told once what is wrong; then the rows answer instead."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from agent.ask import ask
from agent.brains.openai import OpenAIBrain
from agent.brains.protocol import Answered, Question
from agent.brains.rules.brain import RulesBrain
from agent.brains.shape import Shape
from agent.library import Library
from store.database import Database
from tests.agent.brains.meeting import meeting, segments
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


@pytest.mark.parametrize(
    ("said", "letter"),
    [
        ("B", "B"),
        ("(B) the certificate [5].", "B"),
        ("**B.** It is the certificate [5].", "B"),
        ("B the certificate [5].", "B"),
        ("B because it ran out [5].", "B"),
        ("A", "A"),
        ("A) the module", "A"),
        ("A: the module [5].", "A"),
        ("A the module [5].", "A"),
        ("A is right [5].", "A"),
        ("A because of the module [5].", "A"),
        ("A [5].", "A"),
        ("A certificate ran out [5]. (B)", None),  # an article is no choice
        ("A good question: it is (B) [5].", None),
        ("I think that it is B [5].", None),
        ("E. none of them", None),
        ("b", None),
        ("", None),
        ("Bank", None),
        ("Ａ", None),
    ],
)
def test_a_letter_is_a_choice_only_where_it_is_one(said: str, letter: str | None) -> None:
    shape = Shape("options", OPTIONS)
    assert shape.value(said) == letter
    assert (shape.problem(said) is None) == (letter is not None)


@pytest.mark.parametrize(
    "value", ["[" * 100_000, '{"days": NaN}', '{"days": Infinity}', '{"days": ' + "9" * 5_000 + "}"]
)
def test_a_value_that_no_json_can_hold_is_told(value: str) -> None:
    assert "no JSON value after VALUE" in str(Shape(SCHEMA, Question("How long?")).problem(f"Days [5]. VALUE: {value}"))


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


def test_a_model_that_can_only_write_text_plans_and_gives_a_value_by_a_schema(database: Database) -> None:
    meeting(database)
    plan = {
        "calls": [{"tool": "transcript", "keywords": ["weeks"]}],
        "fuse": {"anchor": "transcript", "answer_schema": SCHEMA},
    }

    def plain(request: Json) -> Reply:
        if request.get("tools") or request.get("response_format"):
            return Reply('{"error": {"message": "tools and response_format are not supported"}}', status=400)
        asked = str(request["messages"][1]["content"])
        if "<rows>" not in asked:
            return spoken(request, message(f"Here you are:\n```json\n{json.dumps(plan)}\n```"))
        mended = len(request["messages"]) > 2
        return spoken(request, message("The bank needs 2 weeks [1]." + ' VALUE: {"days": 2}' * mended))

    with serving(plain) as server:
        brain = OpenAIBrain(Endpoint(server.url, None, "m"), RulesBrain())
        reply = ask(Library(database.folder), "How many weeks does the bank need for it, as a number?", brain=brain)
    assert (reply.status, reply.value) == ("answered", {"days": 2})
    assert [c.speaker for c in reply.citations] == ["Ben"]
    assert reply.answer == "The bank needs 2 weeks [1]."
