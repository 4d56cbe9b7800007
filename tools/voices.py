"""Voices across clusterings: a voice keeps the label it was published under, so that a name given early survives."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from store.record import Turn


def keep_labels(turns: Sequence[Turn], published: Sequence[Turn]) -> list[Turn]:
    """Relabel turns so that each voice bears the published label it shares most time with; others get fresh labels."""
    shared = _shared(turns, published)
    renamed: dict[str, str] = {}
    for (label, old), _ in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
        if label not in renamed and old not in renamed.values():
            renamed[label] = old
    taken = {turn.speaker for turn in published}
    for label in dict.fromkeys(turn.speaker for turn in turns):
        if label not in renamed:
            renamed[label] = label if label not in taken else _fresh(taken)
            taken.add(renamed[label])
    return [replace(turn, speaker=renamed[turn.speaker]) for turn in turns]


def clip(turns: Sequence[Turn], t0: int, t1: int) -> list[Turn]:
    """Give the parts of turns that lie in [t0, t1)."""
    inside = (replace(turn, t0=max(turn.t0, t0), t1=min(turn.t1, t1)) for turn in turns)
    return [turn for turn in inside if turn.t1 > turn.t0]


def _shared(turns: Sequence[Turn], published: Sequence[Turn]) -> Counter[tuple[str, str]]:
    """Milliseconds that each pair of labels shares; both lists are in order of time."""
    shared: Counter[tuple[str, str]] = Counter()
    longest = max((old.t1 - old.t0 for old in published), default=0)
    first = 0
    for turn in turns:
        while first < len(published) and published[first].t0 + longest <= turn.t0:
            first += 1
        for old in published[first:]:
            if old.t0 >= turn.t1:
                break
            if (common := min(turn.t1, old.t1) - max(turn.t0, old.t0)) > 0:
                shared[turn.speaker, old.speaker] += common
    return shared


def _fresh(taken: set[str]) -> str:
    return next(label for n in range(len(taken) + 1) if (label := f"SPEAKER_{n:02}") not in taken)
