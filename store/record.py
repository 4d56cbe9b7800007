"""The rows of a recording, as values: what recognisers and importers give and the store keeps.

They live below the streams' own folders because the store writes them and may import nothing above itself.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

StreamKind = Literal["transcript", "speaker", "emotion", "events"]
STREAMS: tuple[StreamKind, ...] = ("transcript", "speaker", "emotion", "events")

_GENERIC = re.compile(
    r"(?:(?:unknown|participant)[ _\-#]*)?"
    r"(?:speaker|spkr|spk|voice|channel|person|talker|s(?=[ _\-#]*\d))?[ _\-#]*\d*",
    re.IGNORECASE,
)


@dataclass(frozen=True, order=True, slots=True)
class Span:
    """A stretch of time [t0, t1) in milliseconds; falsy when empty."""

    t0: int
    t1: int

    def __bool__(self) -> bool:
        """Say whether any time lies in the span."""
        return self.t1 > self.t0

    @property
    def duration(self) -> int:
        """Milliseconds in the span, 0 when empty."""
        return max(0, self.t1 - self.t0)

    def overlaps(self, other: "Span") -> bool:
        """Say whether the two share any time."""
        return self.t0 < other.t1 and other.t0 < self.t1

    def gap(self, other: "Span") -> int:
        """Milliseconds between the two, 0 when they touch or overlap."""
        return max(0, other.t0 - self.t1, self.t0 - other.t1)


@dataclass(frozen=True, slots=True)
class Turn:
    """A stretch in which one voice speaks."""

    t0: int
    t1: int
    speaker: str
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Word:
    """One word as it was written down, without surrounding blanks."""

    t0: int
    t1: int
    text: str
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of transcript of one voice."""

    t0: int
    t1: int
    text: str
    speaker: str | None = None
    words: tuple[Word, ...] = ()
    language: str | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Emotion:
    """How a stretch of speech sounded: the label, its score, the distribution and prosody where known."""

    t0: int
    t1: int
    label: str
    score: float
    speaker: str | None = None
    scores: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Event:
    """Something heard besides words, by its AudioSet display name."""

    t0: int
    t1: int
    label: str
    score: float


Row = Segment | Turn | Emotion | Event


def union(spans: Iterable[Span]) -> list[Span]:
    """Give the union of spans as disjoint spans in order."""
    merged: list[Span] = []
    for span in sorted(filter(None, spans)):
        if merged and span.t0 <= merged[-1].t1:
            merged[-1] = Span(merged[-1].t0, max(merged[-1].t1, span.t1))
        else:
            merged.append(span)
    return merged


def total(spans: Iterable[Span]) -> int:
    """Milliseconds in the union of spans."""
    return sum(span.duration for span in union(spans))


def is_generic(label: str) -> bool:
    """Say whether a label is a form (SPEAKER_00, spk1, S1, Speaker 1, 3, unknown) and not a name."""
    return _GENERIC.fullmatch(unicodedata.normalize("NFKC", label).strip()) is not None
