"""A model's plan, by the best form that its endpoint can do: tool calls, a strict JSON schema, JSON mode, plain text.

Which one is learned from the endpoint's errors and answers and kept for the next question. A plan that cannot be read
is handed back with the reason, twice at most in all; then the next form is tried.
"""

import json
import math
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage

import prompts
from agent.brains import schemas
from agent.brains.abilities import FORMS, Form
from agent.brains.chat_model import EndpointChat, wire
from agent.brains.fence import tokens
from agent.brains.protocol import Cost
from agent.graph.budget import Meter
from store.errors import BudgetSpent, EndpointError, ToolError
from tools.endpoints.completion import Fault, harmless
from tools.plan import QUERIES, parse_plan

_TURNS = 5
_REPAIRS = 2
_SAME = 3
_SHARE = 0.5  # of the time that is left a plan may take: then the rules plan, and there is time to answer
_MOMENT = 0.3
_CANNOT = re.compile(r"tool|function|response_format|json|schema|grammar|jinja|unsupported|not support", re.I)

RawCalls = list[dict[str, Any]]


@dataclass
class Bill:
    """Counts what a step costs: the endpoint's figures, or an estimate where it gives none.

    With a question's meter each call is paid before it is made, so that nothing is left to pay at the end. What it
    asks ends by `until` (monotonic).
    """

    chat: EndpointChat
    meter: Meter | None = None
    cost: Cost = Cost()
    until: float = math.inf

    @property
    def over(self) -> bool:
        """Whether the time for what is asked has passed."""
        return time.monotonic() >= self.until

    def ask(self, messages: Sequence[BaseMessage], **more: Any) -> AIMessage:
        """Ask the model, and count it even when what it said is of no use; BudgetSpent when nothing is left."""
        if self.meter is None:
            self.cost = replace(self.cost, model_calls=self.cost.model_calls + 1)
        else:
            more["seconds"] = min(self.meter.model_call(), self.until - time.monotonic())
        try:
            answer = self.chat.invoke(list(messages), **more)
        except EndpointError as error:
            if isinstance(error, Fault):
                self._pay(_wasted(messages, error, more))
            if self.meter is not None and self.meter.left < _MOMENT:
                raise BudgetSpent(f"the question takes longer than {self.meter.budget.seconds:g} s") from None
            raise
        assert isinstance(answer, AIMessage)
        self._pay(_spent(messages, answer, more))
        return answer

    def _pay(self, cost: Cost) -> None:
        if self.meter is not None:
            self.meter.spend(cost)
        else:
            self.cost = self.cost.plus(cost)


def _spent(messages: Sequence[BaseMessage], answer: AIMessage, more: dict[str, Any]) -> Cost:
    if usage := answer.usage_metadata:
        return Cost(0, usage["input_tokens"], usage["output_tokens"])
    return _estimated(messages, wire(answer), more)


def _wasted(messages: Sequence[BaseMessage], fault: Fault, more: dict[str, Any]) -> Cost:
    """Give what an answer has cost that was cut, refused, filtered or empty; nothing where there was none."""
    if fault.input_tokens and fault.output_tokens is not None:
        return Cost(0, fault.input_tokens, fault.output_tokens)
    answered = fault.partial or fault.kind not in ("endpoint_unreachable", "endpoint_fault")
    return _estimated(messages, fault.partial, more) if answered else Cost()


def _estimated(messages: Sequence[BaseMessage], answer: object, more: dict[str, Any]) -> Cost:
    asked = [*map(wire, messages), {key: more[key] for key in ("tools", "response_format") if key in more}]
    read, written = (tokens(json.dumps(part, ensure_ascii=False)) for part in (asked, answer))
    return Cost(0, read, written, read + written)


class Unreadable(Exception):
    """Say that the model gave no plan in the form it was asked for."""


