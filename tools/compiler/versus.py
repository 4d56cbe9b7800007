"""Two calls compared (`versus`): the same joins and the same aggregate for both, each a plan of its own."""

from collections.abc import Sequence
from typing import Any

from tools.evidence import Evidence, Group
from tools.plan import Plan


def sides(plan: Plan) -> tuple[Plan, ...]:
    """Give the plans of what is compared, the anchor's first; the plan alone where nothing is."""
    fuse = plan.fuse
    if fuse.versus is None:
        return (plan,)
    anchor = plan.call(fuse.anchor)
    joins = [
        join.model_copy(update={"to": None}) if join.to is not None and plan.call(join.to).id == anchor.id else join
        for join in fuse.joins
    ]
    calls = (anchor.id, plan.call(fuse.versus).id)
    return tuple(
        plan.model_copy(update={"fuse": fuse.model_copy(update={"anchor": call, "joins": joins, "versus": None})})
        for call in calls
    )


def compared(plan: Plan, found: Sequence[Evidence]) -> Evidence:
    """Give the evidence of both sides as one: its groups are their values (0 where nothing was found) by call."""
    first, second = found
    groups = (Group(side.fuse.anchor, _value(one)) for side, one in zip(sides(plan), found, strict=True))
    return Evidence(
        rows=first.rows + second.rows,
        total=first.total + second.total,
        groups=tuple(groups),
        sql=first.sql + second.sql,
        milliseconds=first.milliseconds + second.milliseconds,
        caveats=tuple(dict.fromkeys(first.caveats + second.caveats)),
        found={**first.found, **second.found},
        compared=len(first.rows),
        lengths=first.lengths,
    )


def _value(evidence: Evidence) -> Any:
    return evidence.groups[0].value if evidence.groups else 0
