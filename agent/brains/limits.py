"""Limits that a question names by itself: a model's plan may not leave them out, nor limit it to anybody else.

Otherwise "when did Zoe say it?" would be answered with what somebody else said, and no refusal would ever come of it;
and a name that only stands in a title or a label would decide whose words count. The limits are read by the rules, so
only what they understand is held; a person counts when written as a name. What a plan of words leaves out can be put
in; any other plan that leaves something out is none.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from agent.brains.protocol import Planned, Question
from store.catalog import Catalog
from tools.families import SAID
from tools.speaker.names import folded, resolve

_SHORTEST = 3
_STRETCH = ("start", "end")

TIME = "the stretch of time"

Calls = Iterable[Mapping[str, Any]]


def left_out(read: Planned, calls: Calls) -> list[str]:
    """Give the limits that the question was read to have and that a plan's calls lack, as words for a note."""
    if not read.understood:
        return []
    planned = list(calls)
    given = _people(planned)
    missing = [name for name in _people(read.tool_calls) if name[:1].isupper() and not _among(name, given)]
    return missing + [TIME] * (_ranged(read.tool_calls) and not _ranged(planned))


def limited(read: Planned, calls: Calls) -> list[dict[str, Any]] | None:
    """Give a plan that only looks for words to answer from, with the limits that it left out put into its search.

    None where that cannot be said of one search: several people, other streams, a computed value. The rules' own plan
    would show other rows than were asked for.
    """
    planned = [dict(call) for call in calls]
    families = [call["args"].get("answer_schema") for call in (planned[-1], *read.tool_calls[-1:])]
    searches = [call for call in planned[:-1] if call["name"] == "transcript"]
    missing = [name for name in left_out(read, planned) if name != TIME]
    if any(family not in SAID for family in families) or len(searches) < len(planned) - 1 or len(missing) > 1:
        return None
    stretch = next((found for call in read.tool_calls if (found := _stretch(call))), {})
    for call in [call for call in searches if call["args"].get("keywords")] or searches:
        limits = {} if _stretch(call) else stretch
        limits |= {"speaker": missing[0]} if missing and not call["args"].get("speaker") else {}
        call["args"] = {**call["args"], **limits}
    return planned if not left_out(read, planned) else None


def brought_in(read: Planned, question: Question, calls: Calls, catalog: Catalog) -> list[str]:
    """Give the people that a plan is limited to although the question names nobody like them.

    Where the question was not understood, somebody who speaks may be meant by words that are no name.
    """
    asked = folded(" ".join([question.text, *question.options.values()])).split()
    known = _people(read.tool_calls)
    others = [name for name in _people(calls) if not _among(name, known) and not _spoken_of(name, asked)]
    if read.understood and not read.read_as:
        return others
    return [name for name in others if not any(resolve(entry, name) for entry in catalog.recordings)]


def _spoken_of(name: str, asked: list[str]) -> bool:
    """Say whether any word of a name, or the beginning of one, is a word of the question."""
    words = [word for word in folded(name).split() if len(word) >= _SHORTEST]
    return not words or any(a.startswith(b) or b.startswith(a) for a in words for b in asked if len(b) >= _SHORTEST)


def _people(calls: Calls) -> list[str]:
    named = [[call["args"].get("speaker"), *(call["args"].get("names") or [])] for call in calls]
    return list(dict.fromkeys(str(name) for names in named for name in names if name))


def _stretch(call: Mapping[str, Any]) -> dict[str, Any]:
    return {edge: call["args"][edge] for edge in _STRETCH if call["args"].get(edge) is not None}


def _ranged(calls: Calls) -> bool:
    """Say whether calls name a stretch of time, or slice all of it ("in which half")."""
    named = [call["args"] for call in calls]
    return any(args.get("group") == "time" or {args.get("start"), args.get("end")} != {None} for args in named)


def _among(name: str, given: Iterable[str]) -> bool:
    """Say whether somebody is meant by one of these names: the same words, or a part of a fuller name."""
    words = set(name.casefold().split())
    return any(words <= (others := set(other.casefold().split())) or others <= words for other in given)
