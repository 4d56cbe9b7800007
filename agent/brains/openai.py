"""A brain behind any OpenAI-compatible endpoint: the model plans and words open answers, and nothing else.

Judging asks whether rows were found, and counts, durations and orders are SQL's: both are decided from rows without a
model call, since a model could only make them worse. So a lucky reply is never needed.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

import prompts
from agent.brains.chat_model import EndpointChat
from agent.brains.citing import NOT_FOUND, Numbered, cited, numbered
from agent.brains.limits import left_out
from agent.brains.outline import fenced, outline
from agent.brains.planner import Bill, Planner, Unreadable
from agent.brains.protocol import Answered, Brain, Feedback, Judged, Planned, Question
from agent.brains.shape import Shape
from store.catalog import Catalog
from tools.completion import Fault
from tools.endpoint import Endpoint
from tools.evidence import Evidence
from tools.plan import Plan

CONTEXT = 4096
_SPARE = 1100
_TOKENS_A_SECOND = 4.5
_STRAIGHT = re.compile('"([^"\n]+)"')

TASKS = {
    "options": ("Choose the one option that the rows support: begin with its letter, then say why.", "3 sentences"),
    "quote": ("Say what was said about it and by whom, with the decisive words quoted exactly.", "5 sentences"),
    "summary": ("Summarise what the rows say: the topics in their order, and what was decided.", "8 sentences"),
    "schema": ("Answer the question from what was said, in sentences.", "8 sentences"),
    "text": ("Answer the question from what was said; where speakers differ, say who holds what.", "8 sentences"),
}


@dataclass
class OpenAIBrain:
    """Plans and words with a model; `rows` decides and words what rows alone settle; `context` in tokens."""

    endpoint: Endpoint
    rows: Brain
    context: int = CONTEXT
    streamed: bool = True
    name: str = "openai"
    _planner: Planner = field(default_factory=Planner)

    def plan(self, question: Question, catalog: Catalog, feedback: Feedback | None) -> Planned:
        """Ask the model for a plan; `rows` plans when it gives none, or one that drops a limit the question names."""
        bill = self._bill()
        read = self.rows.plan(question, catalog, None)
        try:
            calls = self._planner.plan(bill, self._asked(question, catalog, feedback))
        except Unreadable:
            return replace(read, note="the model gave no plan that could be read; the rules planned", cost=bill.cost)
        if calls and (missing := left_out(read, calls)):
            note = f"the model's plan left out {' and '.join(missing)}; the rules planned"
            return replace(read, note=note, cost=bill.cost)
        if _said(calls or []) == _said(read.tool_calls) and read.out_of_scope == (calls is None):
            # The rules' own plan, word for word: what they say of it holds (what the question was read as, how sure).
            return replace(read, cost=bill.cost)
        return Planned(calls or [], out_of_scope=calls is None, cost=bill.cost)

    def judge(self, question: Question, plan: Plan, evidence: Evidence) -> Judged:
        """Judge by rows: whether something was found, never whether a model likes it."""
        if plan.fuse.answer_schema == "options" and evidence.total:
            return Judged("enough", f"{evidence.total} rows to choose by")
        return self.rows.judge(question, plan, evidence)

    def answer(self, question: Question, plan: Plan, evidence: Evidence, value: object) -> Answered:
        """Word an open answer from numbered rows; what SQL computed is worded by `rows`, so no number can change."""
        shape = Shape(plan.fuse.answer_schema, question)
        if shape.family not in TASKS or not evidence.rows or plan.fuse.versus is not None:
            return self.rows.answer(question, plan, evidence, value)
        bill = self._bill()
        text, shown = self._fitted(bill, shape, plan, evidence)
        # Curly quotes are the ones that `verify` holds against the rows.
        said, places = cited(_STRAIGHT.sub("“\\1”", text), shown)
        left_out = len(evidence.rows) - len(shown.places)
        caveats = [f"answered from {len(shown.places)} of {evidence.total} rows"] if left_out else []
        if said.strip(' .[]*"').upper().startswith(NOT_FOUND):
            told = "The rows that were found do not answer this."
            return Answered(told, None, (), "generated", bill.cost, tuple(caveats), found=False)
        if (problem := shape.problem(text)) is not None:
            # Told once what is wrong, it still gave no value that can be read: the rows answer instead.
            answered = self.rows.answer(question, plan, evidence, value)
            caveats.append(f"the model gave no value that can be read: {problem}")
            return replace(answered, cost=bill.cost, caveats=(*answered.caveats, *caveats))
        if not places:
            caveats.append("the model cited no row")
        made = _quoted(evidence, places) if shape.family == "quote" else shape.value(text)
        return Answered(shape.words(said), made, places, "generated", bill.cost, tuple(caveats))

    def _fitted(self, bill: Bill, shape: Shape, plan: Plan, evidence: Evidence) -> tuple[str, Numbered]:
        budget = max(400, self.context - _SPARE)
        while True:
            shown = numbered(evidence.rows, budget, best_first=plan.fuse.order == "rank")
            try:
                return self._worded(bill, shape, shown), shown
            except Fault as fault:
                if fault.cause != "context" or budget <= 400:
                    raise
                budget = max(400, budget // 2)

    def _worded(self, bill: Bill, shape: Shape, shown: Numbered) -> str:
        task, length = TASKS[shape.family]
        messages: list[BaseMessage] = [
            SystemMessage(prompts.load("answer", task=task + shape.asked, length=length)),
            HumanMessage(prompts.load("answer_question", rows=shown.lines, question=_written(shape.question))),
        ]
        answer = bill.ask(messages)
        text = str(answer.content)
        problem = shape.problem(text) or (None if cited(text, shown)[1] else "Your answer cited no row.")
        if problem is not None and NOT_FOUND not in text.upper():
            messages += [answer, HumanMessage(prompts.load("answer_repair", problem=problem))]
            text = str(bill.ask(messages).content)
        return text

    def _asked(self, question: Question, catalog: Catalog, feedback: Feedback | None) -> str:
        seconds = sum(entry.recording.duration_ms for entry in catalog.recordings) / 1000
        fits = seconds * _TOKENS_A_SECOND <= self.context - _SPARE
        route = prompts.load("plan_route_whole") if fits else prompts.load("plan_route_parts")
        asked = prompts.load("plan_question", catalog=outline(catalog), route=route, question=_written(question))
        if feedback is None:
            return asked
        plan = json.dumps(feedback.plan.tool_calls()) if feedback.plan else "none that could be read"
        return asked + "\n\n" + prompts.load("plan_feedback", plan=plan, why=feedback.text)

    def _bill(self) -> Bill:
        return Bill(EndpointChat(endpoint=self.endpoint, streamed=self.streamed))


def _said(calls: Iterable[Mapping[str, Any]]) -> list[tuple[Any, Any]]:
    """Give what a plan says, without the ids of its calls."""
    return [(call["name"], call["args"]) for call in calls]


def _written(question: Question) -> str:
    options = "".join(f"\n{letter}. {fenced(text)}" for letter, text in question.options.items())
    return fenced(question.text) + options


def _quoted(evidence: Evidence, places: tuple[int, ...]) -> str:
    return " ".join((evidence.rows[place].text or "").strip() for place in sorted(places))
