"""The scores of a run: as figures of its report, as a table, and with every reply to read."""

from collections.abc import Sequence
from typing import Any

from agent.evals.models.asking import Outcome
from agent.evals.models.marking import Mark

FOUND = ("open", "refusal")


def scores(marks: Sequence[Mark], outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Give the figures of a run: shares, and counts where a share would hide how few there were."""
    plans = [mark.plan for mark in marks if mark.plan is not None]
    usage = [outcome.reply.usage for outcome in outcomes]
    calls, spent = sum(u.model_calls for u in usage), sum(u.input_tokens + u.output_tokens for u in usage)
    groups = {
        "computed": [m for m in marks if m.family not in FOUND],
        "open": [m for m in marks if m.family == "open"],
        "refusals": [m for m in marks if m.family == "refusal"],
    }
    return {
        "questions": len(marks),
        "plan_accuracy": _share(plans),
        "answer_accuracy": _share([m.right for m in marks if m.family != "refusal"]),
        **{f"{name}_right": _share([m.right for m in group]) for name, group in groups.items()},
        "planned_by_rules": sum(m.by_rules for m in marks),
        "sentences": sum(m.written for m in marks),
        "sentences_left_out": sum(m.left_out for m in marks),
        "sentences_noted": sum(m.noted for m in marks),
        "sentences_uncited": sum(m.uncited for m in marks),
        "failed": sum(outcome.reply.status == "failed" for outcome in outcomes),
        "calls": calls,
        "tokens_in": sum(u.input_tokens for u in usage),
        "tokens_out": sum(u.output_tokens for u in usage),
        "tokens_a_call": round(spent / max(1, calls)),
        "tokens_a_question": round(spent / max(1, len(marks))),
        "calls_a_question": round(calls / max(1, len(marks)), 2),
    }


def table(marks: Sequence[Mark], outcomes: Sequence[Outcome], model: str) -> str:
    """Give the scores by family, and what needs a person's eye."""
    found = scores(marks, outcomes)
    heading = f"  {'family':14}{'asked':>6}{'plan':>6}{'right':>6}{'calls':>7}{'tokens':>8}"
    lines = [f"{model}: {found['questions']} questions", heading]
    spent = {outcome.item.id: outcome.reply.usage for outcome in outcomes}
    for family in sorted({mark.family for mark in marks}, key=lambda name: (name in FOUND, name)):
        own = [mark for mark in marks if mark.family == family]
        plans = [mark.plan for mark in own if mark.plan is not None]
        usage = [spent[mark.id] for mark in own]
        calls = sum(u.model_calls for u in usage) / len(own)
        each = sum(u.input_tokens + u.output_tokens for u in usage) // len(own)
        right = sum(mark.right for mark in own)
        lines.append(f"  {family:14}{len(own):6}{sum(plans) if plans else '-':>6}{right:6}{calls:7.1f}{each:8,}")
    lines += [f"  {name.replace('_', ' '):20}{_written(value):>10}" for name, value in found.items()]
    eye = [mark.id for mark in marks if mark.eye]
    lines.append(f"  for a person's eye: {len(eye)} answers in a model's words (replies.md)")
    return "\n".join([*lines, *(f"  wrong {mark.id}: {mark.why}" for mark in marks if mark.why)])


def replies(outcomes: Sequence[Outcome], marks: Sequence[Mark]) -> str:
    """Give all replies to read: the question, the answer with its citations, and what was made of it."""
    return "\n".join(_reply(outcome, mark) for outcome, mark in zip(outcomes, marks, strict=True))


def _reply(outcome: Outcome, mark: Mark) -> str:
    reply = outcome.reply
    cited = [f"  [{c.n}] {c.start:.1f} {c.speaker or ''}: {c.quote or ''}" for c in reply.citations]
    told = [*cited, *(f"  caveat: {caveat}" for caveat in reply.caveats)]
    verdict = f"right{', but ' + mark.why if mark.why else ''}" if mark.right else f"wrong: {mark.why}"
    return "\n".join([f"## {mark.id}: {outcome.item.question}", f"{verdict} ({reply.status})", reply.answer, *told, ""])


def _share(right: Sequence[bool]) -> float | None:
    return round(sum(right) / len(right), 3) if right else None


def _written(value: Any) -> str:
    return "-" if value is None else f"{value:,}"
