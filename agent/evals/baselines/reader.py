"""The reader of every baseline: the rules brain's plan run once over the rows it is given, and its answer.

It is the best a deterministic reader can do with those rows: counts, durations and orders are computed exactly from
them, times of lines are read without error, and an option is chosen by the agent's own rule. Nothing is tried again.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.brains.fence import tokens
from agent.brains.protocol import Brain, Planned, Question
from agent.brains.rules.brain import RulesBrain
from agent.brains.rules.choice import split_options
from agent.evals.baselines.lines import Line, written
from agent.evals.baselines.part import part
from agent.graph.sufficiency import empty
from agent.graph.verify import citation
from agent.library import Library
from agent.reply import Citation, Refusal, Reply, Usage
from store.catalog import Catalog, catalog
from store.errors import ToolError
from store.recordings import find
from tools.call import Session
from tools.evidence import Evidence
from tools.families import WORDED, value
from tools.plan import Plan, parse_plan

Calls = list[dict[str, Any]]
Bring = Callable[[Question, Catalog], Sequence[Line]]

NOTHING = "What was brought holds no answer."
# Where finding nothing is an answer of its own.
COUNTED = ("count", "yes_no")
_WHO = ("speaker", "names")


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of one recording, with what the brain took it for; `began` is on the monotonic clock."""

    library: Library
    scope: Catalog
    question: Question
    planned: Planned
    brain: Brain
    name: str
    began: float = field(default_factory=time.monotonic)

    def abstained(self, *, read: int = 0) -> Reply:
        """Give the reply that says that there is no answer; a question about no recording is refused as such."""
        usage = self._usage(read)
        if self.planned.out_of_scope:
            refusal = Refusal(reason="out_of_scope")
            return Reply(status="refused", answer=NOTHING, refusal=refusal, brain=self.name, usage=usage)
        return Reply(status="not_found", answer=NOTHING, brain=self.name, usage=usage)

    def answered(self, plan: Plan, evidence: Evidence, *, read: int = 0) -> Reply:
        """Answer from rows as the brain does, or abstain where it finds no answer in them."""
        family, computed = plan.fuse.answer_schema, value(plan, evidence)
        if empty(plan, evidence) and family not in COUNTED:
            return self.abstained(read=read)
        if evidence.total and self.brain.judge(self.question, plan, evidence).verdict != "enough":
            return self.abstained(read=read)
        answered = self.brain.answer(self.question, plan, evidence, computed)
        options = bool(self.question.options)
        if not answered.found or (options and answered.value is None):
            return self.abstained(read=read)
        rows = [evidence.rows[place] for place in answered.cited if 0 <= place < len(evidence.rows)]
        own = self.scope.recordings[0].recording.public_id
        return Reply(
            status="answered",
            answer=answered.text,
            value=answered.value if options or family in WORDED else computed,
            answer_kind=answered.kind,
            brain=self.name,
            citations=[Citation(**(citation(n, row) | {"recording": own})) for n, row in enumerate(rows, 1)],
            plan=plan.tool_calls(),
            usage=self._usage(read),
        )

    def _usage(self, read: int) -> Usage:
        seconds = round(time.monotonic() - self.began, 3)
        return Usage(input_tokens=read, estimated_tokens=read, seconds=seconds)


def asked(library: Library, recording_id: str, question: str, name: str, brain: Brain | None = None) -> Asked:
    """Take a question for a plan, knowing the whole recording's people and sounds as the agent does."""
    with library.database.reader() as connection:
        scope = catalog(connection, [find(connection, recording_id)])
    text, options = split_options(question)
    thinks = brain or RulesBrain()
    wanted = Question(text, options)
    return Asked(library, scope, wanted, thinks.plan(wanted, scope, None), thinks, name)


def read(one: Asked, lines: Sequence[Line], *, speakers: bool) -> Reply:
    """Answer from lines alone; without speakers nobody can be told apart, so that who speaks limits nothing."""
    size = tokens(written(lines))
    calls = one.planned.tool_calls
    if one.planned.out_of_scope or not calls:
        return one.abstained(read=size)
    with part(lines, one.scope, speakers=speakers) as session:
        seen = {kind for entry in session.catalog.recordings for kind in entry.streams}
        plan = parse_plan(calls if speakers else [_anyones(call) for call in calls])
        if not {call.query.stream for call in plan.calls} <= seen:
            return one.abstained(read=size)
        return run(one, session, plan, read=size)


def run(one: Asked, session: Session, plan: Plan, *, read: int | None = None) -> Reply:
    """Run a plan once and answer from its rows; what cannot be run ends there. `read`: tokens, else of the rows."""
    try:
        evidence = session.run(plan)
    except ToolError:
        return one.abstained(read=read or 0)
    size = tokens("\n".join(row.said or row.label or "" for row in evidence.rows)) if read is None else read
    return one.answered(plan, evidence, read=size)


def _anyones(call: Mapping[str, Any]) -> dict[str, Any]:
    return {**call, "args": {key: found for key, found in call["args"].items() if key not in _WHO}}
