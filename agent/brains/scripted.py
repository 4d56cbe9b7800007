"""A brain that does what a script says, or what a faulty model would do; a public class for tests, no mock.

One knob, `fault`, says what is wrong with it (agent/brains/faults.py lists them). Faults of plans mend themselves after
`faulty_rounds`, as a model's do when it is told what was wrong; loops and faults of answers never do.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agent.brains.faults import LOOPS, Fault, spoilt, worsened
from agent.brains.protocol import Answered, Brain, Cost, Feedback, Judged, Planned, Question
from agent.brains.rules.brain import RulesBrain
from store.catalog import Catalog
from store.errors import OverheardError
from tools.evidence import Evidence
from tools.plan import Plan

_RETOLD = 3


@dataclass
class ScriptedBrain:
    """Plays `script` (plans in order, the last one again and again), else what `inner` thinks, spoilt by `fault`.

    `error` is raised instead of a plan, or instead of an answer where `fails` says so; `slow` is how many seconds each
    step takes; `answers` are said instead of the inner brain's, the last one again and again. With `reads`, a number of
    tokens, it reads long recordings in stretches of that size.
    """

    script: Sequence[Planned] = ()
    fault: Fault | None = None
    faulty_rounds: int = 1
    inner: Brain = field(default_factory=RulesBrain)
    cost: Cost = Cost(model_calls=1, input_tokens=400, output_tokens=60)
    name: str = "scripted"
    rounds: int = 0
    answers: Sequence[Answered] = ()
    error: OverheardError | None = None
    fails: str = "plan"
    slow: float = 0.0
    said: int = 0
    reads: int = 0

    def plan(self, question: Question, catalog: Catalog, feedback: Feedback | None) -> Planned:
        """Give the script's next plan, or the inner brain's with the fault in it."""
        self._step("plan")
        self.rounds += 1
        if self.script:
            return replace(self.script[min(self.rounds, len(self.script)) - 1], cost=self.cost)
        planned = replace(self.inner.plan(question, catalog, None), cost=self.cost)
        if self.fault is None or (self.fault not in LOOPS and self.rounds > self.faulty_rounds):
            return planned
        return replace(planned, tool_calls=spoilt(self.fault, planned.tool_calls, self.rounds))

    def judge(self, question: Question, plan: Plan, evidence: Evidence) -> Judged:
        """Judge as the inner brain does; one that loops is never content, a gullible one always."""
        self._step("judge")
        if self.fault in LOOPS:
            return Judged("replan", "this may be elsewhere, search again", self.cost)
        if self.fault == "gullible":
            return Judged("enough", "any row will do", self.cost)
        return self.inner.judge(question, plan, evidence)

    def answer(self, question: Question, plan: Plan, evidence: Evidence, value: Any) -> Answered:
        """Word the answer, with the fault in it."""
        self._step("answer")
        self.said += 1
        if self.answers:
            return replace(self.answers[min(self.said, len(self.answers)) - 1], cost=self.cost)
        answered = replace(self.inner.answer(question, plan, evidence, value), cost=self.cost)
        return answered if self.fault is None else worsened(self.fault, answered, question, evidence)

    def room(self, question: Question) -> int:
        """Give the size of a stretch."""
        return self.reads

    def note(self, question: Question, plan: Plan, evidence: Evidence) -> Answered:
        """Note who says what in a stretch, with the fault in it."""
        self._step("note")
        return self._retold(question, evidence)

    def join(self, question: Question, plan: Plan, notes: Evidence, value: Any) -> Answered:
        """Give the first notes as the answer, with the fault in it."""
        self._step("join")
        return self._retold(question, notes)

    def _retold(self, question: Question, evidence: Evidence) -> Answered:
        shown = evidence.rows[:_RETOLD]
        lines = [
            f"{row.speaker} says “{row.text}” [{n}]." if row.speaker else f"{row.text} [{n}]."
            for n, row in enumerate(shown, 1)
        ]
        answered = Answered(" ".join(lines), None, tuple(range(len(shown))), "generated", self.cost)
        return answered if self.fault is None else worsened(self.fault, answered, question, evidence)

    def _step(self, name: str) -> None:
        if self.slow:
            time.sleep(self.slow)
        if self.error is not None and self.fails == name:
            raise self.error
