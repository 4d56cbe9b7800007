"""Who never said a word said none of its forms: before an absence is claimed, its words are looked for in all of them.

A search that finds too little is widened; one that answers by what is not there must be, however much it found.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agent.brains.rules.forms import inflections
from agent.brains.rules.language import language
from agent.graph.alike import accented, counts
from agent.graph.state import Desk
from tools.plan import Plan, every_branch
from tools.transcript.query import TranscriptQuery

MOST_WORDS = 24


def in_all_forms(plan: Plan, desk: Desk) -> tuple[list[dict[str, Any]], str] | None:
    """Give the calls with every form that the transcript holds of words that must be absent, and what was added.

    None where there are no such words, or no other forms of them. A phrase and words that only count together stay.
    """
    denied = [query for query in _denied(plan) if query.match == "any" or len(query.keywords) == 1]
    forms = _forms(list(dict.fromkeys(word for query in denied for word in query.keywords)), desk)
    told: list[str] = []
    calls = plan.tool_calls()
    for call, raw in zip(plan.calls, calls, strict=False):
        if not isinstance(call.query, TranscriptQuery) or not any(call.query is query for query in denied):
            continue
        for word in call.query.keywords:
            words = raw["args"]["keywords"]
            others = [form for form in forms.get(word, ()) if form not in words][: MOST_WORDS - len(words)]
            if others:
                raw["args"] |= {"keywords": [*words, *others], "match": "any"}
                told.append(f"{word} → {', '.join(others)}")
    return (calls, f"other forms ({'; '.join(dict.fromkeys(told))})") if told else None


def _denied(plan: Plan) -> Iterator[TranscriptQuery]:
    """Give what must not be found: what rows are without, and what is counted up to a most."""
    calls = [branch.call for branch in every_branch(plan.tree()) if branch.join.kind == "without"]
    if plan.fuse.max_value is not None:
        calls.append(plan.call(plan.fuse.anchor))
    yield from (call.query for call in calls if isinstance(call.query, TranscriptQuery) and call.query.keywords)


def _forms(words: Sequence[str], desk: Desk) -> Mapping[str, Sequence[str]]:
    """Give the other forms of each word that the transcripts hold: its inflections, and its other accents."""
    if not words:
        return {}
    desk.meter.call(2)
    likely = {word: [form for form in inflections(word) if form not in language().stop] for word in words}
    there = counts([form for forms in likely.values() for form in forms], desk)
    other = accented(words, desk)
    return {word: [*(form for form in likely[word] if form in there), *other.get(word, ())] for word in words}
