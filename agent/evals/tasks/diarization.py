"""diarization: who spoke when in a span."""

from collections.abc import Iterator

from agent.evals.tasks.item import Asked, Draft, Item
from store.clock import clock

WORDINGS = ("Who spoke when between {a} and {b}?", "Who is speaking when from {a} to {b}?")


def items(draft: Draft, most: int) -> Iterator[Item]:
    """Give spans of one to three minutes; the gold is every turn cut to the span, as the truth has it."""
    for _ in range(most):
        a, b = draft.stretch(60, 180)
        rows = [s for s in draft.world.segments if s.t0 < b and a < s.t1]
        gold = sorted([max(s.t0, a) / 1000, min(s.t1, b) / 1000, str(s.speaker)] for s in rows)
        plan = (
            ["speaker", {"start": a / 1000, "end": b / 1000}],
            ["fuse", {"anchor": "speaker", "answer_schema": "speaker_turns"}],
        )
        text = draft.rng.choice(WORDINGS).format(a=clock(a), b=clock(b))
        yield draft.item("turns", "span", text, gold, Asked(span=(a, b)), plan=plan)
