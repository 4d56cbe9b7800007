"""One tool call of a plan, as short as it can be said."""

from typing import Any

from tools.transcript.query import LONGEST

_DEFAULTS = (("aggregate", "none"), ("order", "time"), ("group", ""))


def call(name: str, call_id: str, args: dict[str, Any]) -> dict[str, Any]:
    """Give one tool call, without the arguments that are defaults anyway."""
    kept = {key: value for key, value in args.items() if (key, value) not in _DEFAULTS}
    if "keywords" in kept:
        kept["keywords"] = [_short(word) for word in kept["keywords"]]
    return {"name": name, "args": kept, "id": call_id, "type": "tool_call"}


def _short(keyword: str) -> str:
    """Cut what is too long to be searched for, between words where there are some."""
    if len(keyword) <= LONGEST:
        return keyword
    return keyword[: LONGEST + 1].rpartition(" ")[0].strip() or keyword[:LONGEST]
