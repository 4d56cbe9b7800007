"""A brain behind any OpenAI-compatible endpoint: the model plans and words open answers, and nothing else.

Judging asks whether rows were found, and counts, durations and orders are SQL's: both are decided from rows without a
model call, since a model could only make them worse. So a lucky reply is never needed.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Self

import prompts
from agent.brains.chat_model import EndpointChat
from agent.brains.citing import NOT_FOUND, cited
from agent.brains.fence import fenced, tokens
from agent.brains.limits import brought_in, left_out, limited
from agent.brains.outline import outline
from agent.brains.planner import Bill, Planner, Unreadable
from agent.brains.protocol import INSTEAD, Answered, Brain, Feedback, Judged, Planned, Question
from agent.brains.restate import Restated, Said, restate
from agent.brains.rules.choice import worth_reading
from agent.brains.rules.language import language
from agent.brains.rules.searching import keywords
from agent.brains.shape import Shape
from agent.brains.writer import REPLY, Writer, asked
from agent.graph.budget import Meter
from store.catalog import Catalog
from tools.endpoint import Endpoint
from tools.evidence import Evidence
from tools.plan import Plan

CONTEXT = 4096
PLANNING = 3000  # tokens of the planning prompt with its tools, as a test counts them
_SPARE = 1100
_TOKENS_A_SECOND = 4.5
_CATALOG = 200
_LONGEST = 200
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
    """Plans and words with a model; `rows` decides and words what rows alone settle; `context` in tokens.

    `meaning`: what is asked of can be searched by meaning.
    """

    endpoint: Endpoint
    rows: Brain
    context: int = CONTEXT
    streamed: bool = True
    name: str = "openai"
    planner: Planner = field(default_factory=Planner)
    meter: Meter | None = None
    meaning: bool = False

    @property
    def model(self) -> str | None:
        """The model's name as far as it is known."""
        return self.endpoint.named

    def within(self, meter: Meter) -> Self:
        """Give the same brain for one question (or a part with a budget of its own), paying each call from a meter."""
        return replace(self, meter=meter)

    def searching(self, *, meaning: bool) -> Self:
        """Give the same brain, told whether what is asked of can be searched by meaning."""
        return replace(self, meaning=meaning)

    def plan(self, question: Question, catalog: Catalog, feedback: Feedback | None) -> Planned:
        """Ask the model for a plan; `rows` plans when it gives none, or one without a limit that the question names."""
        bill = self._bill()
        read = self.rows.plan(question, catalog, None)
        try:
            calls = self.planner.plan(bill, self._asked(question, catalog, feedback), meaning=self.meaning)
        except Unreadable:
            return replace(read, note=f"the model gave no plan that could be read{INSTEAD}", cost=bill.cost)
        note = None
        if calls and (missing := left_out(read, calls)):
            note = f"the model's plan left out {' and '.join(missing)}"
            # A second plan is asked for when this one found no answer; the rules can then prove that there is none.
            if feedback is not None or (calls := limited(read, calls)) is None:
                return replace(read, note=f"{note}{INSTEAD}", cost=bill.cost)
            note += "; it was put in"
        if calls and (others := brought_in(read, question, calls, catalog)):
            note = f"the model's plan was limited to {' and '.join(others)}, whom nobody asked for{INSTEAD}"
            return replace(read, note=note, cost=bill.cost)
        if _said(calls or []) == _said(read.tool_calls) and read.out_of_scope == (calls is None):
            # The rules' own plan, word for word: what they say of it holds (what the question was read as, how sure).
            return replace(read, cost=bill.cost)
        return Planned(calls or [], out_of_scope=calls is None, note=note, cost=bill.cost)

    def restate(self, question: str, turns: Sequence[Said]) -> Restated:
        """Ask the model for the question that stands alone."""
        return restate(self._bill(), question, turns)

    def judge(self, question: Question, plan: Plan, evidence: Evidence) -> Judged:
        """Judge by rows: whether something was found, never whether a model likes it."""
        if plan.fuse.answer_schema == "options" and evidence.total:
            return Judged("enough", f"{evidence.total} rows to choose by")
        return self.rows.judge(question, plan, evidence)

    def answer(self, question: Question, plan: Plan, evidence: Evidence, value: object) -> Answered:
        """Word an open answer from numbered rows; what SQL computed is worded by `rows`, so no number can change."""
        return self._answer("answer", question, plan, evidence, value)

    def room(self, question: Question) -> int:
        """Give how many tokens of rows one look at a stretch may hold."""
        return Writer(self._bill(), self.context, Shape("text", question)).room(prompts.load("note"))

    def note(self, question: Question, plan: Plan, evidence: Evidence) -> Answered:
        """Note what one stretch of a recording says about a question, each sentence with its rows."""
        writer = Writer(self._bill(), self.context, Shape("text", Question(question.text)))
        text, shown = writer.write(prompts.load("note"), evidence.rows, repair=False)
        said, places = cited(_STRAIGHT.sub("“\\1”", text), shown)
        return Answered(said, None, places, "generated", writer.bill.cost, found=not _nothing(said))

    def join(self, question: Question, plan: Plan, notes: Evidence, value: object) -> Answered:
        """Word an open answer from notes, which are cited like rows."""
        return self._answer("join", question, plan, notes, value)

    def _answer(
        self, prompt: Literal["answer", "join"], question: Question, plan: Plan, evidence: Evidence, value: object
    ) -> Answered:
        shape = Shape(plan.fuse.answer_schema, question)
        if shape.family not in TASKS or not evidence.rows or plan.fuse.versus is not None:
            return self.rows.answer(question, plan, evidence, value)
        task, length = TASKS[shape.family]
        told = {"task": task + shape.asked, "length": length}
        system = prompts.load("answer", **told) if prompt == "answer" else prompts.load("join", **told)
        writer = Writer(self._bill(), self.context, shape)
        read = self._to_read(question, shape, evidence)
        text, shown = writer.write(system, [evidence.rows[i] for i in read], best_first=plan.fuse.order == "rank")
        shown = replace(shown, places=tuple(read[place] for place in shown.places))
        cost = writer.bill.cost
        # Curly quotes are the ones that `verify` holds against the rows.
        said, places = cited(_STRAIGHT.sub("“\\1”", text), shown)
        left_out = len(evidence.rows) - len(shown.places)
        caveats = [f"answered from {len(shown.places)} of {evidence.total} rows"] if left_out else []
        if _nothing(said):
            told_so = "The rows that were found do not answer this."
            return Answered(told_so, None, (), "generated", cost, tuple(caveats), found=False)
        if (problem := shape.problem(text)) is not None:
            # Told once what is wrong, it still gave no value that can be read: the rows answer instead.
            answered = self.rows.answer(question, plan, evidence, value)
            caveats.append(f"the model gave no value that can be read: {problem}")
            return replace(answered, cost=cost, caveats=(*answered.caveats, *caveats))
        if not places:
            caveats.append("the model cited no row")
        made = _quoted(evidence, places) if shape.family == "quote" else shape.value(text)
        return Answered(shape.words(said), made, places, "generated", cost, tuple(caveats))

    def _to_read(self, question: Question, shape: Shape, evidence: Evidence) -> Sequence[int]:
        """Give the rows a model is shown: of options those that tell them apart, however many speak of the subject."""
        if shape.family != "options":
            return range(len(evidence.rows))
        spoken = language()
        return worth_reading(question.options, keywords(question.text, spoken), evidence.rows, spoken)

    def _asked(self, question: Question, catalog: Catalog, feedback: Feedback | None) -> str:
        seconds = sum(entry.recording.duration_ms for entry in catalog.recordings) / 1000
        fits = seconds * _TOKENS_A_SECOND <= self.context - _SPARE
        route = prompts.load("plan_route_whole") if fits else prompts.load("plan_route_parts")
        written, told = asked(question), _told(feedback)
        room = self.context - PLANNING - REPLY - tokens(f"{route}{written}{told}")
        shown = outline(catalog, written, max(_CATALOG, room))
        return prompts.load("plan_question", catalog=shown, route=route, question=written) + told

    def _bill(self) -> Bill:
        return Bill(EndpointChat(endpoint=self.endpoint, streamed=self.streamed), self.meter)


def _said(calls: Iterable[Mapping[str, Any]]) -> list[tuple[Any, Any]]:
    """Give what a plan says, without the ids of its calls."""
    return [(call["name"], call["args"]) for call in calls]


def _told(feedback: Feedback | None) -> str:
    """Give what was wrong with the last plan, as data like all that comes out of rows."""
    if feedback is None:
        return ""
    planned = feedback.plan.tool_calls() if feedback.plan else []
    calls = [[call["name"], ({} if call["name"] == "fuse" else {"ref": call["id"]}) | call["args"]] for call in planned]
    plan = fenced(json.dumps(calls, ensure_ascii=False, separators=(",", ":"))) if calls else "none that could be read"
    why = fenced(feedback.text)
    return "\n\n" + prompts.load("plan_feedback", plan=plan[:_LONGEST], why=why[:_LONGEST])


def _nothing(said: str) -> bool:
    return said.strip(' .[]*"').upper().startswith(NOT_FOUND)


def _quoted(evidence: Evidence, places: tuple[int, ...]) -> str:
    return " ".join((evidence.rows[place].text or "").strip() for place in sorted(places))
