"""What a refusal claims, as a plan whose count is 0: a question of options asks for any of its words, which some rows
may hold, so what is claimed is that no row holds all of them, or those and the option that others support."""

from agent.graph.settle import elsewhere, without_speaker
from agent.graph.state import Desk
from tools.citations import quoted_in
from tools.plan import Plan
from tools.transcript.query import TranscriptQuery


def claimed(plan: Plan, desk: Desk) -> Plan:
    """Give the plan whose count of 0 proves a refusal; the plan itself where it asks for no option."""
    if plan.fuse.answer_schema != "options" or without_speaker(plan) is None:
        return plan
    texts = [row.text or "" for row in elsewhere(plan, desk)]
    decided = [option for option in desk.question.options.values() if any(quoted_in(option, text) for text in texts)]
    claims = [_all_of(plan, option) for option in (*decided, None)]
    empty = [claim for claim in claims if not desk.run(claim).total]
    shown = [claim for claim in empty if (other := without_speaker(claim)) is not None and desk.run(other).total]
    return next(iter([*shown, *empty]), plan)


def _all_of(plan: Plan, option: str | None) -> Plan:
    """Ask for rows that hold all the words, and an option's own."""
    anchor = plan.call(plan.fuse.anchor)
    query = anchor.query
    if not isinstance(query, TranscriptQuery):
        return plan
    words = [*query.keywords, *([option] if option else [])]
    fields = {"keywords": words, "match": "all" if len(words) > 1 else "any", "semantic": None}
    calls = [c.model_copy(update={"query": query.model_copy(update=fields)}) if c is anchor else c for c in plan.calls]
    return plan.model_copy(update={"calls": calls, "fuse": plan.fuse.model_copy(update={"answer_schema": "quote"})})
