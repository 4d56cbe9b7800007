"""widen: a search that found too little is tried again, one named step at a time, from near to far.

Questions whose answer is a number or a yes keep to other forms of the same word and other accents; who limits a
question to a speaker is never given what only resembles it while others said the very thing.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from agent.brains.rules.brain import CANDIDATES
from agent.brains.rules.forms import inflections, synonyms
from agent.brains.rules.language import language
from agent.brains.rules.topics import content_words
from agent.graph.alike import accented, counts, sounding
from agent.graph.settle import elsewhere, settled
from agent.graph.state import Desk, State
from agent.graph.topic import opened
from agent.graph.validate import named
from tools.events.labels import resolve, wider
from tools.events.query import EventsQuery
from tools.families import SAID, WORDED
from tools.plan import Plan
from tools.transcript.query import TranscriptQuery

STRICT = ("count", "yes_no", "duration", "share")
OF_ONE = ("inflections", "accents", "labels", "tolerance", "passages")  # what resembles it least, or is one's own
MOST_FORMS = 24
PASSED = 8
DENYING = ("no", "nor", "not")  # never left out of what somebody is asked to have said

_Step = Callable[[list[dict[str, Any]], Plan, Desk], str | None]


def widen(state: State, desk: Desk) -> dict[str, Any]:
    """Take the next step of the ladder; when there is none, settle what an empty search means."""
    plan = desk.asked or desk.current[0]
    taken = list(state.get("widened", []))
    by_others: bool | None = None
    for name, step in _ladder(plan):
        if name in taken or (name != "passages" and _left(desk) < 2 * len(plan.calls) + 4) or _left(desk) < 3:
            continue
        if name not in OF_ONE and by_others is None:
            by_others = bool(named(plan)) and bool(elsewhere(plan, desk))
        if name not in OF_ONE and by_others:
            continue
        taken.append(name)
        calls = plan.tool_calls()
        changed = step(calls, plan, desk)
        if changed:
            caveats = [*[c for c in state.get("caveats", []) if not c.startswith("widened")], f"widened: {changed}"]
            return {"route": "validate", "tool_calls": calls, "widened": taken, "caveats": caveats, "said": changed}
    caveats = [caveat for caveat in state.get("caveats", []) if not caveat.startswith("widened")]
    return {"widened": taken, "caveats": caveats} | settled(state, desk)


def _left(desk: Desk) -> int:
    """Give the tool calls that are left: a ladder that spends them all would fail where it could say what is known."""
    return desk.meter.budget.tool_calls - desk.meter.tool_calls


def _ladder(plan: Plan) -> list[tuple[str, _Step]]:
    family = plan.fuse.answer_schema
    steps: list[tuple[str, _Step]] = [("inflections", _inflected), ("accents", _unaccented)]
    if family not in STRICT:
        steps += [
            ("words", _worded),
            ("labels", _wider),
            ("tolerance", _tolerant),
            ("synonyms", _synonymous),
            ("sounds", _sounding),
        ]
    if family in WORDED:
        steps.append(("most words", _most))
    if family in SAID:
        steps.append(("passages", _passed))
    return [*steps, ("meaning", _meant)] if family == "options" else steps


def _inflected(calls: list[dict[str, Any]], plan: Plan, desk: Desk) -> str | None:
    stop = language().stop
    forms = {word: tuple(f for f in inflections(word) if f not in stop) for word in _keywords(plan)}
    return _replaced(calls, plan, desk, forms, "other forms")


def _synonymous(calls: list[dict[str, Any]], plan: Plan, desk: Desk) -> str | None:
    forms = {word: synonyms(word, language()) for word in _keywords(plan)}
    return _replaced(calls, plan, desk, forms, "words that mean the same")


def _worded(calls: list[dict[str, Any]], plan: Plan, desk: Desk) -> str | None:
    """Let the words of a phrase that the question does not put in quotes stand in any order in one row."""
    changed = False
    for call, raw in zip(plan.calls, calls, strict=False):
        if not isinstance(call.query, TranscriptQuery) or call.query.match != "phrase":
            continue
        (phrase, *more) = call.query.keywords
        words = _bearing(phrase)
        if not more and len(words) > 1 and not re.search(rf"[\"“«„‘']{re.escape(phrase)}", desk.question.text):
            raw["args"] |= {"keywords": words, "match": "all"}
            changed = True
    return "its words in any order" if changed else None


def _bearing(phrase: str) -> list[str]:
    """Give the words of a phrase that must all be said where it is said otherwise, with those that deny."""
    return [*content_words(phrase, language()), *(word for word in phrase.casefold().split() if word in DENYING)]


def _unaccented(calls: list[dict[str, Any]], plan: Plan, desk: Desk) -> str | None:
    desk.meter.call()
    return _replaced(calls, plan, desk, accented(_keywords(plan), desk), "other accents")


def _sounding(calls: list[dict[str, Any]], plan: Plan, desk: Desk) -> str | None:
    desk.meter.call()
    return _replaced(calls, plan, desk, sounding(_keywords(plan), desk), "sounds like")


def _keywords(plan: Plan) -> list[str]:
    queries = [call.query for call in plan.calls if isinstance(call.query, TranscriptQuery)]
    return list(dict.fromkeys(word for query in queries for word in query.keywords))


def _replaced(
    calls: list[dict[str, Any]], plan: Plan, desk: Desk, forms: Mapping[str, Sequence[str]], what: str
) -> str | None:
    """Replace keywords by other words that the transcript holds: all of them for `any`, else the best one."""
    changed: list[str] = []
    for call, raw in zip(plan.calls, calls, strict=False):
        query = call.query
        if not isinstance(query, TranscriptQuery) or not query.keywords:
            continue
        if query.match == "phrase" and what == "other forms":
            continue
        turns = zip_longest(*(forms.get(word, ()) for word in query.keywords))
        others = [form for turn in turns for form in turn if form is not None]
        known = _counted(others[:MOST_FORMS], desk)
        own = _counted(query.keywords, desk) if query.match != "any" else {}
        words: list[str] = []
        for word in query.keywords:
            present = sorted((f for f in forms.get(word, ()) if f in known), key=lambda f: (-known[f], f))
            use = [word] if own.get(word) else present[:1] if query.match != "any" else [word, *present]
            words += use or [word]
            if use and use != [word]:
                changed.append(f"{word} → {', '.join(form for form in use if form != word)}")
        raw["args"]["keywords"] = list(dict.fromkeys(words))[:MOST_FORMS]
    return f"{what} ({'; '.join(changed)})" if changed else None


def _counted(words: list[str], desk: Desk) -> dict[str, int]:
    if not words:
        return {}
    desk.meter.call()
    return counts(words, desk)


def _wider(calls: list[dict[str, Any]], plan: Plan, desk: Desk) -> str | None:
    """Ask for sounds of the same family, where some of them were heard."""
    heard = {label for entry in desk.catalog.recordings for label in entry.events}
    changed: list[str] = []
    for call, raw in zip(plan.calls, calls, strict=False):
        if isinstance(call.query, EventsQuery) and call.query.labels:
            near = sorted(heard & wider(found for label in call.query.labels for found in resolve(label)))
            if near:
                raw["args"]["labels"] = [*call.query.labels, *near][:MOST_FORMS]
                changed.append(f"{', '.join(call.query.labels)} → {', '.join(near)}")
    return f"sounds of the same family ({'; '.join(changed)})" if changed else None


def _tolerant(calls: list[dict[str, Any]], plan: Plan, desk: Desk) -> str | None:
    """Let a partner lie a little beside the anchor; people who speak close to each other do not speak together."""
    for join in calls[-1]["args"].get("joins", []):
        if join.get("voice") == "other":
            continue
        if join.get("relation", "overlaps") == "overlaps":
            join |= {"relation": "nearest", "tolerance": 2.5}
            return "within 2.5 s beside"
        if join["relation"] == "right_after" and not join.get("tolerance"):
            join["tolerance"] = 10.0
            return "within 10 s after"
    return None


def _most(calls: list[dict[str, Any]], plan: Plan, desk: Desk) -> str | None:
    """Let some of three or more words be missing: the best rows are weighed by the brain."""
    query = plan.call(plan.fuse.anchor).query
    if not isinstance(query, TranscriptQuery) or query.match != "all" or len(query.keywords) < 3:
        return None
    anchor = next(raw for call, raw in zip(plan.calls, calls, strict=False) if call.query is query)
    del anchor["args"]["match"]
    calls[-1]["args"] |= {"order": "rank", "limit": CANDIDATES}
    return "rows with most of the words"


def _passed(calls: list[dict[str, Any]], plan: Plan, desk: Desk) -> str | None:
    """Let several words be said over a passage, where no row holds them together; a meaning alone is not enough.

    What was said "when discussing" something else is said over one passage with it. Of a person who is named each word
    of a phrase counts, and the meaning of what they say.
    """
    query, several = plan.call(plan.fuse.anchor).query, bool(plan.fuse.joins)
    if any(not isinstance(call.query, TranscriptQuery) or call.query.match == "phrase" for call in plan.calls):
        return None
    one = bool(named(plan))
    if not isinstance(query, TranscriptQuery) or query.passages or not (several or one or query.match == "all"):
        return None
    anchor = next(raw for call, raw in zip(plan.calls, calls, strict=False) if call.query is query)
    asked = {**anchor, "args": {k: v for k, v in anchor["args"].items() if k != "match"}}
    words = [word for keyword in _keywords(plan) for word in (keyword.split() if one else [keyword])]
    if one and len(words) == 1 and elsewhere(plan, desk):
        return None
    asked["args"]["keywords"] = words[:MOST_FORMS]
    fuse = {**calls[-1], "args": {k: v for k, v in calls[-1]["args"].items() if k != "joins"}}
    fuse["args"].setdefault("limit", PASSED)
    semantic, freely = one and desk.semantic, not desk.by_rules
    calls[:] = opened([asked, fuse], desk.question.text, desk.catalog, semantic=semantic, freely=freely)
    return "passages with some of the words"


def _meant(calls: list[dict[str, Any]], plan: Plan, desk: Desk) -> str | None:
    """Search by meaning, where that is possible: safe for options, of which one must be in the words found."""
    query = plan.call(plan.fuse.anchor).query
    if not desk.semantic or not isinstance(query, TranscriptQuery) or query.semantic or not query.keywords:
        return None
    anchor = next(raw for call, raw in zip(plan.calls, calls, strict=False) if call.query is query)
    anchor["args"]["semantic"] = desk.question.text
    calls[-1]["args"]["order"] = "rank"
    return "by meaning"
