"""Scorers of a reply's `value`: equal, a set, labels of sounds, an order.

True is no 1, and a list is no single value: Python thinks otherwise, and a case must not pass by it.
"""

from collections.abc import Sequence
from statistics import StatisticsError, correlation
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator

from agent.evals.suites.scorers.scorer import RIGHT, SLACK, Mark, Name, Scorer, Seen, instead, several

Tolerance = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class Value(Scorer):
    """The value is the target; numbers in it may be off by the tolerance."""

    tolerance: Tolerance = 0.0

    @field_validator("target")
    @classmethod
    def _is_something(cls, target: Any) -> Any:
        if target is None:
            raise ValueError("no value is given, so nothing is asserted")
        return target

    def mark(self, seen: Seen) -> Mark:
        """Compare as JSON does."""
        given = seen.reply.value
        return RIGHT if alike(given, self.target, self.tolerance) else instead(given, self.target)


class SameSet(Scorer):
    """The value is the target in any order; one text is a set of one."""

    target: Annotated[list[Name], Field(min_length=1)]

    def mark(self, seen: Seen) -> Mark:
        """Compare without order; a name that is given twice is wrong."""
        given = listed(seen.reply.value)
        same = given is not None and sorted(given) == sorted(set(self.target))
        return RIGHT if same else instead(seen.reply.value, sorted(self.target))


class Labels(Scorer):
    """The value names these sounds: in this order, or the first one (`first`), or these among others (`include`).

    A label counts as another when words mean both, or when it stands beside it in a list.
    """

    target: Annotated[list[Name | Annotated[list[Name], Field(min_length=1)]], Field(min_length=1)]
    mode: Literal["ordered", "first", "include"] = "ordered"

    def mark(self, seen: Seen) -> Mark:
        """Compare label by label."""
        given, wanted = listed(seen.reply.value), [several(one) for one in self.target]
        if not given:
            return instead(seen.reply.value, self.target)
        if self.mode == "include":
            missing = [one for one in wanted if not any(akin(label, one) for label in given)]
            return Mark(1 - len(missing) / len(wanted), f"{missing!r} is not in {given!r}" if missing else "")
        short = given[:1] if self.mode == "first" else given
        wanted = wanted[:1] if self.mode == "first" else wanted
        same = len(short) == len(wanted) and all(map(akin, short, wanted))
        return RIGHT if same else instead(given, self.target)


class Spearman(Scorer):
    """The rank correlation of the value's order with the target's; what is missing, twice or too much makes it 0."""

    target: Annotated[list[Name], Field(min_length=2)]

    @field_validator("target")
    @classmethod
    def _each_once(cls, target: list[str]) -> list[str]:
        if len(set(target)) < len(target):
            raise ValueError("a label stands there twice, so it has no one place")
        return target

    def mark(self, seen: Seen) -> Mark:
        """Correlate the places; a negative correlation is worth nothing."""
        given = listed(seen.reply.value)
        if given is None or sorted(given) != sorted(self.target):
            return instead(seen.reply.value, self.target)
        rho = spearman([self.target.index(label) for label in given], list(range(len(given))))
        return Mark(max(0.0, rho), f"{given!r} correlates with the right order by {rho:.3f}")


def alike(given: Any, wanted: Any, tolerance: float = 0.0) -> bool:
    """Say whether two values are equal as JSON, numbers within a tolerance."""
    if isinstance(wanted, dict):
        return isinstance(given, dict) and given.keys() == wanted.keys() and all(
            alike(given[key], wanted[key], tolerance) for key in wanted
        )  # fmt: skip
    if isinstance(wanted, list | tuple):
        return isinstance(given, list | tuple) and len(given) == len(wanted) and all(
            alike(a, b, tolerance) for a, b in zip(given, wanted, strict=True)
        )  # fmt: skip
    if number(given) and number(wanted):
        return bool(abs(given - wanted) <= tolerance + SLACK)
    return type(given) is type(wanted) and bool(given == wanted)


def number(value: Any) -> bool:
    """Say whether a value is a number, which true and false are not."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def listed(value: Any) -> list[str] | None:
    """Give a value as a list of texts; None when it is none."""
    given = [value] if isinstance(value, str) else value
    return given if isinstance(given, list) and all(isinstance(one, str) for one in given) else None


def akin(label: str, wanted: Sequence[str]) -> bool:
    """Say whether a label is one of these, or words for one of them."""
    from tools.events.labels import resolve

    return label in wanted or bool(resolve(label) & set(wanted))


def spearman(one: Sequence[float], other: Sequence[float]) -> float:
    """Give Spearman's rank correlation, ties at their average rank; 0 where one side has no order at all."""
    try:
        return correlation(_ranks(one), _ranks(other))
    except StatisticsError:
        return 0.0


def _ranks(values: Sequence[float]) -> list[float]:
    # `statistics.correlation` ranks by itself from Python 3.12 on only
    return [sum(other < value for other in values) + (values.count(value) + 1) / 2 for value in values]
