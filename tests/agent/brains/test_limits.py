"""What a question limits, a model's plan may not leave out, and whom it does not name, a plan may not bring in."""

from typing import Any

import pytest

from agent.brains.limits import TIME, brought_in, left_out, limited
from agent.brains.protocol import Planned, Question
from store.database import Database
from store.record import Turn
from tests.tools.made import Made, made

Call = dict[str, Any]


def call(name: str, **args: Any) -> Call:
    return {"name": name, "args": args, "id": f"{name}_1", "type": "tool_call"}


def fuse(family: str = "quote") -> Call:
    return call("fuse", anchor="transcript_1", answer_schema=family)


def read(*calls: Call, **more: Any) -> Planned:
    return Planned([*calls], **more)


ADA = read(call("transcript", speaker="Ada", start=60.0, keywords=["red"]), fuse())


@pytest.mark.parametrize(
    ("planned", "missing"),
    [
        ([call("transcript", speaker="Ada", start=60.0), fuse()], []),
        ([call("transcript", speaker="ada lovelace", end=3.0), fuse()], []),
        ([call("speaker", names=["Ada"]), call("transcript", start=60.0), fuse()], []),
        ([call("transcript", start=60.0), fuse()], ["Ada"]),
        ([call("transcript", speaker="Ben", start=60.0), fuse()], ["Ada"]),
        ([call("transcript", speaker="Ada"), fuse()], [TIME]),
        ([call("transcript", speaker="Ada"), call("fuse", group="time")], []),
        ([call("transcript"), fuse()], ["Ada", TIME]),
    ],
    ids=str,
)
def test_what_a_plan_leaves_out(planned: list[Call], missing: list[str]) -> None:
    assert left_out(ADA, planned) == missing


def test_what_was_not_understood_limits_nothing() -> None:
    assert left_out(read(*ADA.tool_calls, understood=False), [call("transcript"), fuse()]) == []
    assert left_out(read(call("transcript", speaker="the chair"), fuse()), [call("transcript"), fuse()]) == []


def test_a_search_is_given_the_limits_it_lacks_and_keeps_its_own() -> None:
    found = limited(ADA, [call("transcript", keywords=["crimson"]), fuse("text")])
    assert found is not None
    assert found[0]["args"] == {"keywords": ["crimson"], "speaker": "Ada", "start": 60.0}
    found = limited(ADA, [call("transcript", speaker="Ada", end=90.0), fuse("summary")])
    assert found is not None
    assert found[0]["args"] == {"speaker": "Ada", "end": 90.0}


@pytest.mark.parametrize(
    "planned",
    [
        [call("transcript", keywords=["red"]), fuse("count")],
        [call("transcript", keywords=["red"]), call("events"), fuse()],
        [call("transcript", speaker="Ben"), fuse()],
    ],
    ids=["a value is computed", "another stream", "somebody else"],
)
def test_what_cannot_be_said_of_one_search_is_no_plan(planned: list[Call]) -> None:
    before = [dict(one["args"]) for one in planned]
    assert limited(ADA, planned) is None
    assert [one["args"] for one in planned] == before


@pytest.mark.parametrize(
    ("question", "name", "brought"),
    [
        ("What did Ada say?", "Ada", []),
        ("What did Ada say?", "Ada Lovelace", []),
        ("What did the lovely lady say?", "Ada", ["Ada"]),
        ("What did Lovelace's friend say?", "Ada Lovelace", []),
        ("Who was it? (A) Ben", "Ben", []),
        ("What did she say?", "Ben", ["Ben"]),
    ],
)
def test_whom_a_plan_brings_in(database: Database, question: str, name: str, brought: list[str]) -> None:
    scope = made(database, Made([], [Turn(0, 1_000, "Ada"), Turn(0, 1_000, "Ben")]))
    plain = read(call("transcript", keywords=["x"]), fuse())
    assert brought_in(plain, Question(question), [call("transcript", speaker=name)], scope) == brought
    unread = read(*plain.tool_calls, understood=False)
    there = [] if name in ("Ada", "Ben") else brought
    assert brought_in(unread, Question(question), [call("transcript", speaker=name)], scope) == there
