"""Why a plan finds nothing, as counts that SQL gives: with all constraints, with each dropped, and the fewest to blame.

The smallest set of constraints that cannot hold together is the proof. A filter of a partner that must be absent is
part of that join, since dropping it alone would exclude more and not less.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from tools.call import Session
from tools.evidence import Evidence
from tools.plan import Call, Join, Plan

_FIELDS: Mapping[str, Mapping[str, Any]] = {
    "keywords": {"keywords": [], "match": "any"},
    "semantic": {"semantic": None},
    "speaker": {"speaker": None},
    "names": {"names": []},
    "labels": {"labels": []},
    "min_score": {"min_score": None},
    "min_talk": {"min_talk": None},
    "range": {"start": None, "end": None},
}
_EXHAUSTIVE = 7
_PAIRS = 2


@dataclass(frozen=True, slots=True)
class Constraint:
    """One thing a plan asks for that could be dropped; `name` is unique in its plan."""

    name: str
    call: str
    field: str
    value: Any


@dataclass(frozen=True, slots=True)
class Proof:
    """Rows found with all constraints ("all") and "without ..." each; `minimal` cannot hold together; `sql` counts."""

    counts: Mapping[str, int]
    minimal: tuple[str, ...]
    sql: Mapping[str, str]


def constraints(plan: Plan) -> list[Constraint]:
    """Give what can be dropped from a plan: filters of the anchor and of partners that must be there, and joins."""
    anchor = plan.call(plan.fuse.anchor)
    joins = [join for join in plan.fuse.joins if join.kind != "left"]
    partners = [plan.call(join.stream) for join in joins if join.kind == "inner"]
    calls = {call.id: call for call in [anchor, *partners]}.values()
    found = [(call, field) for call in calls for field in _FIELDS if _value(call, field)]
    often = [field for _, field in found]
    filters = [
        Constraint(field if often.count(field) == 1 else f"{call.id} {field}", call.id, field, _value(call, field))
        for call, field in found
    ]
    return filters + [Constraint(_joined(join), join.stream, "join", join.relation) for join in joins]


def without(plan: Plan, constraint: Constraint) -> Plan:
    """Give the plan with one constraint dropped."""
    if constraint.field == "join":
        joins = [join for join in plan.fuse.joins if _joined(join) != constraint.name]
        return plan.model_copy(update={"fuse": plan.fuse.model_copy(update={"joins": joins})})
    dropped = dict(_FIELDS[constraint.field])
    calls = [
        call.model_copy(update={"query": call.query.model_copy(update=dropped)}) if call.id == constraint.call else call
        for call in plan.calls
    ]
    return plan.model_copy(update={"calls": calls})


def prove(session: Session, plan: Plan) -> Proof:
    """Count a plan's anchors with all constraints and with each dropped, and find the fewest that leave none."""
    every = constraints(plan)
    counted = {"all": session.count(plan)}
    for constraint in every:
        counted[f"without {constraint.name}"] = session.count(without(plan, constraint))
    counts = {name: count for name, (count, _) in counted.items()}
    return Proof(counts, _minimal(session, plan, every, counts), {name: sql for name, (_, sql) in counted.items()})


def others(session: Session, plan: Plan) -> Evidence | None:
    """Find who else has what a plan's people have not: each speaker's first row; None when the plan names nobody."""
    people = [constraint for constraint in constraints(plan) if constraint.field in ("speaker", "names")]
    if not people:
        return None
    for constraint in people:
        plan = without(plan, constraint)
    fuse = plan.fuse.model_copy(update={"aggregate": "first_occurrence", "group": "speaker", "order": "time"})
    return session.run(plan.model_copy(update={"fuse": fuse}))


def _minimal(session: Session, plan: Plan, every: Sequence[Constraint], counts: Mapping[str, int]) -> tuple[str, ...]:
    if counts["all"]:
        return ()
    for size in range(1, len(every) if len(every) <= _EXHAUSTIVE else _PAIRS + 1):
        for kept in combinations(every, size):
            if not _left(session, plan, every, kept):
                return tuple(constraint.name for constraint in kept)
    return _irreducible(session, plan, every)


def _irreducible(session: Session, plan: Plan, every: Sequence[Constraint]) -> tuple[str, ...]:
    """Drop constraints one by one as long as nothing is found: none of the rest can be dropped, if not the fewest."""
    kept = list(every)
    for constraint in every:
        rest = [other for other in kept if other is not constraint]
        if not _left(session, plan, every, rest):
            kept = rest
    return tuple(constraint.name for constraint in kept)


def _left(session: Session, plan: Plan, every: Sequence[Constraint], kept: Sequence[Constraint]) -> int:
    for constraint in every:
        if constraint not in kept:
            plan = without(plan, constraint)
    return session.count(plan)[0]


def _value(call: Call, field: str) -> Any:
    query = call.query
    if field == "range":
        span = {"start": query.start, "end": query.end}
        return {name: at for name, at in span.items() if at is not None} or None
    value = getattr(query, field, None)
    return None if value == [] else value


def _joined(join: Join) -> str:
    return f"{'no ' if join.kind == 'without' else ''}{join.relation} {join.stream}"
