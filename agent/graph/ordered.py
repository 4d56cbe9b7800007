"""What was to be put in order and was not heard: then the order that was asked for is not known, only a part of it."""

from collections.abc import Iterable
from typing import Any

from agent.brains.rules.phrases import nothing
from agent.graph.state import Desk
from store.clock import clock
from tools.events.query import EventsQuery
from tools.plan import Plan
from tools.speaker.names import resolve
from tools.speaker.query import SpeakerQuery


def partly(plan: Plan, order: Any, desk: Desk) -> str:
    """Say what was not heard and in which order the others were; empty where the order is whole, or nothing was named.

    `order` is what SQL computed, names or labels by their first occurrence.
    """
    if plan.fuse.answer_schema != "order" or not order:
        return ""
    query = plan.call(plan.fuse.anchor).query
    match query:
        case EventsQuery(labels=[_, _, *_]):
            asked, missing = len(query.labels), [label for label in query.labels if label not in order]
            lacking: EventsQuery | SpeakerQuery = query.model_copy(update={"labels": missing})
        case SpeakerQuery(names=[_, _, *_]):
            asked, missing = len(query.names), [name for name in query.names if not set(_voices(name, desk)) & {*order}]
            lacking = query.model_copy(update={"names": missing})
        case _:
            return ""
    if not missing:
        return ""
    calls = [call if call.id != plan.fuse.anchor else call.model_copy(update={"query": lacking}) for call in plan.calls]
    none = nothing(plan.model_copy(update={"calls": calls}))
    whole = "both" if asked == 2 else f"all {asked}"
    return f"{none}, so the order of {whole} is not known; {_others(order, desk)}."


def _voices(name: str, desk: Desk) -> Iterable[str]:
    return (voice.display for entry in desk.catalog.recordings for voice in resolve(entry, name))


def _others(order: list[str], desk: Desk) -> str:
    at = {group.key: clock(group.value[0]) for group in desk.current[1].groups}
    told = [f"{name} ({at[name]})" if name in at else name for name in order]
    return f"only {told[0]} was" if len(told) == 1 else f"the others in this order: {', then '.join(told)}"
