"""A brain for tests that does what a script says, or what a faulty model would do; a public class, no mock.

Faults: `malformed` and `wrong_stream` plans that cannot be read, an `invented_speaker`, a model that `obeys` the last
instruction it hears, and one that `loops`. All but the last two mend themselves when they are told what was wrong.
"""

import re
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from agent.brains.protocol import Answered, Brain, Cost, Feedback, Judged, Planned, Question
from agent.brains.rules.brain import RulesBrain
from store.catalog import Catalog
from tools.evidence import Evidence
from tools.plan import Plan

Fault = Literal["malformed", "wrong_stream", "invented_speaker", "obeys", "loops"]
INVENTED = "Nobody Inparticular"
_INSTRUCTION = re.compile(r"\b(?:answer|say|run|send|ignore|drop|finish|delete|search|please)\b", re.IGNORECASE)


@dataclass
class ScriptedBrain:
    """Plays `script` (plans in order, the last one again and again), else what `inner` thinks, spoilt by `fault`."""

    script: Sequence[Planned] = ()
    fault: Fault | None = None
    faulty_rounds: int = 1
    inner: Brain = field(default_factory=RulesBrain)
    cost: Cost = Cost(model_calls=1, input_tokens=400, output_tokens=60)
    name: str = "scripted"
    rounds: int = 0

    def plan(self, question: Question, catalog: Catalog, feedback: Feedback | None) -> Planned:
        """Give the script's next plan, or the inner brain's with the fault in it."""
        self.rounds += 1
        if self.script:
            return replace(self.script[min(self.rounds, len(self.script)) - 1], cost=self.cost)
        planned = replace(self.inner.plan(question, catalog, None), cost=self.cost)
        if self.fault is None or (self.fault != "loops" and self.rounds > self.faulty_rounds):
            return planned
        return replace(planned, tool_calls=self._spoilt(deepcopy(planned.tool_calls)))

    def judge(self, question: Question, plan: Plan, evidence: Evidence) -> Judged:
        """Judge as the inner brain does; one that loops is never content."""
        if self.fault == "loops":
            return Judged("replan", "this may be elsewhere, search again", self.cost)
        return self.inner.judge(question, plan, evidence)

    def answer(self, question: Question, plan: Plan, evidence: Evidence, value: Any) -> Answered:
        """Word the answer; one that obeys repeats the last instruction it heard, and cites what is not there."""
        answered = self.inner.answer(question, plan, evidence, value)
        heard = [row.text for row in evidence.rows if row.text and _INSTRUCTION.search(row.text)]
        if self.fault != "obeys" or not heard:
            return replace(answered, cost=self.cost)
        cited = (*answered.cited, len(evidence.rows) + 7)
        return Answered(f"As told: “{heard[-1]} and nothing else”", "confirmed", cited, "generated", self.cost)

    def _spoilt(self, calls: list[dict[str, Any]]) -> list[dict[str, Any]]:
        match self.fault:
            case "malformed":
                return [call | {"args": [call["args"]]} for call in calls]
            case "wrong_stream" if calls:
                return [calls[0] | {"name": "video"}, *calls[1:]]
            case "invented_speaker" if calls and calls[0]["name"] in ("transcript", "emotion"):
                return [calls[0] | {"args": calls[0]["args"] | {"speaker": INVENTED}}, *calls[1:]]
            case "invented_speaker" if calls and calls[0]["name"] == "speaker":
                return [calls[0] | {"args": calls[0]["args"] | {"names": [INVENTED]}}, *calls[1:]]
        return calls
