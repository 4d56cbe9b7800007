"""Two transcripts of one recording: which words differ, and how far apart the times of the same words lie.

Words are compared in order, without case and punctuation. Hours of them are compared block by block, each up to the
last run of words that both have, because comparing all with all takes time by the square of their number.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from statistics import median

from store.record import Segment, Span, Word
from tools.transcript.doubts import plain

BLOCK = 1_500
RUN = 4
"""Words in a row that both have, after which a block may end."""


@dataclass(frozen=True, slots=True)
class Change:
    """Where two transcripts differ: the words of each, either may be empty, and their time."""

    span: Span
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Words:
    """How many words each has, how many are the same, changed, only in the first, only in the second.

    `apart_ms` is the median distance between the beginnings of the same words, None when there are none.
    """

    before: int
    after: int
    same: int
    changed: int
    missing: int
    added: int
    apart_ms: float | None
    changes: tuple[Change, ...] = field(repr=False)

    @property
    def rate(self) -> float | None:
        """Differences in words of the first, as a word error rate counts them; None when it has no words."""
        return (self.changed + self.missing + self.added) / self.before if self.before else None


def compare(before: Sequence[Segment], after: Sequence[Segment]) -> Words:
    """Hold the words of two versions of a transcript against each other."""
    one, two = spoken(before), spoken(after)
    same = changed = missing = added = 0
    apart: list[int] = []
    changes = []
    for first, second, equal in _steps(one, two):
        if equal:
            same += len(first)
            apart += (abs(a.t0 - b.t0) for a, b in zip(first, second, strict=True))
            continue
        both = min(len(first), len(second))
        changed, missing, added = changed + both, missing + len(first) - both, added + len(second) - both
        changes.append(Change(_span([*first, *second]), _text(first), _text(second)))
    middle = float(median(apart)) if apart else None
    return Words(len(one), len(two), same, changed, missing, added, middle, tuple(changes))


def spoken(segments: Sequence[Segment]) -> list[Word]:
    """Give the words of segments in order of time; those of a segment without times share its span."""
    words = [
        word
        for segment in segments
        for word in segment.words or [Word(segment.t0, segment.t1, text) for text in segment.text.split()]
    ]
    return sorted((word for word in words if plain(word.text)), key=lambda word: word.t0)


def _steps(one: Sequence[Word], two: Sequence[Word]) -> Iterator[tuple[Sequence[Word], Sequence[Word], bool]]:
    """Give runs of words that are the same in both, and what lies between them."""
    held = _Held()
    at, its = 0, 0
    while at < len(one) or its < len(two):
        end, its_end = _block(one, two, at, its)
        steps = _matched(one[at:end], two[its:its_end])
        if end < len(one) and its_end < len(two):
            steps = _to_last_run(steps)
        for first, second, equal in steps:
            yield from held.taking(first, second, equal)
            at, its = at + len(first), its + len(second)
    yield from held.rest()


class _Held:
    """Joins differences that the end of a block parted."""

    def __init__(self) -> None:
        self._first: list[Word] = []
        self._second: list[Word] = []

    def taking(
        self, first: Sequence[Word], second: Sequence[Word], equal: bool
    ) -> Iterator[tuple[Sequence[Word], Sequence[Word], bool]]:
        if equal:
            yield from self.rest()
            yield first, second, True
        else:
            self._first += first
            self._second += second

    def rest(self) -> Iterator[tuple[Sequence[Word], Sequence[Word], bool]]:
        if self._first or self._second:
            yield self._first, self._second, False
            self._first, self._second = [], []


def _block(one: Sequence[Word], two: Sequence[Word], at: int, its: int) -> tuple[int, int]:
    """Give where a block of both ends: after so many words of one, and of two what began by then."""
    end = min(at + BLOCK, len(one))
    if end == len(one):
        return end, min(its + 2 * BLOCK, len(two)) if at < end else len(two)
    its_end = its
    while its_end < len(two) and (two[its_end].t0 <= one[end].t0 and its_end < its + 2 * BLOCK):
        its_end += 1
    return end, its_end


def _matched(one: Sequence[Word], two: Sequence[Word]) -> list[tuple[Sequence[Word], Sequence[Word], bool]]:
    texts = [plain(word.text) for word in one], [plain(word.text) for word in two]
    matcher = SequenceMatcher(None, *texts, autojunk=False)
    return [(one[a:b], two[c:d], kind == "equal") for kind, a, b, c, d in matcher.get_opcodes()]


def _to_last_run(
    steps: list[tuple[Sequence[Word], Sequence[Word], bool]],
) -> list[tuple[Sequence[Word], Sequence[Word], bool]]:
    """Cut a block behind the last run of the same words; all of it where there is none."""
    runs = [place for place, (first, _, equal) in enumerate(steps) if equal and len(first) >= RUN]
    return steps[: runs[-1] + 1] if runs else steps


def _span(words: Sequence[Word]) -> Span:
    return Span(min(word.t0 for word in words), max(word.t1 for word in words))


def _text(words: Sequence[Word]) -> str:
    return " ".join(word.text for word in words)
