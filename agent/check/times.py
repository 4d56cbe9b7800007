"""Times of the recording as a document writes them: 12:34, [0:12:34], 12:34-12:40; "3:30 pm" is a time of day."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_CLOCK = r"(?<![\d:.,/])(?:(\d{1,3}):)?(\d{1,3}):([0-5]\d)(?:[.,]\d{1,3})?(?![\d:/]|[.,]\d)"
_TIME = re.compile(rf"{_CLOCK}(?:\s?(?:-|–|—|−|to|until|bis|à)\s?{_CLOCK})?")
_DAY = re.compile(r"\s*(?:[ap]\.?\s?m\b|o'clock|uhr|[a-z]{3}t\b|utc|gmt)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Moment:
    """A time or a stretch as written, in milliseconds, with its place; `bracketed` when it stands in brackets."""

    t0: int
    t1: int
    start: int
    end: int
    bracketed: bool
    hours: tuple[int, int] | None = None

    def readings(self) -> tuple[tuple[int, int], ...]:
        """Give what the time can mean: 2:05 is two minutes and five seconds, or in a long recording two hours five."""
        return ((self.t0, self.t1),) if self.hours is None else ((self.t0, self.t1), self.hours)


def moments(text: str) -> list[Moment]:
    """Give the times of the recording that a text names, in order."""
    return list(_moments(text))


def _moments(text: str) -> Iterator[Moment]:
    for match in _TIME.finditer(text):
        if _DAY.match(text, match.end()):
            continue
        first, second = match.groups()[:3], match.groups()[3:]
        t0 = _ms(*first)
        t1 = _ms(*second) if second[1] is not None else t0
        hours = None
        if first[0] is None and second[0] is None:
            h0 = t0 * 60
            hours = (h0, t1 * 60 if second[1] is not None else h0 + 59_999)
        before = text[: match.start()].rstrip()[-1:]
        bracketed = before in "[(" if before else match.start() == 0
        yield Moment(t0, max(t0, t1), match.start(), match.end(), bracketed, hours)


def _ms(hours: str | None, minutes: str, seconds: str) -> int:
    return 1000 * (3600 * int(hours or 0) + 60 * int(minutes) + int(seconds))
