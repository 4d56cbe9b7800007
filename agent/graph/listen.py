"""listen: before words are denied, the likeliest seconds of the audio at hand are heard once more for them.

What is heard then counts as found in its segment, and says so; what is not is denied with how much was listened to.
"""

from dataclasses import replace
from typing import Any

from agent.graph.state import Desk, State
from store.clock import clock
from tools.plan import Plan
from tools.transcript.query import TranscriptQuery

LINES = 3
"""How many recordings are named whose audio is gone."""
POOR = 0.5
"""Below what score a row is called poorly heard."""
PACE = 2.0
"""Seconds of audio that a slow machine hears again in a second: what is left of a question's time bounds both."""


def listen(state: State, desk: Desk) -> dict[str, Any]:
    """Listen again for the words of the plan; with something heard it runs anew, else the denial stands."""
    plan = desk.asked or desk.current[0]
    query = denied(plan, desk)
    assert query is not None
    assert desk.second is not None
    desk.meter.call()
    affordable = min(desk.second.seconds, PACE * desk.meter.left)
    desk.again = desk.session.listen_again(query, replace(desk.second, seconds=affordable))
    if not desk.again.hits:
        return {"route": "widen", "said": _said(desk)}
    desk.ran.clear()
    desk.plan = plan
    desk.evidence = desk.session.run(plan)
    where = [f"“{each.term}” at {clock(each.at)}" for each in desk.again.found]
    caveat = f"heard on a second listen, not in the transcript: {', '.join(where)}"
    return {"route": "judge", "caveats": [*state.get("caveats", []), caveat], "said": _said(desk)}


def denied(plan: Plan, desk: Desk) -> TranscriptQuery | None:
    """Give the search for words that a plan stands on, where they can be listened for; None elsewhere."""
    if desk.second is None or plan.fuse.versus is not None:
        return None
    query = plan.call(plan.fuse.anchor).query
    return query if isinstance(query, TranscriptQuery) and query.keywords and query.passages is None else None


def unheard(desk: Desk) -> list[str]:
    """Say, as caveats, how much was listened to again in vain and what that is worth, or why nothing was."""
    again = desk.again
    if again is None or again.hits:
        return []
    told = [f"not heard either: {_said(desk)}"] if again.heard else []
    if again.heard and (worth := again.recall) is not None:
        planted = f"{worth.share:.0%} are found ({worth.found} of {worth.planted})"
        told.append(f"of rare names planted in audio heard like this, {planted}")
    return [*told, *(f"not listened to again: {line}" for line in again.not_heard[:LINES])]


def heard_again(desk: Desk) -> dict[str, float]:
    """Give, for a refusal's coverage, the seconds heard again, how many of them were heard poorly at first, and the
    share of planted words found in such audio.
    """
    if desk.again is None:
        return {}
    worth = desk.again.recall
    found = {} if worth is None else {"planted_words_found": round(worth.share, 2)}
    again = desk.again
    return {"heard_again_seconds": again.seconds, "heard_again_poorly_seconds": again.poorly(POOR), **found}


def _said(desk: Desk) -> str:
    again = desk.again
    assert again is not None
    poorly = f", {poor:.0f} s of it poorly heard at first" if (poor := again.poorly(POOR)) >= 0.5 else ""
    return f"listened again to {again.seconds:.0f} s, the {len(again.heard)} likeliest passages{poorly}"
