"""Whether a stated confidence means something: the expected calibration error, and risk against coverage.

The error (ECE) is the mean gap between stated confidence and share of right replies over ten bins of equal width,
weighted by size. Risk at a coverage is the share of wrong replies among the surest ones.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

BINS = 10
Pairs = Sequence[tuple[float, bool]]


def ece(pairs: Pairs) -> float:
    """Give the expected calibration error of (confidence, right) pairs."""
    bins: dict[int, list[tuple[float, bool]]] = {}
    for sure, good in pairs:
        bins.setdefault(_bin(sure), []).append((sure, good))
    gaps = (abs(sum(s - g for s, g in found)) for found in bins.values())
    return sum(gaps) / len(pairs)


def by_bin(pairs: Pairs) -> dict[str, tuple[int, float, float]]:
    """Give for each bin its size, mean confidence and share of right replies."""
    table = {}
    for low in range(BINS):
        found = [(s, g) for s, g in pairs if _bin(s) == low]
        if found:
            size = len(found)
            table[f"{low / BINS:.1f}"] = (size, sum(s for s, _ in found) / size, sum(g for _, g in found) / size)
    return table


def risk_coverage(pairs: Pairs) -> list[tuple[float, float]]:
    """Give (coverage, risk) for each confidence at which one could stop answering, the surest first.

    Replies that are equally sure come together, so that the order of the items makes no curve better.
    """
    curve: list[tuple[float, float]] = []
    answered = wrong = 0
    for good in _by_confidence(pairs):
        answered += len(good)
        wrong += good.count(False)
        curve.append((answered / len(pairs), wrong / answered))
    return curve


def aurc(pairs: Pairs) -> float:
    """Give the area under the curve of risk against coverage, as its mean over replies; 0 is perfect.

    Within replies that are equally sure, the mean over all their orders counts.
    """
    total, answered, wrong = 0.0, 0, 0
    for good in _by_confidence(pairs):
        rate = good.count(False) / len(good)
        total += sum((wrong + rate * n) / (answered + n) for n in range(1, len(good) + 1))
        answered += len(good)
        wrong += good.count(False)
    return total / len(pairs)


def _bin(sure: float) -> int:
    return min(int(sure * BINS), BINS - 1)


def _by_confidence(pairs: Pairs) -> Iterable[list[bool]]:
    surest = sorted(pairs, key=lambda pair: -pair[0])
    return ([good for _, good in group] for _, group in groupby(surest, key=lambda pair: pair[0]))
