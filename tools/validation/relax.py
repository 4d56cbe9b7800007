"""Why a plan finds nothing, as counts that SQL gives: with all constraints, with each dropped, and the fewest to blame.

The smallest set of constraints that cannot hold together is the proof, so dropping one must never leave fewer rows. A
filter of a partner that must be absent is part of that join; a partner goes with those joined to it; the nth row is
counted among what its call's filters find, so it goes with any of them, and a bound on values goes with what could
make them fall. Labels of regions stay, since whoever names none means sounds alone.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from tools.call import Session
from tools.compiler.labels import regional
from tools.events.query import EventsQuery
from tools.evidence import Evidence
from tools.plan import Branch, Call, Join, Plan, every_branch

_FIELDS: Mapping[str, Mapping[str, Any]] = {
    "keywords": {"keywords": [], "match": "any"},
    "semantic": {"semantic": None},
    "speaker": {"speaker": None},
    "names": {"names": []},
    "labels": {"labels": []},
    "min_score": {"min_score": None},
    "min_talk": {"min_talk": None},
    "range": {"start": None, "end": None},
    "nth": {"nth": None},
}
_BOUNDS = ("min_value", "max_value")
# What more rows can only raise, unless the words or labels that are counted change with them.
_GROWING = ("count", "count_distinct", "total_duration")
_COUNTED = ("keywords", "semantic", "labels")
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
    """Give what can be dropped: filters of what is asked for and of partners that must be there, joins, bounds."""
    required = list(_required(plan.tree()))
    partners = [branch.call for branch in required if branch.join.kind == "inner"]
    asked = [plan.fuse.anchor, *([] if plan.fuse.versus is None else [plan.fuse.versus])]
    calls = {call.id: call for call in [*map(plan.call, asked), *partners]}.values()
    found = [(call, field) for call in calls for field in _FIELDS if _value(call, field)]
    often = [field for _, field in found]
    filters = [
        Constraint(field if often.count(field) == 1 else f"{call.id} {field}", call.id, field, _value(call, field))
        for call, field in found
    ]
    joins = {_joined(branch.join): branch.join for branch in required}
    bounds = [name for name in _BOUNDS if getattr(plan.fuse, name) is not None and _grouped(plan)]
    return [
        *filters,
        *(Constraint(name, join.stream, "join", join.relation) for name, join in joins.items()),
        *(Constraint(name, plan.fuse.anchor, name, getattr(plan.fuse, name)) for name in bounds),
    ]


def without(plan: Plan, constraint: Constraint) -> Plan:
    """Give the plan with one constraint dropped, and with it what cannot stand without it."""
    fuse = plan.fuse.model_copy(update=dict.fromkeys(_with_it(plan, constraint)))
    if constraint.field == "join":
        gone = [branch for branch in every_branch(plan.tree()) if _joined(branch.join) == constraint.name]
        joins = {id(one.join) for branch in gone for one in every_branch([branch])}
        left = [join for join in fuse.joins if id(join) not in joins]
        return plan.model_copy(update={"fuse": fuse.model_copy(update={"joins": left})})
    if constraint.field in _BOUNDS:
        return plan.model_copy(update={"fuse": fuse})
    dropped = {"nth": None, **_FIELDS[constraint.field]}
    calls = [
        call.model_copy(update={"query": call.query.model_copy(update=dropped)}) if call.id == constraint.call else call
        for call in plan.calls
    ]
    return plan.model_copy(update={"calls": calls, "fuse": fuse})


def _required(branches: Iterable[Branch]) -> Iterator[Branch]:
    """Give the joins that decide whether a row counts, without those below a partner that must be absent."""
    for branch in branches:
        if branch.join.kind != "left":
            yield branch
        if branch.join.kind == "inner":
            yield from _required(branch.branches)


def _with_it(plan: Plan, constraint: Constraint) -> list[str]:
    """Give the bounds that go with a constraint, because without it values could fall out of them."""
    if constraint.field in _BOUNDS:
        return [constraint.field]
    grows = plan.fuse.aggregate in _GROWING and constraint.field not in _COUNTED
    return ["max_value", *([] if grows else ["min_value"])]


def _grouped(plan: Plan) -> bool:
    """Say whether bounds keep groups, and with them rows."""
    mostly = plan.fuse.aggregate == "majority"
    return mostly or (plan.fuse.group is not None and plan.fuse.aggregate != "none")


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
    firsts = {"aggregate": "first_occurrence", "group": "speaker", "order": "time"}
    fuse = plan.fuse.model_copy(update=firsts | dict.fromkeys((*_BOUNDS, "versus")))
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
    if field == "labels" and isinstance(query, EventsQuery) and regional(query.labels):
        return None
    return None if value == [] else value


def _joined(join: Join) -> str:
    to = "" if join.to is None else f" of {join.to}"
    return f"{'no ' if join.kind == 'without' else ''}{join.relation} {join.stream}{to}"
