"""The plan's models as a model sees them, and what it wrote read back: it is a plan or one plain line."""

import json
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest

from agent.brains.schemas import OUT_OF_SCOPE, plan_form, plan_schema, read_plan, referable, tools
from store.errors import ToolError
from tools.plan import QUERIES, parse_plan

CALL = {"tool": "transcript", "ref": "said", "keywords": ["budget"]}
FUSE = {"anchor": "said", "aggregate": "count", "answer_schema": "count"}


def written(**more: Any) -> str:
    return json.dumps({"calls": [CALL], "fuse": FUSE} | more)


@pytest.mark.parametrize(
    "text",
    [
        written(),
        f"Here it is:\n```json\n{written()}\n```\nDone.",
        written(out_of_scope=True),  # what can be planned is not out of scope
        written(out_of_scope=None, calls=[CALL | {"start": None, "end": None, "speaker": None, "semantic": None}]),
        written(fuse=FUSE | {"joins": [], "fields": [], "min_value": None, "versus": None}),
        written(calls=[CALL | {"start": None}, CALL | {"tool": "speaker", "ref": "who", "keywords": []}]),
    ],
)
def test_what_means_one_plan_is_that_plan(text: str) -> None:
    calls = read_plan(text)
    assert calls is not None
    plan = parse_plan(calls)
    assert plan.call("said").query.model_dump(exclude_defaults=True) == {"keywords": ["budget"]}
    assert plan.fuse.aggregate == "count"


@pytest.mark.parametrize("text", ['{"out_of_scope": true}', '{"out_of_scope": true, "calls": [], "fuse": null}'])
def test_what_is_about_no_recording_is_none(text: str) -> None:
    assert read_plan(text) is None


HOSTILE = [
    "", "none", "[]", "[1]", "3", "null", "{", "{}", '{"calls": 3, "fuse": {}}', '{"calls": [], "fuse": []}',
    '{"calls": [], "fuse": {}}', '{"calls": [3, null, []], "fuse": {"anchor": "x"}}',
    '{"out_of_scope": "true"}', '{"calls": [{"tool": {}}], "fuse": {"anchor": {}}}',
    '{"calls": ' + "[" * 100_000, '{"calls": [' + "{" * 5_000 + "}" * 5_000 + '], "fuse": {}}',
    '{"calls": [{"tool": "transcript", "start": NaN}], "fuse": {"anchor": "transcript"}}',
    '{"calls": [{"tool": "transcript", "start": 1e999}], "fuse": {"anchor": "transcript"}}',
    '{"calls": [{"tool": "transcript", "keywords": "budget"}], "fuse": {"anchor": "transcript"}}',
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_what_is_no_plan_is_one_plain_line(text: str) -> None:
    with pytest.raises(ToolError) as refused:
        parse_plan(read_plan(text) or [])
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("refs", "ids"),
    [
        (["a", "b"], ["a", "b"]),
        (["a", "a"], ["a", "events_2"]),
        (["a", "events_3", "a"], ["a", "events_3", "events_4"]),
        ([None, ""], ["events_1", "events_2"]),
        (["events_2", None], ["events_2", "events_3"]),
        (["events_2", "events_3", None, None], ["events_2", "events_3", "events_4", "events_5"]),
        ([7, "x" * 300], ["7", "x" * 300]),
    ],
)
def test_every_call_can_be_referred_to(refs: list[Any], ids: list[str]) -> None:
    found = referable({"name": "events", "args": {"ref": ref, "labels": ["Bell"]}} for ref in refs)
    assert [call["id"] for call in found] == ids
    assert [call["args"] for call in found] == [{"labels": ["Bell"]}] * len(found)


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for value in schema.values():
            yield from objects(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from objects(value)


@pytest.mark.parametrize("meaning", [True, False])
def test_a_strict_schema_requires_every_key_and_knows_no_other(meaning: bool) -> None:
    schema = plan_schema(meaning=meaning)
    jsonschema.Draft202012Validator.check_schema(schema)
    for each in objects(schema):
        assert each["additionalProperties"] is False
        assert each["required"] == list(each["properties"])
    assert ("semantic" in json.dumps(schema)) == meaning


@pytest.mark.parametrize("meaning", [True, False])
def test_each_stream_is_offered_in_each_form(meaning: bool) -> None:
    named = [tool["function"]["name"] for tool in tools(meaning=meaning)]
    assert named == [*QUERIES, "fuse", OUT_OF_SCOPE]
    form = plan_form(meaning=meaning)
    assert all(f'"tool": "{name}"' in form for name in QUERIES)
    assert ("semantic" in form) == meaning
    for tool in tools(meaning=meaning):
        jsonschema.Draft202012Validator.check_schema(tool["function"]["parameters"])
