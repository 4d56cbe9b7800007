"""The reply: one shape that survives JSON, an exit code for each way to end, and nothing it does not know."""

import json
from typing import Any, get_args

import pytest
from pydantic import ValidationError

from agent.reply import Citation, ErrorKind, Fault, Reason, Refusal, Reply
from store.errors import Exit


def reply(status: str, **more: Any) -> Reply:
    return Reply.model_validate({"status": status, "answer": "x"} | more)


@pytest.mark.parametrize(
    ("made", "code"),
    [
        (reply("answered"), Exit.DONE),
        (reply("refused", refusal={"reason": "out_of_scope"}), Exit.REFUSED),
        (reply("not_found"), Exit.NOT_FOUND),
        (reply("answered", caveats=["budget_spent"]), Exit.BUDGET),
        (reply("not_found", caveats=["x", "budget_spent"]), Exit.BUDGET),
        (reply("answered", caveats=["budget_spent: not the word"]), Exit.DONE),
        (reply("failed"), Exit.DATA),
        (reply("failed", error={"kind": "internal", "message": "m"}), Exit.DATA),
        (reply("failed", error={"kind": "budget_spent", "message": "m"}), Exit.BUDGET),
    ],
)
def test_each_end_has_its_code(made: Reply, code: Exit) -> None:
    assert made.exit == code


@pytest.mark.parametrize("kind", [kind for kind in get_args(ErrorKind) if kind not in ("internal", "budget_spent")])
def test_every_fault_of_an_endpoint_is_one(kind: ErrorKind) -> None:
    assert Reply(status="failed", answer="x", error=Fault(kind=kind, message="m")).exit == Exit.ENDPOINT


@pytest.mark.parametrize("reason", get_args(Reason))
def test_a_reply_comes_back_from_json_as_it_was(reason: Reason) -> None:
    made = Reply(
        status="refused", answer="№ “x”\n\U0001f642", refusal=Refusal(reason=reason, counts={"all": 0}),
        citations=[Citation(n=1, recording="r", start=90_000.001, end=90_000.5, stream="events")],
        value=[[0.0, 1.5], None, "é"],
    )  # fmt: skip
    assert Reply.model_validate(json.loads(json.dumps(made.model_dump(mode="json")))) == made


@pytest.mark.parametrize(
    "wrong",
    [
        {"status": "maybe"},
        {"status": "answered", "confidence": 1.1},
        {"status": "answered", "confidence": float("nan")},
        {"status": "refused", "refusal": {"reason": "because"}},
        {"status": "failed", "error": {"kind": "tired", "message": "m"}},
        {"status": "answered", "citations": [{"n": 1, "recording": "r", "start": 0, "end": 1, "stream": "smell"}]},
        {"status": "answered", "note": "x"},
    ],
)
def test_what_is_no_reply_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        reply(**wrong)


@pytest.mark.parametrize(("usage", "by"), [({}, "rules"), ({"model": "m-1"}, "rules (m-1)"), ({"model": ""}, "rules")])
def test_who_answered_is_the_brain_and_its_model(usage: dict[str, Any], by: str) -> None:
    assert reply("answered", usage=usage).by == by
