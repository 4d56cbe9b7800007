"""Where a quote stands in a transcript, or what comes nearest: alignment by words, exact over the whole recording.

One row of edit distances at a time is computed for all places at once (numpy), so the best stretch of a nine-hour
transcript is found without a heuristic, in a few milliseconds; difflib gives no best alignment and only of two whole
texts, and a library of edit distances would be one more dependency. Only the stretch that wins is traced word by word.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

import numpy as np

from agent.check.heard import BARRIER, Heard, Ints
from agent.check.numerals import MARK
from agent.check.tokens import Token, tokens
from agent.check.words import Words

Step = Literal["same", "changed", "gone", "said", "open"]
ELLIPSIS, BRACKET = 120, 8
_PAUSE = r"…|\.\s?\.\s?\.+"
_BREAK = re.compile(rf"[\[(]\s*(?:{_PAUSE})\s*[\])]|{_PAUSE}|\[[^\[\]]{{0,200}}\]")
_LETTER = re.compile(r"\[(\w{1,2})\](?=\w)")
_FORBIDDEN = 1_000


@dataclass(frozen=True, slots=True)
class Part:
    """A word of a quote, or (`token` is None) a gap: an ellipsis or an editor's bracket, for up to `reach` words."""

    token: Token | None
    reach: int = 0


@dataclass(frozen=True, slots=True)
class Match:
    """The stretch of a transcript that a quote was aligned with; `cost` counts words changed, left out or put in.

    Each step is (what, part of the quote or -1, token of the transcript or -1).
    """

    cost: int
    length: int
    steps: tuple[tuple[Step, int, int], ...]

    @property
    def heard(self) -> tuple[int, ...]:
        """The transcript's tokens that the quote covers, in order, without those an ellipsis leaves out."""
        return tuple(token for step, _, token in self.steps if token >= 0 and step != "open")

    @property
    def gaps(self) -> list[tuple[int, int]]:
        """The tokens on both sides of each ellipsis."""
        told = [(step == "open", token) for step, _, token in self.steps if token >= 0]
        runs = [(is_open, [token for _, token in run]) for is_open, run in groupby(told, key=lambda pair: pair[0])]
        sides = zip(runs, runs[1:], runs[2:], strict=False)
        return [(before[-1], after[0]) for (_, before), (is_open, _), (_, after) in sides if is_open]

    @property
    def longest(self) -> list[int]:
        """The parts of the quote in the longest run of words that stand as quoted."""
        runs = [[i for _, i, _ in run] for same, run in groupby(self.steps, key=lambda s: s[0] == "same") if same]
        return max(runs, key=len, default=[])

    @property
    def likeness(self) -> float:
        """The share of the quote's words that stand as quoted."""
        return 1 - self.cost / max(1, self.length)


def parts(text: str, words: Words) -> list[Part]:
    """Cut a quote into words and gaps; gaps at its ends mean nothing."""
    text = _LETTER.sub("\u200b\\1\u200b", text)
    found: list[Part] = []
    place = 0
    for gap in [*_BREAK.finditer(text), None]:
        end = gap.start() if gap else len(text)
        found += [Part(Token(t.text, place + t.start, place + t.end)) for t in tokens(text[place:end], words)]
        if gap and found and "sic" not in gap[0]:
            pause = re.search(_PAUSE, gap[0])
            found.append(Part(None, ELLIPSIS if pause else BRACKET))
        place = gap.end() if gap else end
    while found and found[-1].token is None:
        found.pop()
    return found


class Comparison:
    """One quote against a whole transcript."""

    def __init__(self, heard: Heard, quote: Sequence[Part]) -> None:
        self.heard, self.quote = heard, quote
        unknown = len(heard.vocabulary)
        self._ids = [heard.vocabulary.get(p.token.text, unknown) if p.token else BARRIER for p in quote]
        self._length = sum(part.token is not None for part in quote)
        exact = self._exact()
        self._costs = self._distances() if exact is None else exact
        self.least = int(self._costs.min()) if len(self._costs) else self._length

    def ends(self, cost: int | None = None) -> Ints:
        """Give the places of the track behind which the quote ends at a cost, by default the least."""
        return np.flatnonzero(self._costs == (self.least if cost is None else cost)).astype(np.int32)

    def cost(self, end: int) -> int:
        """Give the cost of the best stretch that ends before a place."""
        return int(self._costs[end])

    def costs(self) -> Ints:
        """Give the costs for all places."""
        return self._costs

    def match(self, end: int) -> Match:
        """Trace the best stretch that ends before a place."""
        reach = 2 * self._length + sum(part.reach for part in self.quote) + 8
        low = max(int(self.heard.begins[min(end, len(self.heard.track)) - 1]) if end else 0, end - reach)
        steps = _traced(self.quote, self._ids, self.heard, low, end)
        told = _respelt(_fluent(steps, self.heard), self.quote, self.heard)
        cost = sum(step not in ("same", "open") for step, _, _ in told)
        return Match(cost, self._length, tuple(_trimmed(told)))

    def _exact(self) -> Ints | None:
        """Find a quote without gaps word by word by its rarest one; None when it does not stand there as it is."""
        track, ids = self.heard.track, self._ids
        if BARRIER in ids or not ids or len(self.heard.vocabulary) in ids:
            return None
        places = np.flatnonzero(track[: len(track) - len(ids) + 1] == ids[0])
        for offset, wanted in enumerate(ids[1:], 1):
            places = places[track[places + offset] == wanted]
            if not len(places):
                return None
        costs = np.full(len(track) + 1, self._length, np.int32)
        costs[places + len(ids)] = 0
        return costs

    def _distances(self) -> Ints:
        track = self.heard.track
        parted = np.concatenate([[0], self.heard.parted]).astype(np.int32)
        steps = np.arange(len(track) + 1, dtype=np.int32) + _FORBIDDEN * parted
        row = np.zeros(len(track) + 1, np.int32)
        for part, wanted in zip(self.quote, self._ids, strict=True):
            row = _skip(row, parted, part.reach) if part.token is None else _next(row, track, wanted, steps)
        return row


