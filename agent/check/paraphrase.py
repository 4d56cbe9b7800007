"""Numbers, times and attributions in the document's own words, held against the passage that a sentence is about.

A paraphrase can use any words, so only what contradicts a passage that was surely found is false; a sentence whose
passage was not found is not checkable. The bars are tuned on training meetings (scripts/measure_check.py).
"""

from collections.abc import Iterator

import numpy as np

from agent.check.claims import Claim
from agent.check.figures import SIGNS, as_said, readings, rounded
from agent.check.heard import Ints
from agent.check.nearly import MARGIN, SURE, Nearly
from agent.check.numerals import value_of
from agent.check.passages import Passages, passages
from agent.check.quoting import Quoting, of_day
from agent.check.roll import Meant
from agent.check.tokens import tokens
from agent.check.verdict import Change, Checked
from agent.reply import Citation
from store.clock import clock

FOUND, WEAK = 0.55, 0.4
NEAR = 0.9
PASSAGE_MS = 45_000
FEWEST = 2
_ALSO = "one passage says another number, and one says this"
_UNFOUND = "the passage this is about was not found"


class Paraphrase:
    """Checks claims that are no quotes."""

    def __init__(self, quoting: Quoting) -> None:
        self.quoting = quoting
        self.heard, self.roll, self.words = quoting.heard, quoting.roll, quoting.words
        self._last: tuple[str, Passages] | None = None
        self._nearly = Nearly(quoting)

    def check(self, claim: Claim) -> Checked:
        """Give the verdict on a number, an attribution or a time."""
        if not len(self.heard.line_of):
            return Checked(claim, "not checkable", "the transcript holds no words")
        meant = self.roll.meant(claim.names)
        nearly = self._nearly.check(claim, meant) if claim.kind != "time" else None
        found = self._passages(claim)
        if nearly is not None:
            also = nearly.false and claim.kind == "number" and self._also(claim, found, meant.voices or None)
            return Checked(claim, "not checkable", _ALSO, (), nearly.citations) if also else nearly
        if found.words < FEWEST:
            return Checked(claim, "not checkable", "its sentence says too little to find what it is about")
        if claim.kind == "number":
            return self._number(claim, found, meant)
        return self._attribution(claim, found, meant) if claim.kind == "attribution" else self._time(claim, found)

    def _passages(self, claim: Claim) -> Passages:
        """Find passages once a sentence, however many claims it makes."""
        if self._last is None or self._last[0] != claim.sentence:
            names = {token.text for name in self._names() for token in tokens(name, self.words)}
            sentence = [token.text for token in tokens(claim.sentence, self.words)]
            found = passages(self.heard, sentence, self.words, frozenset(names))
            self._last = (claim.sentence, found)
        return self._last[1]

    def _names(self) -> Iterator[str]:
        for voice in self.roll.entry.voices:
            yield from (voice.display, *voice.aliases)

    def _number(self, claim: Claim, found: Passages, meant: Meant) -> Checked:
        voices = meant.voices or None
        best, place = found.best(voices)
        if best < FOUND and voices is not None:
            voices, (best, place) = None, found.best()
        if best < FOUND:
            return Checked(claim, "not checkable", _UNFOUND)
        said = self._said(found, best, voices)
        values = [value_of(self.heard.texts[self.heard.track[at]]) for at in said]
        same = [at for at, value in zip(said, values, strict=True) if value == claim.value]
        same = same or [at for at, value in zip(said, values, strict=True) if rounded(claim, value, self.words)]
        if same:
            nearest = int(min(same, key=lambda at: abs(int(at) - place - found.width // 2)))
            token = int(self.heard.origin[nearest])
            exact = value_of(self.heard.text(token)) == claim.value
            reason = "" if exact else f"rounded: {as_said(self.heard, token)} is said"
            return Checked(claim, "verbatim", reason, (), self._around(nearest))
        if (run := self._digits(claim, said)) is not None:
            return Checked(claim, "verbatim", "", (), self._around(run))
        instead = self._instead(claim, said)
        if instead is not None and self._also(claim, found, voices):
            return Checked(claim, "not checkable", _ALSO, (), self._around(instead))
        if instead is not None:
            cited, words = self._around(instead), as_said(self.heard, int(self.heard.origin[instead]))
            change = (Change("written", claim.text), Change("said", words))
            return Checked(claim, "altered", f"{words} is said there", change, cited)
        track, texts = self.heard.track, self.heard.texts
        everywhere = {value_of(texts[track[at]]) for at in self.heard.numbers}
        elsewhere = any(value in readings(claim.value) or rounded(claim, value, self.words) for value in everywhere)
        if best < SURE or elsewhere or self._small(claim):
            return Checked(claim, "not checkable", "the number is not said in the passage that comes nearest")
        where = self.quoting.citations(found.line(place))
        return Checked(claim, "not in the transcript", "this number is said nowhere", (), tuple(where)[:1])

    def _digits(self, claim: Claim, said: Ints) -> int | None:
        """Give where a number is said piece by piece: 747 as seven forty-seven, 555 as five five five."""
        track, texts = self.heard.track, self.heard.texts
        for first in said:
            digits, at = "", int(first)
            while at < len(track) and track[at] >= 0 and len(digits) < len(f"{claim.value}"):
                value = value_of(texts[track[at]])
                if value is None:
                    break
                digits, at = f"{digits}{value}", at + 1
            if at - first > 1 and digits == f"{claim.value}":
                return int(first)
        return None

    def _also(self, claim: Claim, found: Passages, voices: frozenset[int] | None) -> bool:
        """Say whether another passage that the sentence may be about does say the number."""
        said = self._said(found, 0.0, voices) if found.words >= FEWEST else ()
        return any(value_of(self.heard.texts[self.heard.track[at]]) in readings(claim.value) for at in said)

    def _said(self, found: Passages, best: float, voices: frozenset[int] | None) -> Ints:
        """Give the places of numbers in or beside the passages that are as good as the best, or all that were found."""
        good = np.flatnonzero(found.coverage >= max(FOUND, NEAR * best))
        if voices is not None:
            good = good[np.isin(self.heard.voices[good], list(voices)) & (good >= self.heard.alone)]
        numbers = self.heard.numbers
        nearest = np.searchsorted(good, numbers + MARGIN, side="right") - 1
        reach = np.where(nearest >= 0, good[np.maximum(nearest, 0)] + found.width + MARGIN, -1) if len(good) else -1
        kept = numbers[(nearest >= 0) & (numbers < reach)] if len(good) else numbers[:0]
        return kept[self.heard.voices[kept] >= -1]

    def _instead(self, claim: Claim, said: Ints) -> int | None:
        """Give a number that is said in the claimed one's place: before the same word, or between the same."""
        track, texts = self.heard.track, self.heard.texts
        before, after = claim.beside
        own = {token.text for token in tokens(claim.sentence, self.words)}
        for at in said:
            if texts[track[at]] in own:
                continue
            left = texts[track[at - 1]] if at > 0 and track[at - 1] >= 0 else ""
            right = texts[track[at + 1]] if at + 1 < len(track) and track[at + 1] >= 0 else ""
            unit = after == right and bool(after) and (after in SIGNS or after not in self.words.common)
            if unit or (before == left and after == right and before and after):
                return int(at)
            if before == left and before and before not in self.words.common:
                return int(at)
        return None

    def _small(self, claim: Claim) -> bool:
        """Say whether a number may have been counted by whoever wrote, and not said: two options, three people."""
        return claim.value is not None and claim.value <= 12 and claim.beside[1] not in SIGNS

    def _attribution(self, claim: Claim, found: Passages, meant: Meant) -> Checked:
        best, place = found.best()
        if best < FOUND:
            return Checked(claim, "not checkable", _UNFOUND)
        theirs, own = found.best(meant.voices) if meant.voices else (0.0, -1)
        if theirs >= SURE or theirs >= NEAR * best:
            cited = tuple(self.quoting.citations(found.line(own)))[:1]
            if theirs >= SURE:
                return Checked(claim, "verbatim", "", (), cited)
            return Checked(claim, "not checkable", "in other words; the speaker says something like it here", (), cited)
        voice, (best, place) = self._strongest(found)
        cited = tuple(self.quoting.citations(found.line(place)))[:1] if place >= 0 else ()
        if meant.nobody:
            who = ", ".join(meant.unknown)
            return Checked(
                claim, "not checkable", f"no voice is called {who}; others may report what {who} said", (), cited
            )
        if voice is None or best < SURE or theirs > WEAK:
            return Checked(claim, "not checkable", "no passage is close enough to say whose it is")
        return Checked(claim, "other speaker", f"{self.roll.name(voice)} speaks of this", (), cited)

    def _strongest(self, found: Passages) -> tuple[int | None, tuple[float, int]]:
        """Give the voice whose own words cover a sentence best."""
        voices = [voice.id for voice in self.roll.entry.voices]
        ranked = [(found.best(frozenset({voice})), voice) for voice in voices]
        top, voice = max(ranked, default=((0.0, -1), None))
        return voice, top

    def _time(self, claim: Claim, found: Passages) -> Checked:
        moment, duration = claim.moment, self.quoting.recording.duration_ms
        assert moment is not None
        if moment.t0 >= duration and of_day(moment):
            return Checked(claim, "not checkable", "it may be a time of day")
        if all(a >= duration for a, _ in moment.readings()):
            return Checked(claim, "not in the transcript", f"the recording ends at {clock(duration)}")
        best, place = found.best()
        if best < FOUND:
            return Checked(claim, "not checkable", _UNFOUND)
        times = self._times()
        near = np.zeros(len(times), bool)
        for a, b in moment.readings():
            near |= (times >= a - self.quoting.tolerance - PASSAGE_MS) & (
                times <= b + self.quoting.tolerance + PASSAGE_MS
            )
        there, own = found.best(places=np.flatnonzero(near).astype(np.int32))
        if there >= max(FOUND, NEAR * best) or (there >= FOUND and best < SURE):
            return Checked(claim, "verbatim", "", (), tuple(self.quoting.citations(found.line(own)))[:1])
        cited = tuple(self.quoting.citations(found.line(place)))[:1]
        if best < SURE or there > WEAK or of_day(moment):
            return Checked(claim, "not checkable", "the passage cannot be placed surely enough")
        at = clock(round(cited[0].start * 1000)) if cited else ""
        return Checked(claim, "other time", f"spoken of at {at}, not at {clock(moment.t0)}", (), cited)

    def _times(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """Give the time of each place of the track, from the line it stands in; far off at barriers."""
        spans = np.array([(line.t0, line.t1) for line in self.heard.lines], np.int64)
        lines, order = self.heard.line_of, np.arange(len(self.heard.line_of))
        first = np.searchsorted(lines, lines, side="left")
        count = np.searchsorted(lines, lines, side="right") - first
        t0, t1 = spans[lines, 0], spans[lines, 1]
        own = np.append(t0 + (t1 - t0) * (order - first) // np.maximum(count, 1), -(10**12))
        return own[self.heard.origin]

    def _around(self, place: int) -> tuple[Citation, ...]:
        """Cite the words around a number, of its own segment."""
        line = self.heard.line_of[self.heard.origin[place]]
        tokens = [int(t) for t in self.heard.origin[max(0, place - 8) : place + 9] if t >= 0]
        return tuple(self.quoting.citations([t for t in tokens if self.heard.line_of[t] == line]))
