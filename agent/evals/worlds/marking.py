"""Whether a reply to a world's question is right: the status, the reason where there is one, and the value."""

from typing import Any

from agent.evals.worlds.questions import Item
from agent.reply import Reply


def right(item: Item, reply: Reply) -> bool:
    """Say whether a reply ends as it must and has the right value; an abstention needs the right reason too."""
    if item.status != "answered":
        reason = reply.refusal.reason if reply.refusal is not None else None
        return reply.status in ("refused", "not_found") and (not item.reasons or reason in item.reasons)
    return reply.status == "answered" and equal(item.family, item.value, reply.value)


def equal(family: str, gold: Any, value: Any) -> bool:
    """Compare a value with the gold one as its family asks for."""
    match family:
        case "who":
            return _listed(gold) == _listed(value)
        case "which_events":
            return sorted(gold) == sorted(_listed(value))
        case "duration":
            return isinstance(value, int | float) and abs(gold - value) < 1e-6
        case "quote":
            return isinstance(value, str) and str(gold).casefold() in value.casefold()
        case "summary":
            return isinstance(value, str) and bool(value)
    return bool(gold == value) and type(gold) is type(value)


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]
