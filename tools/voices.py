"""Voices across clusterings: a voice keeps the label it was published under, so that a name given early survives."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from store.record import Span, Turn
from tools.timeline import Timeline


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
    """Give the milliseconds that each voice of the turns shares with each published one."""
    shared: Counter[tuple[str, str]] = Counter()
    before = Timeline(published)
    for turn in turns:
        for old, ms in before.shared(Span(turn.t0, turn.t1)).items():
            shared[turn.speaker, old] += ms
    return shared


def _fresh(taken: set[str]) -> str:
    return next(label for n in range(len(taken) + 1) if (label := f"SPEAKER_{n:02}") not in taken)