@dataclass
class Planner:
    """Asks for a plan; `form` is the best that is known to work; `learned` is told of one that had to be found."""

    form: Form = "tools"
    learned: Callable[[Form], None] = lambda form: None

    def plan(self, bill: Bill, question: str, *, meaning: bool = False) -> RawCalls | None:
        """Give the plan's tool calls, None when the model says out of scope; Unreadable when no form gave a plan.

        With `meaning` a plan may search by it.
        """
        if bill.meter is not None:
            bill.until = min(bill.until, time.monotonic() + _SHARE * bill.meter.left)
        talk = _Talk(bill, question, meaning)
        ended: list[Fault | None] = []
        for form in FORMS[FORMS.index(self.form) :]:
            try:
                calls = talk.by_tools() if form == "tools" else talk.by_json(form)
            except Unreadable:
                ended.append(None)
            except Fault as fault:
                fault.partial = ""  # half a plan is nothing that a person was told
                if fault.cause != "long" and (form == "text" or not _cannot(fault)):
                    raise
                ended.append(fault)
            else:
                if form != self.form and all(fault is not None and fault.cause != "long" for fault in ended):
                    self.learned(form)
                self.form = form
                return calls
        if ended[-1] is not None and None not in ended:
            raise ended[-1]  # no form was answered to its end
        raise Unreadable


@dataclass
class _Talk:
    """One plan's talk with a model: few repairs in all, however many forms are tried.

    A plan that was cut is never run; it is asked for once `again`.
    """

    bill: Bill
    question: str
    meaning: bool
    repairs: int = _REPAIRS
    again: bool = False

    def by_tools(self) -> RawCalls | None:
        """Ask for tool calls until there is a fuse."""
        tools = schemas.tools(meaning=self.meaning)
        messages = self._opened(prompts.load("plan_tools"))
        gathered: RawCalls = []
        made: list[str] = []
        for _ in range(_TURNS):
            answer = self._ask(messages, tools=tools)
            if any(call["name"] == schemas.OUT_OF_SCOPE for call in answer.tool_calls):
                return None
            if not answer.tool_calls and not answer.invalid_tool_calls:
                return _written(str(answer.content))
            gathered, problem = _gather(gathered, answer)
            if problem is None and gathered[-1]["name"] == "fuse":
                return gathered
            made += [json.dumps([call["name"], call["args"]], sort_keys=True) for call in answer.tool_calls]
            if any(made.count(call) >= _SAME for call in made):
                break
            if problem is not None:
                self._repair()
            messages += [answer, *_told(answer, problem)]
            gathered = [] if problem is not None else gathered
        raise Unreadable

    def by_json(self, form: Form) -> RawCalls | None:
        """Ask for a plan written as JSON."""
        messages = self._opened(prompts.load("plan_json", schema=schemas.plan_form(meaning=self.meaning)))
        while True:
            answer = self._ask(messages, **self._format(form))
            try:
                return _checked(str(answer.content))
            except ToolError as error:
                self._repair()
                messages += [answer, HumanMessage(prompts.load("plan_repair", problem=str(error)))]

    def _opened(self, form: str) -> list[BaseMessage]:
        meaning = "; " + prompts.load("plan_meaning") if self.meaning else ""
        return [SystemMessage(prompts.load("plan", form=form, meaning=meaning)), HumanMessage(self.question)]

    def _format(self, form: Form) -> dict[str, Any]:
        if form == "schema":
            schema = {"name": "plan", "strict": True, "schema": schemas.plan_schema(meaning=self.meaning)}
            return {"response_format": {"type": "json_schema", "json_schema": schema}}
        return {"response_format": {"type": "json_object"}} if form == "json" else {}

    def _ask(self, messages: list[BaseMessage], **more: Any) -> AIMessage:
        while not self.bill.over:
            try:
                return self.bill.ask(messages, **more)
            except Fault as fault:
                # In a talk that outgrew the context, the next form is asked without what was said so far.
                if self.bill.over or (fault.cause == "context" and len(messages) > 2):
                    raise Unreadable from None
                # Asked the same, a model would go on as long again.
                if self.again or fault.cause in ("server", "long") or fault.kind not in ("truncated", "empty"):
                    raise
            self.again = True
        raise Unreadable

    def _repair(self) -> None:
        self.repairs -= 1
        if self.repairs < 0:
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
    if calls is None:
        return None
    parse_plan(sound := [harmless(call) for call in calls])
    return sound


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


def _cannot(fault: Fault) -> bool:
    """Whether the endpoint seems to say that it cannot do this form."""
    if fault.cause == "request":
        return fault.status in (400, 415, 422)
    return fault.cause == "server" and fault.status in (0, 500, 501) and bool(_CANNOT.search(str(fault)))
