"""A figure belongs to what was said with it: "the budget is 40, the stage costs 12" is no ground for a budget of 12."""

from collections.abc import Sequence

from agent.graph.asserted import sentences_of
from agent.graph.stems import stems
from store.figures import in_figures
from store.numbers import numbers


def misplaced(sentence: str, told: Sequence[str], names: frozenset[str] = frozenset()) -> bool:
    """Say whether a sentence has a figure of a text's sentence, but speaks of what another one gives another figure."""
    mine = figures(sentence)
    if not mine:
        return False
    words = stems(in_figures(sentence)) - names
    parts = [(len(words & stems(part)), figures(part)) for text in map(in_figures, told) for part in sentences_of(text)]
    other = max((common for common, held in parts if held and not held & mine), default=0)
    found = ([common for common, held in parts if value in held] for value in mine)
    return any(commons and max(commons) < other for commons in found)


def figures(text: str) -> frozenset[float]:
    """Give the numbers of a text as values."""
    return frozenset(number.value for number in numbers(text))
