"""A quote against the transcript: its words first, then who said them, then when."""

from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from agent.check.claims import Claim
from agent.check.compare import Comparison, Match, Part, parts
from agent.check.heard import Heard
from agent.check.roll import Meant, Roll
from agent.check.times import Moment
from agent.check.tokens import Token, literal
from agent.check.verdict import Change, Checked
from agent.check.words import DEFAULT, Words, language_of
from agent.reply import Citation
from store.clock import clock
from tools.sanitize import one_line

LIKE = 0.5
SLACK = 0.1
TELLING = 4
BRIDGE_MS = 60_000
_INSTEAD = 2  # words at the end that may have been said otherwise; more are another subject
_TRIED = 8
_OUTER = " ,.;:!?"
_CITED = 6
_TERM = 3
_SURE = 24 * 60


class Quoting:
    """Checks quotes of one recording; `tolerance` in milliseconds."""

    def __init__(self, heard: Heard, roll: Roll, words: Words, tolerance: int) -> None:
        self.heard, self.roll, self.words, self.tolerance = heard, roll, words, tolerance
        self.recording = roll.entry.recording
        self._t0 = np.array([line.t0 for line in heard.lines] or [0], np.int64)
        self._t1 = np.array([line.t1 for line in heard.lines] or [0], np.int64)

    def check(self, claim: Claim) -> Checked:
        """Give the verdict on a quote."""
        if not claim.closed:
            return Checked(claim, "not checkable", "its quotation mark is never closed")
        quote = parts(claim.text, self.words)
        if not quote or not len(self.heard.line_of):
            return Checked(
                claim, "not checkable", "it holds no words" if not quote else "the transcript holds no words"
            )
        meant = self.roll.meant(claim.names)
        tried = self.matches(quote, meant, claim.moment)
        checked = [self._judged(claim, quote, match, meant) for match in tried if match.heard]
        if not checked:
            return self._absent(claim, quote, None)
        return next((one for one in checked if not one.false), checked[0])

    def matches(self, quote: Sequence[Part], meant: Meant, moment: Moment | None = None) -> list[Match]:
        """Give the stretches that come nearest to words, the best first: by the voices meant, at the time named."""
        comparison = Comparison(self.heard, quote)
        return [comparison.match(end) for end in self._ends(comparison, meant, moment)]

    def likeness(self, quote: Sequence[Part], voices: frozenset[int]) -> float:
        """Give the share of words that these voices alone say in a row."""
        comparison = Comparison(self.heard, quote)
        own = np.isin(np.concatenate([[-1], self.heard.voices]), list(voices))
        own[: self.heard.alone] = False
        return 1 - int(comparison.costs()[own].min()) / max(1, len(quote)) if own.any() else 0.0

    def _judged(self, claim: Claim, quote: Sequence[Part], match: Match, meant: Meant) -> Checked:
        if match.cost and self._literally(claim.text, match):
            match = Match(0, match.length, match.steps)
        if apart := self._apart(quote, match):
            return Checked(claim, "altered", f"its parts stand far from each other: {apart}")
        if match.cost and (_term(claim, quote) or not self._part(quote, match)):
            return self._absent(claim, quote, match)
        cited = tuple(self.citations(match.heard))
        said = [self.heard.line(token).voice for token in match.heard]
        wrong = [reason for reason in (self._who(said, meant), self._when(match, claim.moment)) if reason]
        if match.cost:
            also = "; ".join(reason for _, reason in wrong)
            reason = _counted(match, quote) + (f"; also: {also}" if also else "")
            return Checked(claim, "altered", reason, tuple(self.diff(claim.text, quote, match)), cited)
        if wrong:
            verdict, reason = wrong[0]
            also = "".join(f"; also: {more}" for _, more in wrong[1:])
            chosen = "not checkable" if verdict == "unsure" else verdict
            return Checked(claim, chosen, reason + also, (), cited)  # type: ignore[arg-type]
        return Checked(claim, "verbatim", "", (), cited)

    def _ends(self, comparison: Comparison, meant: Meant, moment: Moment | None) -> list[int]:
        """Give the best places to look at first: by the voice meant, at the time named, of one voice alone."""
        costs, least = comparison.costs(), comparison.least
        places = comparison.ends()
        if meant.voices and least:
            own = np.isin(np.concatenate([[-1], self.heard.voices]), list(meant.voices))
            if own.any() and costs[own].min() <= least + max(1, round(len(comparison.quote) * SLACK)):
                places = np.flatnonzero(own & (costs == costs[own].min())).astype(np.int32)
        places = places[places > 0]
        tokens = self.heard.origin[places - 1]
        places, tokens = places[tokens >= 0], tokens[tokens >= 0]
        if not len(places):
            return []
        lines = self.heard.line_of[tokens]
        gap = np.zeros(len(places), np.int64)
        if moment is not None:
            gaps = [np.maximum(self._t0[lines] - b, a - self._t1[lines]) for a, b in moment.readings()]
            gap = np.maximum(np.minimum.reduce(gaps), 0)
        strange = ~np.isin(self.heard.voices[places - 1], list(meant.voices))
        order = np.lexsort((places, gap, places < self.heard.alone, gap > self.tolerance, strange))
        best = [int(place) for place in places[order]]
        return [self._last(best[0], set(best))] if least else best[:_TRIED]

    def _last(self, place: int, equal: set[int]) -> int:
        """Give the end with the words said instead of the last ones, where it costs the same to leave them out."""
        voice = self.heard.voices[place - 1]
        for _ in range(_INSTEAD):
            if place + 1 in equal and self.heard.voices[place] == voice:
                place += 1
        return place

    def _literally(self, text: str, match: Match) -> bool:
        """Say whether the words stand as they are: a quote may begin or end within what was read as one number."""
        first, last = max(0, match.heard[0] - 2), min(len(self.heard.line_of) - 1, match.heard[-1] + 2)
        around = " ".join(dict.fromkeys(self.heard.line(token).text for token in range(first, last + 1)))
        return f" {literal(text, self.words)} " in f" {literal(around, self.words)} "

    def _apart(self, quote: Sequence[Part], match: Match) -> str:
        """Give the times of a quote's parts where each is said as quoted, but the ellipsis bridges too much."""
        long = any(self.heard.line(b).t0 - self.heard.line(a).t1 > BRIDGE_MS for a, b in match.gaps)
        pieces = [list(run) for gap, run in groupby(quote, key=lambda part: part.token is None) if not gap]
        if len(pieces) < 2 or not (match.cost or long):
            return ""
        found = [Comparison(self.heard, piece) for piece in pieces]
        if any(comparison.least for comparison in found):
            return ""
        firsts = [comparison.match(int(comparison.ends()[0])).heard for comparison in found]
        return ", ".join(clock(self.heard.span(heard[0], heard[-1])[0]) for heard in firsts)

    def _part(self, quote: Sequence[Part], match: Match) -> bool:
        """Say whether enough of a quote stands as quoted to call it altered: half of it, or a telling stretch."""
        run = [token.text for i in match.longest if (token := quote[i].token)]
        telling = len(run) >= TELLING and any(text not in self.words.common for text in run)
        return match.likeness >= LIKE or telling

    def _who(self, said: Sequence[int | None], meant: Meant) -> tuple[str, str] | None:
        """Say what is wrong with whom the words are given to."""
        if not meant.voices and not meant.unknown:
            return None
        if all(voice is None for voice in said):
            return "unsure", "the transcript does not say who speaks here"
        if set(said) <= meant.voices:
            return None
        by = self.roll.names(said)
        if not meant.nobody:
            return "other speaker", f"{by} said it"
        names = " and ".join(f"'{one_line(name)}'" for name in meant.unknown)
        if self.roll.entry.closed:
            return "other speaker", f"{by} said it; nobody called {names} speaks here, only {self.roll.everybody}"
        return "unsure", f"{by} said it; whether that is {names} is not known, because not all voices have names"

    def _when(self, match: Match, moment: Moment | None) -> tuple[str, str] | None:
        """Say what is wrong with the time; a segment's beginning will do, because that is what citations name."""
        if moment is None or (moment.t0 >= self.recording.duration_ms and of_day(moment)):
            return None
        first, last = match.heard[0], match.heard[-1]
        t0, t1 = self.heard.span(first, last)
        line = self.heard.line(first)
        slack = self.tolerance + (0 if self.heard.timed(first) else round(SLACK * (line.t1 - line.t0)))
        for a, b in moment.readings():
            if a - slack <= t1 and t0 <= b + 999 + slack:
                return None
            if abs(a - line.t0) <= self.tolerance + 999:
                return None
        return "other time", f"said at {clock(t0)}, not at {clock(moment.t0)}"

    def citations(self, tokens: Sequence[int]) -> Iterator[Citation]:
        """Give tokens of the transcript as citations, one a segment, each with its own time."""
        by_line = groupby(tokens, key=lambda token: int(self.heard.line_of[token]))
        for n, (_, run) in enumerate(list((key, list(run)) for key, run in by_line)[:_CITED], 1):
            line, (t0, t1) = self.heard.line(run[0]), self.heard.span(run[0], run[-1])
            yield Citation(
                n=n,
                recording=self.recording.public_id,
                start=t0 / 1000,
                end=max(t0 + 1, t1) / 1000,
                speaker=self.roll.name(line.voice),
                stream="transcript",
                quote=line.text[int(self.heard.starts[run[0]]) : int(self.heard.ends[run[-1]])],
                verified=True,
            )

    def _absent(self, claim: Claim, quote: Sequence[Part], match: Match | None) -> Checked:
        """Say why a quote that was not found may yet be none that could be."""
        texts = [part.token.text for part in quote if part.token]
        language = (self.recording.language or DEFAULT)[:2]
        other = language_of(texts)
        if other is not None and other != language:
            reason = f"it is in another language ({other}) than the recording ({language})"
            return Checked(claim, "not checkable", reason)
        if self.recording.state == "listening":
            heard = clock(self.recording.heard_ms)
            return Checked(claim, "not checkable", f"not found so far; the recording is heard only to {heard}")
        if _term(claim, quote):
            return Checked(
                claim, "not checkable", "not found; it may be a term and no quote, as nobody is named for it"
            )
        nearest = ""
        cited: tuple[Citation, ...] = ()
        if match is not None and match.likeness >= LIKE / 2 and len(texts) > _TERM:
            cited, nearest = tuple(self.citations(match.heard))[:1], "; the nearest words are cited"
        return Checked(claim, "not in the transcript", f"these words are not said{nearest}", (), cited)

    def diff(self, text: str, quote: Sequence[Part], match: Match) -> Iterator[Change]:
        """Give the difference as the words that stand, those only written and those said instead."""
        for same, steps in groupby(match.steps, key=lambda step: step[0] in ("same", "open")):
            run = list(steps)
            written = [token for _, i, _ in run if i >= 0 and (token := quote[i].token)]
            heard = [token for step, _, token in run if token >= 0 and step != "open"]
            if same:
                yield Change("same", _slice(text, written) if written else "…")
                continue
            if written:
                yield Change("written", _slice(text, written).strip(_OUTER))
            if heard:
                yield Change("said", " … ".join(str(c.quote) for c in self.citations(heard)).strip(_OUTER))


def of_day(moment: Moment) -> bool:
    """Say whether a time may be one of the day: written bare, as hours and minutes."""
    return not moment.bracketed and moment.hours is not None and moment.t0 < _SURE * 1000


def _term(claim: Claim, quote: Sequence[Part]) -> bool:
    """Say whether marked words may be a term: few, and given to nobody."""
    return not claim.names and sum(part.token is not None for part in quote) <= _TERM


def _slice(text: str, tokens: Sequence[Token]) -> str:
    return text[tokens[0].start : tokens[-1].end]


def _counted(match: Match, quote: Sequence[Part]) -> str:
    """Say in words how far a quote is from what was said."""
    tail = 0
    for step, i, _ in reversed(match.steps):
        if step != "gone":
            break
        tail += quote[i].token is not None
    if tail > 2 and tail == match.cost:
        return f"its last {tail} words are not said there"
    return f"{match.cost} word{'s' if match.cost > 1 else ''} of {match.length} changed, left out or put in"
