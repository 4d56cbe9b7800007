"""Two plans are the same when their canonical forms are equal, or when they bring the same value and rows everywhere.

The canonical form fills defaults, sorts calls, resolves names to voices and labels to what is stored, and makes times
absolute, so that ids, order and spelling do not matter.
"""

from collections.abc import Callable, Mapping
from typing import Any

from store.catalog import Catalog
from store.errors import ToolError
from tools.call import Session
from tools.canonical import to_json
from tools.compiler.labels import stored
from tools.families import value
from tools.plan import Join, Plan
from tools.speaker.names import resolve
from tools.stream import StreamQuery

MOST = 2000
Outcome = tuple[str, frozenset[tuple[str, int]]]


def canonical(plan: Plan, catalog: Catalog) -> str:
    """Write a plan so that equal meanings are equal texts."""
    calls = {call.id: to_json(_call(call.query, catalog)) for call in plan.calls}
    fuse = plan.fuse.model_dump(exclude={"joins", "anchor", "versus", "fields", "order", "every"})
    fuse["anchor"] = calls[plan.call(plan.fuse.anchor).id]
    fuse["versus"] = None if plan.fuse.versus is None else calls[plan.call(plan.fuse.versus).id]
    fuse["joins"] = sorted(to_json(_join(join, plan, calls)) for join in plan.fuse.joins)
    fuse["order"] = plan.fuse.order if plan.fuse.limit or plan.fuse.aggregate == "first_occurrence" else None
    fuse["every"] = plan.fuse.every if plan.fuse.group == "time" else None
    return to_json(fuse)


def outcome(session: Session, plan: Plan) -> Outcome | None:
    """Run a plan and give its value and the rows it stands on; None when it cannot be run."""
    try:
        evidence = session.run(plan, MOST)
    except ToolError:
        return None
    found = _plainly(plan, value(plan, evidence), session.catalog)
    return found, frozenset((row.stream, row.id) for row in evidence.rows)


def same(plan: Plan, gold: Plan, session: Session) -> bool:
    """Say whether a plan is the gold one, or brings the same on this session's recordings."""
    if canonical(plan, session.catalog) == canonical(gold, session.catalog):
        return True
    if plan.fuse.answer_schema != gold.fuse.answer_schema:
        return False
    found = outcome(session, plan)
    return found is not None and found == outcome(session, gold)


def _call(query: StreamQuery, catalog: Catalog) -> dict[str, Any]:
    made: dict[str, Any] = {"stream": query.stream} | query.model_dump()
    if made.get("labels"):
        made["labels"] = sorted({name for _, names in stored(query.stream, made["labels"], catalog) for name in names})
    if made.get("keywords"):
        words = [word.casefold() for word in made["keywords"]]
        made["keywords"] = words if made["match"] == "phrase" else sorted(set(words))
        made["match"] = "any" if len(words) == 1 else made["match"]
    names = [*(made.pop("names", None) or []), *filter(None, [made.pop("speaker", None)])]
    made["voices"] = sorted({_voices(name, catalog) for name in names})
    only = catalog.recordings[0].recording.duration_ms / 1000 if len(catalog.recordings) == 1 else None
    for edge in ("start", "end"):
        if made[edge] is not None and made[edge] < 0 and only is not None:
            made[edge] = max(0.0, only + made[edge])
    made["start"] = made["start"] or None
    return made


def _voices(name: str, catalog: Catalog) -> str:
    return to_json(sorted(voice.id for entry in catalog.recordings for voice in resolve(entry, name))) or name


def _join(join: Join, plan: Plan, calls: Mapping[str, str]) -> dict[str, Any]:
    to = plan.fuse.anchor if join.to is None else join.to
    return join.model_dump(exclude={"stream", "to"}) | {
        "partner": calls[plan.call(join.stream).id],
        "to": calls[plan.call(to).id],
    }


def _plainly(plan: Plan, found: Any, catalog: Catalog) -> str:
    """Write a value so that equal ones are equal: people, recordings and sounds without order, calls by meaning."""
    family = plan.fuse.answer_schema
    if family in _UNORDERED:
        found = _UNORDERED[str(family)](found)
    if family == "text" and plan.fuse.versus is not None and isinstance(found, str):
        found = to_json(_call(plan.call(found).query, catalog))
    return to_json(found)


def _listed(found: Any) -> list[Any]:
    return sorted(found if isinstance(found, list) else [found], key=str)


_UNORDERED: Mapping[str, Callable[[Any], Any]] = {"who": _listed, "recordings": _listed, "which_events": _listed}