def _skip(row: Ints, parted: Ints, reach: int) -> Ints:
    """Let up to `reach` words be skipped, never over a barrier."""
    least, width = row - _FORBIDDEN * parted, 1
    while width <= reach and width < len(row):
        shift = min(width, reach + 1 - width)
        least = np.concatenate([least[:shift], np.minimum(least[shift:], least[:-shift])])
        width += shift
    return least + _FORBIDDEN * parted


def _next(row: Ints, track: Ints, wanted: int, steps: Ints) -> Ints:
    """Give the distances with one more word of the quote: said as quoted, changed, not said; or words said between."""
    said = row[:-1] + np.where(track == wanted, 0, np.where(track == BARRIER, _FORBIDDEN, 1)).astype(np.int32)
    here = np.concatenate([row[:1] + 1, np.minimum(said, row[1:] + 1)])
    return (np.minimum.accumulate(here - steps) + steps).astype(np.int32)


def _traced(quote: Sequence[Part], ids: Sequence[int], heard: Heard, low: int, end: int) -> list[tuple[Step, int, int]]:
    """Fill the table of one stretch and walk back through it."""
    track = heard.track[low:end]
    counted = np.arange(len(track) + 1, dtype=np.int32)
    table = [np.zeros(len(track) + 1, np.int32)]
    for part, wanted in zip(quote, ids, strict=True):
        last = table[-1]
        table.append(
            _skip(last, 0 * counted, part.reach) if part.token is None else _next(last, track, wanted, counted)
        )
    steps = list(_walk(table, quote, ids, track))[::-1]
    origin = heard.origin[low:end]
    return [(step, i, int(origin[j]) if j >= 0 else -1) for step, i, j in steps]


def _walk(
    table: Sequence[Ints], quote: Sequence[Part], ids: Sequence[int], track: Ints
) -> Iterator[tuple[Step, int, int]]:
    i, j = len(quote), len(track)
    while i > 0:
        part, cost = quote[i - 1], table[i][j]
        if part.token is None:
            back = next(k for k in range(j, max(-1, j - part.reach - 1), -1) if table[i - 1][k] == cost)
            yield from (("open", i - 1, k) for k in range(j - 1, back - 1, -1))
            i, j = i - 1, back
        elif j > 0 and track[j - 1] == ids[i - 1] and table[i - 1][j - 1] == cost:
            yield "same", i - 1, j - 1
            i, j = i - 1, j - 1
        elif j > 0 and table[i - 1][j - 1] + 1 == cost and track[j - 1] != ids[i - 1]:
            yield "changed", i - 1, j - 1
            i, j = i - 1, j - 1
        elif table[i - 1][j] + 1 == cost:
            yield "gone", i - 1, -1
            i -= 1
        else:
            yield "said", -1, j - 1
            j -= 1


def _fluent(steps: Sequence[tuple[Step, int, int]], heard: Heard) -> list[tuple[Step, int, int]]:
    """Leave out words that are said twice in a row and written once: a stutter ("I, I think"), never a number."""
    told: list[tuple[Step, int, int]] = []
    for place, (step, i, token) in enumerate(steps):
        if step == "said" and not heard.number(token) and len(heard.text(token)) + heard.text(token).isascii() > 1:
            beside = [
                heard.text(t)
                for _, _, t in (*steps[max(0, place - 1) : place], *steps[place + 1 : place + 2])
                if t >= 0
            ]
            if heard.text(token) in beside:
                continue
        told.append((step, i, token))
    return told


def _respelt(
    steps: Sequence[tuple[Step, int, int]], quote: Sequence[Part], heard: Heard
) -> list[tuple[Step, int, int]]:
    """Take words that differ only in being written together as the same: e-mail, email; 747, seven forty-seven."""
    told: list[tuple[Step, int, int]] = []
    for same, run in groupby(steps, key=lambda step: step[0] in ("same", "open")):
        group = list(run)
        written = "".join(part.token.text for _, i, _ in group if i >= 0 and (part := quote[i]).token)
        said = "".join(heard.texts[heard.track[token]] for _, _, token in group if token >= 0)
        one = not same and written.replace(MARK, "") == said.replace(MARK, "")
        told += [("same", i, token) for _, i, token in group] if one else group
    return told


def _trimmed(steps: list[tuple[Step, int, int]]) -> list[tuple[Step, int, int]]:
    """Take three or more changed words at an end as invented: what was said instead there is another subject."""
    for places in (range(len(steps)), range(len(steps) - 1, -1, -1)):
        run = []
        for place in places:
            if steps[place][0] not in ("changed", "gone", "said"):
                break
            run.append(place)
        if len(run) > 2:
            for place in run:
                step, i, _ = steps[place]
                steps[place] = ("gone", i, -1) if step != "said" else ("said", -1, -1)
    return [step for step in steps if step[1] >= 0 or step[2] >= 0]
