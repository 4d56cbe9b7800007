"""How much a score changes with a recording's length: a straight line over the logarithm of the minutes."""

import math
from collections.abc import Sequence


def slope(minutes: Sequence[float], scores: Sequence[float]) -> float:
    """Give by how much the least-squares line changes from the shortest length to the longest, in the scores' unit.

    Items count one by one, so that a length with more items weighs more; ValueError when there is one length only.
    """
    x = [math.log(minute) for minute in minutes]
    if not x or min(x) == max(x):
        raise ValueError("a slope needs at least two lengths")
    middle_x, middle_y = sum(x) / len(x), sum(scores) / len(scores)
    across = sum((a - middle_x) * (b - middle_y) for a, b in zip(x, scores, strict=True))
    return across / sum((a - middle_x) ** 2 for a in x) * (max(x) - min(x))
