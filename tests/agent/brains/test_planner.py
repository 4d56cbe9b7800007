"""A model that can do much, little or nothing of the protocol still gives a plan, or says plainly that it gave none."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from agent.brains import schemas
from agent.brains.abilities import Form
from agent.brains.chat_model import EndpointChat
from agent.brains.planner import Bill, Planner, Unreadable
from store.errors import EndpointError
from tests.sleeping import cut_short
from tests.tools.loopback import Loopback, Reply, call, message, script, serving, spoken
from tests.tools.loopback import streamed as streamed_reply
from tools.endpoint import Endpoint
from tools.endpoints.completion import Fault
from tools.plan import parse_plan

Json = dict[str, Any]
SAID = {"keywords": ["budget"], "speaker": "Ada", "ref": "said"}
FUSE = {"anchor": "said", "aggregate": "count", "answer_schema": "count"}
WRITTEN = json.dumps({"out_of_scope": False, "calls": [{"tool": "transcript", **SAID}], "fuse": FUSE})
EXPECTED = [("transcript", {"keywords": ["budget"], "speaker": "Ada"}, "said"), ("fuse", FUSE)]


def _calls(*pairs: tuple[str, Any]) -> Json:
    tool_calls = [
        call(name, args if isinstance(args, str) else json.dumps(args), f"c{n}") for n, (name, args) in enumerate(pairs)
    ]
    return message(None, tool_calls=tool_calls)


def _meter(server: Loopback, streamed: bool) -> Bill:
    return Bill(EndpointChat(endpoint=Endpoint(server.url, "sk-x", "m"), streamed=streamed))


def _plan(answer: Callable[[Json], Reply], streamed: bool = False, planner: Planner | None = None) -> Any:
    with serving(answer) as server:
        bill = _meter(server, streamed)
        return (planner or Planner()).plan(bill, "How often did Ada say budget?"), bill, server.requests


def _seen(calls: list[Json]) -> list[tuple[Any, ...]]:
    parse_plan(calls)
    return [(c["name"], c["args"], c["id"]) if c["name"] != "fuse" else (c["name"], c["args"]) for c in calls]


@pytest.mark.parametrize("streamed", [False, True])
def test_tool_calls_in_one_answer_are_the_plan(streamed: bool) -> None:
    said = _calls(("transcript", SAID), ("fuse", FUSE))
    calls, bill, _ = _plan(lambda request: spoken(request, said, "tool_calls"), streamed)
    assert _seen(calls) == EXPECTED
    assert (bill.cost.model_calls, bill.cost.input_tokens, bill.cost.output_tokens) == (1, 11, 7)


def test_a_model_that_makes_one_call_an_answer_is_asked_on() -> None:
    def one_by_one(request: Json) -> Reply:
        turns = [m for m in request["messages"] if m["role"] == "tool"]
        step = [("transcript", SAID), ("events", {"labels": ["Bell"]}), ("fuse", FUSE)][len(turns)]
        assert [m["tool_call_id"] for m in turns] == ["c0"] * len(turns)
        return spoken(request, _calls(step), "tool_calls")

    calls, bill, requests = _plan(one_by_one)
    assert [c["name"] for c in calls] == ["transcript", "events", "fuse"]
    assert bill.cost.model_calls == 3
    assert "Noted as said" in requests[1]["messages"][-1]["content"]


def test_what_the_endpoint_added_to_a_call_is_carried_back() -> None:
    def thoughtful(request: Json) -> Reply:
        if len(request["messages"]) > 2:
            (carried,) = request["messages"][2]["tool_calls"]
            assert carried["extra_content"] == {"thought_signature": "abc"}
            return spoken(request, _calls(("fuse", FUSE)), "tool_calls")
        said = _calls(("transcript", SAID))
        said["tool_calls"][0]["extra_content"] = {"thought_signature": "abc"}
        return spoken(request, said, "tool_calls")

    for streamed in (False, True):
        assert _seen(_plan(thoughtful, streamed)[0]) == EXPECTED


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ([("transcript", '{"keywords": ["bud'), ("fuse", FUSE)], "no JSON"),
        ([("transcript", '["budget"]'), ("fuse", FUSE)], "must be an object"),
        ([("rm_rf", {}), ("fuse", FUSE)], "no tool 'rm_rf'"),
        ([("transcript", {"words": ["budget"]}), ("fuse", FUSE | {"anchor": "transcript"})], "words"),
        ([("transcript", SAID), ("fuse", FUSE | {"anchor": "speaker"})], "'speaker' refers to 0 calls"),
    ],
)
def test_a_wrong_plan_is_repaired_once_it_is_told_why(wrong: list[tuple[str, Any]], told: str) -> None:
    good = _calls(("transcript", SAID), ("fuse", FUSE))
    answers = [_calls(*wrong), good]
    calls, bill, requests = _plan(lambda request: spoken(request, answers.pop(0), "tool_calls"))
    assert _seen(calls) == EXPECTED
    assert bill.cost.model_calls == 2
    assert told in requests[1]["messages"][-1]["content"]
    carried = requests[1]["messages"][2]["tool_calls"]
    assert all(isinstance(json.loads(c["function"]["arguments"]), dict | list) for c in carried)


_LACKING: dict[Form, tuple[str, ...]] = {
    "schema": ("tools",), "json": ("tools", "json_schema"), "text": ("tools", "json_schema", "json_object"),
}  # fmt: skip


def _refusing(*words: str, status: int = 400) -> Callable[[Json], Reply]:
    """An endpoint that knows neither of these fields."""

    def answer(request: Json) -> Reply:
        kind = (request.get("response_format") or {}).get("type")
        for word in words:
            if word in request or word == kind:
                return Reply(json.dumps({"error": {"message": f"{word} is not supported"}}), status=status)
        return spoken(request, message(f"Here it is:\n```json\n{WRITTEN}\n```"))

    return answer


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize(
    ("lacking", "form", "tries"),
    [
        (("tools",), "schema", 2),
        (("tools", "json_schema"), "json", 3),
        (("tools", "json_schema", "json_object"), "text", 4),
    ],
)
def test_the_best_form_is_learned_and_kept(lacking: tuple[str, ...], form: str, tries: int, streamed: bool) -> None:
    planner = Planner()
    calls, _, requests = _plan(_refusing(*lacking), streamed, planner)
    assert _seen(calls) == EXPECTED
    assert (planner.form, len(requests)) == (form, tries)
    _, _, again = _plan(_refusing(*lacking), streamed, planner)
    assert len(again) == 1


@pytest.mark.parametrize("form", ["schema", "json", "text"])
def test_a_form_that_is_known_to_work_is_asked_for_first(form: Form) -> None:
    found: list[str] = []
    calls, _, requests = _plan(_refusing(*_LACKING[form]), True, Planner(form, found.append))
    assert _seen(calls) == EXPECTED
    assert (len(requests), found) == (1, [])


@pytest.mark.parametrize("form", ["schema", "json", "text"])
def test_a_form_that_had_to_be_found_is_told_once(form: Form) -> None:
    found: list[str] = []
    planner = Planner("tools", found.append)
    for _ in range(2):
        _plan(_refusing(*_LACKING[form]), True, planner)
    assert found == [form]


def test_a_plan_that_a_model_could_not_write_once_is_no_proof_of_what_it_can_do() -> None:
    found: list[str] = []
    left = [message("Let me think.")]

    def answer(request: Json) -> Reply:
        return spoken(request, left.pop() if left else message(WRITTEN))

    assert _seen(_plan(answer, True, Planner("tools", found.append))[0]) == EXPECTED
    assert found == []


def test_repairs_are_few_in_all_forms_together() -> None:
    broken = _calls(("transcript", "{half"))
    with serving(lambda request: spoken(request, broken, "tool_calls")) as server, pytest.raises(Unreadable):
        Planner().plan(_meter(server, True), "How often?")
    forms = [_form(request) for request in server.requests]
    assert forms == ["tools"] * 3 + ["json_schema", "json_object", "text"]


def _form(request: Json) -> str:
    return "tools" if "tools" in request else str((request.get("response_format") or {"type": "text"})["type"])


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("cut", ["no finish", "empty"])
def test_a_plan_that_was_cut_is_never_run_and_asked_for_once_more(cut: str, streamed: bool) -> None:
    said = _calls(("transcript", SAID), ("fuse", FUSE))
    played: dict[str, Callable[[Json], Reply]] = {
        "no finish": lambda request: streamed_reply(said, None),
        "empty": lambda request: spoken(request, message("")),
    }
    first, left = played[cut], [played[cut]]

    def answer(request: Json) -> Reply:
        return left.pop()(request) if left else spoken(request, said, "tool_calls")

    calls, bill, requests = _plan(answer, streamed)
    assert _seen(calls) == EXPECTED
    assert (bill.cost.model_calls, requests[0]["messages"]) == (2, requests[1]["messages"])
    with serving(first) as server, pytest.raises(Fault):
        Planner().plan(_meter(server, streamed), "How often?")
    assert len(server.requests) == 2


def test_a_talk_that_outgrows_the_context_goes_on_without_what_was_said() -> None:
    def small(request: Json) -> Reply:
        if len(request["messages"]) > 2:
            return Reply('{"error": {"message": "maximum context length exceeded"}}', status=400)
        return spoken(request, _calls(("transcript", "{half")) if "tools" in request else message(WRITTEN))

    calls, _, requests = _plan(small)
    assert _seen(calls) == EXPECTED
    assert [len(request["messages"]) for request in requests] == [2, 4, 2]


def test_what_does_not_fit_at_all_is_said() -> None:
    told = Reply('{"error": {"message": "maximum context length exceeded"}}', status=400)
    with serving(script(told)) as server, pytest.raises(EndpointError, match="does not fit"):
        Planner().plan(_meter(server, True), "How often?")
    assert len(server.requests) == 1


@pytest.mark.parametrize("streamed", [False, True])
def test_what_the_endpoint_added_to_a_message_is_carried_back(streamed: bool) -> None:
    def thoughtful(request: Json) -> Reply:
        if len(request["messages"]) > 2:
            assert request["messages"][2]["reasoning_content"] == "Ada, then count."
            assert request["messages"][2]["vendor"] == {"turn": "t1"}
            return spoken(request, _calls(("fuse", FUSE)), "tool_calls")
        said = _calls(("transcript", SAID)) | {"reasoning_content": "Ada, then count.", "vendor": {"turn": "t1"}}
        return spoken(request, said, "tool_calls")

    assert _seen(_plan(thoughtful, streamed)[0]) == EXPECTED


@pytest.mark.parametrize("usage", [None, {}, {"prompt_tokens": 0, "completion_tokens": 3}, {"prompt_tokens": "many"}])
def test_tokens_are_estimated_where_the_endpoint_gives_no_figures(usage: Json | None) -> None:
    def silent(request: Json) -> Reply:
        choice = {"message": _calls(("transcript", SAID), ("fuse", FUSE)), "finish_reason": "tool_calls"}
        return Reply(json.dumps({"choices": [choice], "usage": usage}))

    cost = _plan(silent)[1].cost
    assert cost.estimated_tokens == cost.input_tokens + cost.output_tokens
    assert 1_500 < cost.input_tokens < 4_096
    assert 10 < cost.output_tokens < 200


def test_a_plan_without_a_bottom_is_no_plan() -> None:
    deep = '{"calls": ' + "[" * 100_000
    with serving(lambda request: spoken(request, message(deep))) as server, pytest.raises(Unreadable):
        Planner("text").plan(_meter(server, False), "How often?")


def test_a_server_without_tools_that_fails_with_500_is_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_short(monkeypatch)
    calls, _, _ = _plan(_refusing("tools", status=500))
    assert _seen(calls) == EXPECTED


def test_a_model_that_writes_its_plan_as_text_is_read() -> None:
    calls, bill, _ = _plan(lambda request: spoken(request, message(WRITTEN)))
    assert _seen(calls) == EXPECTED
    assert bill.cost.model_calls == 1


def test_out_of_scope_is_no_plan() -> None:
    assert _plan(lambda request: spoken(request, _calls(("out_of_scope", {})), "tool_calls"))[0] is None
    assert (
        _plan(lambda request: spoken(request, message('{"out_of_scope": true, "calls": [], "fuse": null}')))[0] is None
    )


def test_a_model_that_only_chats_gives_no_plan() -> None:
    with serving(lambda request: spoken(request, message("Let me think about Ada."))) as server:
        bill = _meter(server, True)
        with pytest.raises(Unreadable):
            Planner().plan(bill, "How often?")
    assert bill.cost.model_calls == len(server.requests) <= 10


@pytest.mark.parametrize("status", [401, 404, 429, 500])
def test_other_faults_are_not_taken_for_a_missing_form(status: int, monkeypatch: pytest.MonkeyPatch) -> None:
    cut_short(monkeypatch)
    refused = Reply('{"error": {"message": "no"}}', status=status)
    with serving(script(refused)) as server, pytest.raises(EndpointError):
        Planner().plan(_meter(server, False), "How often?")
    assert len(server.requests) in (1, 3)


def test_the_strict_schema_requires_every_key_and_allows_no_other() -> None:
    def check(schema: Any) -> None:
        if isinstance(schema, dict):
            if schema.get("type") == "object":
                assert schema["additionalProperties"] is False
                assert set(schema["required"]) == set(schema["properties"])
            for value in schema.values():
                check(value)
        elif isinstance(schema, list):
            for item in schema:
                check(item)

    check(schemas.plan_schema())


def test_prompt_tools_and_schema_leave_room_in_a_small_context() -> None:
    import prompts

    system = prompts.load("plan", form=prompts.load("plan_tools"), meaning="; " + prompts.load("plan_meaning"))
    assert len(system) / 4 < 1450
    assert len(json.dumps(schemas.tools())) / 4 < 1250
    assert len(json.dumps(schemas.plan_schema(), separators=(",", ":"))) / 4 < 1000
