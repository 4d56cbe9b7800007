"""Two chunks heard the same half minute: where their words agree, one goes over into the other, and nothing is asked.

The words of the end and of the beginning are aligned, only where their times agree too. In the longest run that both
wrote alike any cut loses no word and doubles none. Where they agree too little somebody else may fuse them, and the
clock does where nobody can.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from store.record import Span
from tools.transcript.interview.table import Said
from tools.transcript.interview.words import Token, text_of, tokens

How = Literal["aligned", "pasted", "model", "clock"]
Join = Callable[[Sequence[Said], Sequence[Said]], Sequence[Said] | None]
APART_MS = 20_000
"""Words further apart in time are not the same words."""
LEAST_SHARE, LEAST_RUN, SURE_RUN = 0.5, 3, 6
RICHER = 4
"""A side that wrote so many times fewer words of the overlap missed them."""
_EDGE_MS = 2_000
_MATCH, _OTHER, _LEFT_OUT = 2, -1, -1


@dataclass(frozen=True, slots=True)
class Fused:
    """The rows of an end and a beginning as one, and how: `share` of the overlap's words is written alike."""

    rows: Sequence[Said]
    how: How
    share: float = 1.0


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two word sequences, the pairs of places that are the same word, and how many words of each lie in the overlap."""

    end: Sequence[Token]
    begin: Sequence[Token]
    pairs: Sequence[tuple[int, int]]
    ours: int
    theirs: int

    @property
    def least(self) -> int:
        """The words of the overlap on the side that wrote fewer of them."""
        return min(self.ours, self.theirs)

    @property
    def most(self) -> int:
        """The words of the overlap on the side that wrote more of them."""
        return max(self.ours, self.theirs)

    @property
    def share(self) -> float:
        """The words that agree, of those that the side with fewer words wrote in the overlap."""
        return min(1.0, len(self.pairs) / max(1, self.least))

    @property
    def runs(self) -> list[list[tuple[int, int]]]:
        """The pairs that follow one another on both sides."""
        found: list[list[tuple[int, int]]] = []
        for a, b in self.pairs:
            if found and found[-1][-1] == (a - 1, b - 1):
                found[-1].append((a, b))
            else:
                found.append([(a, b)])
        return found

    @property
    def fits(self) -> bool:
        """Whether so much agrees that the two can be joined at a word."""
        longest = max(map(len, self.runs), default=0)
        much = self.share >= LEAST_SHARE and longest >= min(LEAST_RUN, self.least)
        return longest >= SURE_RUN or (much and not self.lopsided)

    @property
    def lopsided(self) -> bool:
        """Whether one side missed most of the overlap, so that what agrees may do so by chance."""
        return self.least * RICHER <= self.most


def align(end: Sequence[Said], begin: Sequence[Said], overlap: Span) -> Alignment:
    """Align the words of the end of one chunk with those of the beginning of the next, which share `overlap`."""
    ours, theirs = tokens(end), tokens(begin)
    shared = Span(overlap.t0 - _EDGE_MS, overlap.t1 + _EDGE_MS)
    inside = [sum(shared.t0 <= token.middle < shared.t1 for token in side) for side in (ours, theirs)]
    return Alignment(ours, theirs, _pairs(ours, theirs), *inside)


def fuse(end: Sequence[Said], begin: Sequence[Said], overlap: Span, join: Join = lambda end, begin: None) -> Fused:
    """Fuse rows in order of time; `join` is asked where the words agree too little, None leaves it to the clock."""
    found = align(end, begin, overlap)
    if found.pairs and found.fits:
        return Fused(_joined(end, begin, found, overlap), "aligned", found.share)
    if not found.least:
        return Fused([*end, *begin], "pasted")
    if found.lopsided:
        return Fused(_richer(end, begin, found, overlap), "clock", found.share)
    told = join(end, begin)
    if told is not None:
        return Fused(told, "model", found.share)
    middle = (overlap.t0 + overlap.t1) // 2
    early = [row for row in end if row.t0 < middle]
    return Fused([*early, *(row for row in begin if row.t0 >= middle)], "clock", found.share)


def _richer(end: Sequence[Said], begin: Sequence[Said], found: Alignment, overlap: Span) -> list[Said]:
    """Take the overlap from the side that wrote far more of it; of the other, what lies outside."""
    if found.most == found.ours:
        return [*end, *_part(begin, [token for token in found.begin if token.middle >= overlap.t1])]
    return [*_part(end, [token for token in found.end if token.middle < overlap.t0]), *begin]


def _part(rows: Sequence[Said], kept: Sequence[Token]) -> list[Said]:
    """Give rows with these words of theirs only."""
    found = []
    for place, row in enumerate(rows):
        own = [token for token in kept if token.row == place]
        if own:
            found.append(replace(row, t0=own[0].t0, t1=max(own[-1].t1, own[0].t0 + 1), text=text_of(own)))
    return found


def _pairs(ours: Sequence[Token], theirs: Sequence[Token]) -> list[tuple[int, int]]:
    """Give the pairs of equal words on the best local path (Smith and Waterman's), in order."""
    width = len(theirs) + 1
    scores = [[0] * width]
    best, place = 0, (0, 0)
    for a, one in enumerate(ours, 1):
        before, row = scores[-1], [0] * width
        for b, other in enumerate(theirs, 1):
            step = _MATCH if _same(one, other) else _OTHER
            row[b] = max(0, before[b - 1] + step, before[b] + _LEFT_OUT, row[b - 1] + _LEFT_OUT)
            if row[b] > best:
                best, place = row[b], (a, b)
        scores.append(row)
    return _followed(scores, place, ours, theirs)


def _followed(
    scores: Sequence[Sequence[int]], place: tuple[int, int], ours: Sequence[Token], theirs: Sequence[Token]
) -> list[tuple[int, int]]:
    a, b = place
    found: list[tuple[int, int]] = []
    while a and b and scores[a][b]:
        same = _same(ours[a - 1], theirs[b - 1])
        if scores[a][b] == scores[a - 1][b - 1] + (_MATCH if same else _OTHER):
            a, b = a - 1, b - 1
            if same:
                found.append((a, b))
        elif scores[a][b] == scores[a - 1][b] + _LEFT_OUT:
            a -= 1
        else:
            b -= 1
    return found[::-1]


def _same(one: Token, other: Token) -> bool:
    return one.key == other.key and abs(one.middle - other.middle) <= APART_MS


def _joined(end: Sequence[Said], begin: Sequence[Said], found: Alignment, overlap: Span) -> list[Said]:
    """Go over from the end to the beginning in the longest run, of equals the one nearest the overlap's middle."""
    middle = (overlap.t0 + overlap.t1) // 2
    runs = found.runs
    longest = max(map(len, runs))
    good = [run for run in runs if len(run) * 5 >= longest * 4]
    run = min(good, key=lambda each: abs(found.begin[each[len(each) // 2][1]].middle - middle))
    a, b = min(run, key=lambda pair: _badness(pair, run, found))
    return _at(end, begin, found, a, b)


def _badness(pair: tuple[int, int], run: Sequence[tuple[int, int]], found: Alignment) -> tuple[int, int]:
    """Rank the places before which to go over: both begin a row, or else neither does; near the run's middle."""
    a, b = pair
    starts = _starts(found.end, a), _starts(found.begin, b)
    return (0 if all(starts) else 2 if any(starts) else 1), abs(run.index(pair) * 2 - len(run))


def _starts(side: Sequence[Token], place: int) -> bool:
    return place == 0 or side[place - 1].row != side[place].row


def _at(end: Sequence[Said], begin: Sequence[Said], found: Alignment, a: int, b: int) -> list[Said]:
    """Take the words of the end before place a, and those of the beginning from place b on."""
    ours, theirs = found.end, found.begin
    before, after = ours[a].row, theirs[b].row
    head = [token for token in ours[:a] if token.row == before]
    tail = [token for token in theirs[b:] if token.row == after]
    split = len(tail) < sum(token.row == after for token in theirs)
    rows = list(end[:before])
    if head and split:
        text = text_of([*head, *tail])
        rows.append(replace(end[before], t1=max(begin[after].t1, end[before].t0 + 1), text=text))
    else:
        if head:
            rows.append(replace(end[before], t1=max(head[-1].t1, end[before].t0 + 1), text=text_of(head)))
        rows.append(replace(begin[after], t0=min(tail[0].t0, begin[after].t1 - 1), text=text_of(tail)))
    return [*rows, *begin[after + 1 :]]
