"""A model's plan, by the best form that its endpoint can do: tool calls, a strict JSON schema, JSON mode, plain text.

Which one is learned from the endpoint's errors and answers and kept for the next question. A plan that cannot be read
is handed back with the reason, twice at most; then the next form is tried.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

import prompts
from agent.brains import schemas
from agent.brains.chat_model import EndpointChat
from agent.brains.citing import tokens
from agent.brains.protocol import Cost
from store.errors import ToolError
from tools.completion import Fault
from tools.plan import QUERIES, parse_plan

Form = Literal["tools", "schema", "json", "text"]
FORMS: tuple[Form, ...] = ("tools", "schema", "json", "text")
_TURNS = 5
_REPAIRS = 2
_CANNOT = re.compile(r"tool|function|response_format|json|schema|grammar|jinja|unsupported|not support", re.I)

RawCalls = list[dict[str, Any]]


@dataclass
class Bill:
    """Counts what a question costs: the endpoint's figures, or an estimate where it gives none."""

    chat: EndpointChat
    calls: int = 0
    spent_in: int = 0
    spent_out: int = 0

    def ask(self, messages: Sequence[BaseMessage], **more: Any) -> AIMessage:
        """Ask the model, and count it even when it fails."""
        self.calls += 1
        answer = self.chat.invoke(list(messages), **more)
        assert isinstance(answer, AIMessage)
        usage = answer.usage_metadata
        self.spent_in += usage["input_tokens"] if usage else sum(tokens(str(m.content)) for m in messages)
        self.spent_out += usage["output_tokens"] if usage else tokens(str(answer.content))
        return answer

    @property
    def cost(self) -> Cost:
        """What it has cost so far."""
        return Cost(self.calls, self.spent_in, self.spent_out)


class Unreadable(Exception):
    """Say that the model gave no plan in the form it was asked for."""


@dataclass
class Planner:
    """Asks for a plan; `form` is the best form that is known to work, None calls mean out of scope."""

    form: Form = "tools"
    _tools: list[dict[str, Any]] = field(default_factory=schemas.tools)

    def plan(self, bill: Bill, question: str) -> RawCalls | None:
        """Give the plan's tool calls, None when the model says out of scope; Unreadable when no form gave a plan."""
        for form in FORMS[FORMS.index(self.form) :]:
            try:
                calls = self._by_tools(bill, question) if form == "tools" else _by_json(bill, question, form)
            except Unreadable:
                continue
            except Fault as fault:
                fault.partial = ""  # half a plan is nothing that a person was told
                if form == "text" or not _cannot(fault):
                    raise
                continue
            self.form = form
            return calls
        raise Unreadable

    def _by_tools(self, bill: Bill, question: str) -> RawCalls | None:
        system = prompts.load("plan", form=prompts.load("plan_tools"))
        messages: list[BaseMessage] = [SystemMessage(system), HumanMessage(question)]
        gathered: RawCalls = []
        repairs = 0
        for _ in range(_TURNS):
            answer = bill.ask(messages, tools=self._tools)
            if any(call["name"] == schemas.OUT_OF_SCOPE for call in answer.tool_calls):
                return None
            if not answer.tool_calls and not answer.invalid_tool_calls:
                return _written(str(answer.content))
            gathered, problem = _gather(gathered, answer)
            if problem is None and gathered[-1]["name"] == "fuse":
                return gathered
            if problem is not None:
                repairs += 1
                if repairs > _REPAIRS:
                    break
            messages += [answer, *_told(answer, problem)]
            gathered = [] if problem is not None else gathered
        raise Unreadable


def _written(text: str) -> RawCalls | None:
    """Read a plan that a model wrote as text where it should have called tools."""
    try:
        return _checked(text)
    except ToolError as error:
        raise Unreadable from error


def _checked(text: str) -> RawCalls | None:
    """Read a plan written as JSON, None when it says out of scope; ToolError when it is no plan that can be parsed."""
    calls = schemas.read_plan(text)
    if calls is not None:
        parse_plan(calls)
    return calls


def _gather(before: RawCalls, answer: AIMessage) -> tuple[RawCalls, str | None]:
    """Add an answer's calls to those before; the second says what is wrong with them."""
    broken = [f"{call['name']}: {call['error']}" for call in answer.invalid_tool_calls]
    fresh = [{"name": call["name"], "args": call["args"], "id": call["id"]} for call in answer.tool_calls]
    known = {*QUERIES, "fuse"}
    broken += [f"there is no tool '{call['name']}'" for call in fresh if call["name"] not in known]
    if broken:
        return before, "; ".join(broken)
    calls = schemas.referable([*_unreferenced(before), *fresh])
    streams = [call for call in calls if call["name"] != "fuse"]
    fuses = [call for call in calls if call["name"] == "fuse"]
    ordered = [*streams, *fuses[-1:]]
    if not fuses:
        return ordered, None
    return ordered, _problem(ordered)


def _unreferenced(calls: RawCalls) -> RawCalls:
    return [call | {"args": call["args"] | {"ref": call["id"]}} for call in calls]


def _problem(calls: RawCalls) -> str | None:
    try:
        parse_plan(calls)
    except ToolError as error:
        return str(error)
    return None


def _told(answer: AIMessage, problem: str | None) -> list[BaseMessage]:
    ids = [call["id"] or "" for call in [*answer.tool_calls, *answer.invalid_tool_calls]]
    if problem is not None:
        text = prompts.load("plan_repair", problem=problem)
        return [ToolMessage(text, tool_call_id=call_id) for call_id in ids]
    refs = [str(call["args"].get("ref") or call["name"]) for call in answer.tool_calls]
    return [
        ToolMessage(prompts.load("plan_continue", ref=ref), tool_call_id=i) for ref, i in zip(refs, ids, strict=True)
    ]


def _by_json(bill: Bill, question: str, form: Form) -> RawCalls | None:
    schema = schemas.plan_schema()
    shown = "given" if form == "schema" else json.dumps(schema, separators=(",", ":"))
    messages: list[BaseMessage] = [
        SystemMessage(prompts.load("plan", form=prompts.load("plan_json", schema=shown))),
        HumanMessage(question),
    ]
    more: dict[str, Any] = {}
    if form == "schema":
        more["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "plan", "strict": True, "schema": schema},
        }
    if form == "json":
        more["response_format"] = {"type": "json_object"}
    for _ in range(_REPAIRS + 1):
        answer = bill.ask(messages, **more)
        try:
            return _checked(str(answer.content))
        except ToolError as error:
            messages += [answer, HumanMessage(prompts.load("plan_repair", problem=str(error)))]
    raise Unreadable


def _cannot(fault: Fault) -> bool:
    """Whether the endpoint seems to say that it cannot do this form."""
    if fault.cause == "request":
        return fault.status in (400, 415, 422)
    return fault.cause == "server" and fault.status in (0, 500, 501) and bool(_CANNOT.search(str(fault)))
