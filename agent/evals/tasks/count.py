"""count: speakers of the file, of a span, and those who spoke more than a minute."""

from collections.abc import Iterator

from agent.evals.tasks.item import Asked, Draft, Item
from store.clock import clock
from store.record import Span, total

FILE = ("How many speakers are there?", "How many people speak?", "How many different voices can be heard?")
SPAN = ("How many people spoke between {a} and {b}?", "How many speakers are there from {a} to {b}?")
OVER = ("How many people spoke for more than {n} seconds?", "How many speakers talked for over {n} seconds?")
NEAR_MS = 1000


def items(draft: Draft, most: int) -> Iterator[Item]:
    """Give one item of the file, one of long talkers, and spans for the rest; near ties are left out."""
    names = {s.speaker for s in draft.world.segments}
    plan = _plan({}, "count_distinct")
    yield draft.item("number", "file", draft.rng.choice(FILE), len(names), Asked(), plan=plan)
    for seconds in draft.rng.sample((60, 120, 300), 3):
        item = _over(draft, seconds)
        if item is not None and draft.made <= most:
            yield item
            break
    tries = 0
    while draft.made < most and tries < 20 * most:
        tries += 1
        a, b = draft.stretch(15, 240)
        spoken = {s.speaker for s in draft.world.segments if s.t0 < b and a < s.t1}
        if any(abs(edge - place) < NEAR_MS for s in draft.world.segments for edge in (s.t0, s.t1) for place in (a, b)):
            # A voice that only reaches over the edge by a moment is there or not as one likes.
            touching = {
                s.speaker
                for s in draft.world.segments
                if s.t0 < b and a < s.t1 and min(s.t1, b) - max(s.t0, a) >= NEAR_MS
            }
            if touching != spoken:
                draft.left_out["a voice only touches the span"] += 1
                continue
        text = draft.rng.choice(SPAN).format(a=clock(a), b=clock(b))
        plan = _plan({"start": a / 1000, "end": b / 1000}, "count_distinct")
        yield draft.item("number", "span", text, len(spoken), Asked(span=(a, b)), plan=plan)


def _over(draft: Draft, seconds: int) -> Item | None:
    talk = {
        name: total(Span(s.t0, s.t1) for s in draft.world.segments if s.speaker == name)
        for name in {s.speaker for s in draft.world.segments}
    }
    if any(abs(ms - 1000 * seconds) < NEAR_MS for ms in talk.values()):
        draft.left_out["a talk time near the bound"] += 1
        return None
    gold = sum(ms > 1000 * seconds for ms in talk.values())
    text = draft.rng.choice(OVER).format(n=seconds)
    plan = _plan({"min_talk": float(seconds)}, "count_distinct")
    return draft.item("number", "long talkers", text, gold, Asked(over_s=seconds), plan=plan)


def _plan(limits: dict[str, float], aggregate: str) -> tuple[object, ...]:
    return (
        ["speaker", limits],
        ["fuse", {"anchor": "speaker", "aggregate": aggregate, "answer_schema": "count"}],
    )
