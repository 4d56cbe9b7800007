"""Limits that a question names by itself: a model's plan may add to them but never leave them out.

Otherwise "when did Zoe say it?" would be answered with what somebody else said, and no refusal would ever come of it.
The limits are read by the rules, so only what they understand is held; a person counts when written as a name.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from agent.brains.protocol import Planned

Calls = Iterable[Mapping[str, Any]]


def left_out(read: Planned, calls: Calls) -> list[str]:
    """Give the limits that the question was read to have and that a plan's calls lack, as words for a note."""
    if not read.understood:
        return []
    planned = list(calls)
    given = _people(planned)
    missing = [name for name in _people(read.tool_calls) if name[:1].isupper() and not _among(name, given)]
    return missing + ["the stretch of time"] * (_ranged(read.tool_calls) and not _ranged(planned))


def _people(calls: Calls) -> list[str]:
    named = [[call["args"].get("speaker"), *(call["args"].get("names") or [])] for call in calls]
    return list(dict.fromkeys(str(name) for names in named for name in names if name))


def _ranged(calls: Calls) -> bool:
    return any(call["args"].get(end) is not None for call in calls for end in ("start", "end"))


def _among(name: str, given: Iterable[str]) -> bool:
    """Say whether somebody is meant by one of these names: the same words, or a part of a fuller name."""
    words = set(name.casefold().split())
    return any(words <= (others := set(other.casefold().split())) or others <= words for other in given)
