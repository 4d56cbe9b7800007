"""Stretches of time a question names ("between 2:00 and 3:30", "in the last two minutes"), in seconds."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from agent.brains.rules.language import Token

AROUND_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Stretch:
    """From `start` to `end` in seconds; None is open, a negative start counts from the end. `moment` is one named."""

    start: float | None = None
    end: float | None = None
    moment: float | None = field(default=None, compare=False)

    def around(self, seconds: float) -> "Stretch":
        """Widen a moment by seconds on both sides; any other stretch stays as it is."""
        if self.moment is None or not seconds:
            return self
        return Stretch(max(0.0, self.moment - seconds), self.moment + seconds, self.moment)

    def args(self) -> dict[str, float]:
        """Give the stretch as arguments of a stream's query."""
        edges = (("start", self.start), ("end", self.end))
        return {name: round(value, 3) for name, value in edges if value is not None}

    def within(self, other: "Stretch") -> "Stretch":
        """Give what lies in both."""
        start = max((edge for edge in (self.start, other.start) if edge is not None), default=None)
        end = min((edge for edge in (self.end, other.end) if edge is not None), default=None)
        return Stretch(start, end, self.moment or other.moment)


def measure(tokens: Iterable[Token]) -> float:
    """Give a length or a time ("two minutes and 5 s", "minute 3", "1:20") in seconds, or a bare number."""
    total, number = 0.0, None
    for token in tokens:
        if token.tag in ("NUM", "ORD", "PART"):
            number = (number or 0.0) + token.value
        elif token.tag in _UNITS:
            total, number = total + token.value * (1.0 if number is None else number), None
        elif token.tag in ("CLOCK", "LENGTH", "TIME"):
            total += token.value
    return total if number is None else number * (total or 1.0)


def stretch(kind: str, tokens: Sequence[Token], duration: float | None) -> Stretch | None:
    """Give the stretch that a rule's tokens say; `duration` in seconds, None when several recordings are asked."""
    unit = next((token.value for token in tokens if token.tag in (*_UNITS, "PART")), 1.0)
    numbers = [t.value if t.tag in ("CLOCK", "TIME", "LENGTH") else t.value * unit for t in tokens if t.tag in _TIMES]
    first, *rest = numbers or [0.0]
    match kind:
        case "between":
            return Stretch(first, rest[0])
        case "before" if first:
            return Stretch(None, first)
        case "after" if first:
            return Stretch(first, None)
        case "at":
            return Stretch(first, first + AROUND_SECONDS, first)
        case "minute":
            return Stretch(first, first + unit)
        case "nth":
            return Stretch(first - unit or None, first)
        case "first":
            return Stretch(None, measure(tokens))
        case "last":
            return Stretch(-measure(tokens) if duration is None else max(0.0, duration - measure(tokens)))
        case "lead":
            return Stretch(max(0.0, rest[0] - first), rest[0])
        case "tail":
            return Stretch(rest[0], rest[0] + first)
        case "butlast":
            return Stretch(None, -measure(tokens) if duration is None else max(0.0, duration - measure(tokens)))
        case "part" if duration is not None:
            end = duration * (1 if first < 0 else first)
            return Stretch(end - unit * duration or None, None if end >= duration else end)
    return None


def limits(part: Sequence[Token], step: int) -> dict[str, float]:
    """Give the least and the most that a limit allows; whole numbers are more or less by one."""
    number, tags = measure(part), {token.tag for token in part}
    most = {"max_value": number - step if tags & {"UNDER", "LESS"} else number}
    least = {"min_value": number + step if tags & {"OVER", "MORE"} else number}
    return most if tags & {"UNDER", "LESS", "ATMOST"} else least | (most if "EXACT" in tags else {})


_UNITS = ("UNIT", "SECS")
_TIMES = ("NUM", "ORD", "FIRST", "LAST", "SECOND", "CLOCK", "TIME", "LENGTH")
