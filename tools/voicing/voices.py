"""Voices across listenings: a voice keeps the label it was published under, so that what people said of it survives.

By most time shared; voices that people merged are one person, whom any number of new voices may be; where no time is
shared, by how the voices sound.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from store.record import Span, Turn
from store.speakers import fresh_label
from tools.timeline import Timeline

Prints = Mapping[str, NDArray[np.float32]]
SAME_VOICE = 0.55  # cosine; of two tuning readers at most 0.32, of one 0.62 or more (scripts/measure_voiceprints.py)


def keep_labels(
    turns: Sequence[Turn],
    published: Sequence[Turn],
    part_of: Mapping[str, str] | None = None,
    prints: tuple[Prints, Prints] = ({}, {}),
    taken: Collection[str] = (),
) -> list[Turn]:
    """Relabel turns so that each voice bears the published label it shares most time with; others get fresh labels.

    `part_of` gives for published labels the label of the person they were merged into: all voices that spend at least
    half of their time in such a person's turns are that person. `prints` are unit vectors of the new and of the
    published voices by label, `taken` labels that are others'.
    """
    part_of = part_of or {}
    shared = _shared(turns, published)
    by_person: Counter[tuple[str, str]] = Counter()
    for (label, old), ms in shared.items():
        by_person[label, part_of.get(old, old)] += ms
    talk: Counter[str] = Counter()
    for turn in turns:
        talk[turn.speaker] += turn.t1 - turn.t0
    merged = {pair for pair, ms in by_person.items() if pair[1] in part_of.values() and 2 * ms >= talk[pair[0]]}
    person = dict(sorted(merged))
    free = {pair: ms for pair, ms in by_person.items() if pair[0] not in person and pair[1] not in person.values()}
    person |= _pairs(free)
    known = {part_of.get(turn.speaker, turn.speaker) for turn in published}
    person |= _alike(set(talk) - set(person), known - set(person.values()), prints)
    renamed = {label: _part(label, whole, shared, part_of) for label, whole in person.items()}
    others = {turn.speaker for turn in published} | set(taken)
    for label in dict.fromkeys(turn.speaker for turn in turns):
        if label not in renamed:
            renamed[label] = label if label not in others else fresh_label(others)
            others.add(renamed[label])
    return [replace(turn, speaker=renamed[turn.speaker]) for turn in turns]


def clip(turns: Sequence[Turn], t0: int, t1: int) -> list[Turn]:
    """Give the parts of turns that lie in [t0, t1)."""
    inside = (replace(turn, t0=max(turn.t0, t0), t1=min(turn.t1, t1)) for turn in turns)
    return [turn for turn in inside if turn.t1 > turn.t0]


def _pairs(shared: Mapping[tuple[str, str], float]) -> dict[str, str]:
    """Give one to one pairs of labels, those that share most first."""
    found: dict[str, str] = {}
    for (label, old), _ in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
        if label not in found and old not in found.values():
            found[label] = old
    return found


def _alike(new: set[str], old: set[str], prints: tuple[Prints, Prints]) -> dict[str, str]:
    """Give pairs of voices that sound like one."""
    ours, theirs = prints
    likeness = {(a, b): float(ours[a] @ theirs[b]) for a in new & set(ours) for b in old & set(theirs)}
    return _pairs({pair: cosine for pair, cosine in likeness.items() if cosine >= SAME_VOICE})


def _part(label: str, whole: str, shared: Mapping[tuple[str, str], int], part_of: Mapping[str, str]) -> str:
    """Give the part of a person that a voice shares most time with, so that taking a merge back parts them again."""
    parts = [old for old in (whole, *part_of) if part_of.get(old, old) == whole]
    return max(parts, key=lambda old: (shared.get((label, old), 0), old == whole, old))


def _shared(turns: Sequence[Turn], published: Sequence[Turn]) -> Counter[tuple[str, str]]:
    """Give the milliseconds that each voice of the turns shares with each published one."""
    shared: Counter[tuple[str, str]] = Counter()
    before = Timeline(published)
    for turn in turns:
        for old, ms in before.shared(Span(turn.t0, turn.t1)).items():
            shared[turn.speaker, old] += ms
    return shared
