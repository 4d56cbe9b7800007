"""Two versions of who speaks when: the diarization error of the second, were the first the truth.

Neither is the truth; the figure says how much they differ. The voices are paired one to one so that they share most.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from store.record import Turn


@dataclass(frozen=True, slots=True)
class Turns:
    """Voices of each, pairs of voices (first, second), and milliseconds of speech of the first by what became of them.

    `speech` is all of it, two voices at once counted twice; `missed` is only in the first, `added` only in the second,
    `confused` in both but of other voices.
    """

    before: int
    after: int
    pairs: tuple[tuple[str, str], ...]
    speech: int
    missed: int
    added: int
    confused: int

    @property
    def rate(self) -> float | None:
        """The diarization error rate without a collar; None when nobody speaks in the first."""
        return (self.missed + self.added + self.confused) / self.speech if self.speech else None


def compare(before: Sequence[Turn], after: Sequence[Turn]) -> Turns:
    """Hold two versions of the turns against each other."""
    stretches = _stretches(before, after)
    shared: Counter[tuple[str, str]] = Counter()
    for length, one, two in stretches:
        shared.update({(a, b): length for a in one for b in two})
    voices, others = (sorted({turn.speaker for turn in turns}) for turns in (before, after))
    pairs = paired(voices, others, shared)
    speech = missed = added = confused = 0
    for length, one, two in stretches:
        right = sum(1 for voice in one if pairs.get(voice) in two)
        speech += length * len(one)
        missed += length * max(0, len(one) - len(two))
        added += length * max(0, len(two) - len(one))
        confused += length * (min(len(one), len(two)) - right)
    named = tuple(sorted(pairs.items()))
    return Turns(len(voices), len(others), named, speech, missed, added, confused)


def _stretches(before: Sequence[Turn], after: Sequence[Turn]) -> list[tuple[int, frozenset[str], frozenset[str]]]:
    """Give the stretches between two edges: their length in ms, and who speaks in each version."""
    edges: list[tuple[int, int, int, str]] = []
    for side, turns in enumerate((before, after)):
        for turn in turns:
            edges += [(turn.t0, side, 1, turn.speaker), (turn.t1, side, -1, turn.speaker)]
    found: list[tuple[int, frozenset[str], frozenset[str]]] = []
    speaking: tuple[Counter[str], Counter[str]] = (Counter(), Counter())
    at = 0
    for time, side, step, voice in sorted(edges):
        if time > at and (speaking[0] or speaking[1]):
            found.append((time - at, frozenset(speaking[0]), frozenset(speaking[1])))
        at = time
        speaking[side][voice] += step
        if not speaking[side][voice]:
            del speaking[side][voice]
    return found


def paired(one: Sequence[str], two: Sequence[str], shared: Counter[tuple[str, str]]) -> dict[str, str]:
    """Pair names one to one so that they share most in all (the Hungarian method); who shares nothing has no pair."""
    size = max(len(one), len(two))
    cost = [[-shared[a, b] if a and b else 0 for b in _filled(two, size)] for a in _filled(one, size)]
    return {
        one[row]: two[column]
        for column, row in enumerate(_assigned(cost))
        if row < len(one) and column < len(two) and shared[one[row], two[column]]
    }


def _filled(names: Sequence[str], size: int) -> list[str]:
    return [*names, *[""] * (size - len(names))]


def _assigned(cost: Sequence[Sequence[int]]) -> list[int]:
    """Give the row of each column in the assignment of least cost: shortest augmenting paths with potentials."""
    size = len(cost)
    by_row, by_column = [0] * (size + 1), [0] * (size + 1)
    row_of = [0] * (size + 1)  # counted from 1; 0 is free
    for row in range(1, size + 1):
        row_of[0], column = row, 0
        least, way = [10**18] * (size + 1), [0] * (size + 1)
        visited = [False] * (size + 1)
        while row_of[column]:
            visited[column] = True
            here, step, following = row_of[column], 10**18, 0
            for other in range(1, size + 1):
                if visited[other]:
                    continue
                slack = cost[here - 1][other - 1] - by_row[here] - by_column[other]
                if slack < least[other]:
                    least[other], way[other] = slack, column
                if least[other] < step:
                    step, following = least[other], other
            for other in range(size + 1):
                if visited[other]:
                    by_row[row_of[other]] += step
                    by_column[other] -= step
                else:
                    least[other] -= step
            column = following
        while column:
            row_of[column] = row_of[way[column]]
            column = way[column]
    return [row - 1 for row in row_of[1:]]
