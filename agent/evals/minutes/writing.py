"""Writes minutes: sentences cut from a meeting in varied forms, true ones and such with one thing made false.

What is altered: a word of a quote swapped, dropped, put in, negated, exchanged with its neighbour, or a tail invented;
a name for another speaker's who never said it; a number by a digit or a word; a time by 30 s to 15 minutes. What by
chance is true elsewhere in the meeting is not planted.
"""

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from agent.evals.minutes.meeting import Meeting, plain
from store.clock import clock
from store.record import Segment

Altered = Literal["quote", "name", "number", "time"]
ALTERED: tuple[Altered, ...] = ("quote", "name", "number", "time")
TAILS = ("and everybody agreed with that", "because the budget had been cut again", "as we decided last year in Berlin")
STRANGE = ("budget", "meeting", "always", "remote", "important", "project", "later", "different", "hundred", "people")
SMALL = ("four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fifteen")
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_UNIT = "(?:one|two|three|four|five|six|seven|eight|nine)"
NUMBER = re.compile(
    r"(?<![\w.,:])\$?\d[\d,]*(?:\.\d+)?(?![\w:]|[.,]\d)"
    rf"|\b(?:{'|'.join(TENS)})(?:[- ]{_UNIT})?\b|\b(?:{'|'.join(SMALL)})\b",
    re.IGNORECASE,
)
_SHIFTS = (30, 45, 60, 120, 300, 900)
_LENGTHS = (5, 6, 8, 10, 14, 20, 30)
_MARKS = (("“", "”"), ('"', '"'), ("«", "»"), ("„", "“"))
_FORMS = (
    ("{who} said: {q}", "At {at} {who} said: {q}"),
    ("{q}, said {who}.", "{q}, said {who} ({at})."),
    ("{q} — {who}", "{q} — {who}, {at}"),
    ("- {who}: {q}", "- {who} ({at}): {q}"),
    ("According to {who}, {q}", "[{at}] According to {who}, {q}"),
    ("{who} then explained that {q}.", "{who} then explained ({at}) that {q}."),
    ("As {who} put it, {q}", "[{at} {who}] {q}"),
    ("> {plain}\n> — {who}", "> {plain}\n> — {who}, {at}"),
    ("It was {who} who asked: {q}", "{who} ({at}) asked: {q}"),
    ("On this, **{who}** replied {q}.", "{at} {who}: {q}"),
)


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of minutes; `altered` says what was made false in it, None when it is true, `how` in which way."""

    text: str
    altered: Altered | None
    how: str = ""


@dataclass(frozen=True, slots=True)
class _Cut:
    """Words cut from a row, and when they are said."""

    words: tuple[str, ...]
    row: Segment
    at: int


class Writer:
    """Writes minutes of one meeting; the same seed writes the same."""

    def __init__(self, meeting: Meeting, seed: int) -> None:
        self.meeting, self.rng = meeting, random.Random(f"{meeting.name}:{seed}")
        self._rows = [row for row in meeting.said if len(row.text.split()) >= 5 and row.speaker]
        self._counted = [row for row in self._rows if NUMBER.search(row.text)]

    def sentences(self, each: int) -> list[Sentence]:
        """Give `each` false sentences of every kind and as many true ones, shuffled; fewer where a meeting is poor."""
        kinds: tuple[Altered | None, ...] = (*ALTERED, *(None for _ in ALTERED))
        tried = ((self._sentence(kind) for _ in range(40 * each)) for kind in kinds)
        made = [sentence for drafts in tried for sentence in _first(drafts, each)]
        self.rng.shuffle(made)
        return made

    def _sentence(self, kind: Altered | None) -> Sentence | None:
        counted = kind == "number" or (kind is None and self.rng.random() < 0.3)
        cut = self._cut(counted)
        if cut is None or len(plain(" ".join(cut.words)).split()) < 4:
            return None
        text, who, at, how = " ".join(cut.words), str(cut.row.speaker), cut.at, str(kind or "")
        if kind == "quote":
            how, text = self._misquoted(cut.words)
        elif kind == "number":
            text = self._miscounted(text)
        elif kind == "name":
            others = [name for name in self.meeting.speakers if name != who and not self.meeting.holds(text, name)]
            who = self.rng.choice(others) if others else ""
        elif kind == "time":
            shift = self.rng.choice(_SHIFTS) * self.rng.choice((-1, 1)) * 1000
            at, how = at + shift, f"by {shift // 1000} s"
        if not self._is_false(kind, text, who, at, cut):
            return None
        timed = kind == "time" or self.rng.random() < 0.25
        told = kind != "quote" and not timed and self.rng.random() < (0.5 if counted else 0.25)
        return Sentence(self._written(who, text, at if timed else None, told), kind, how)

    def _is_false(self, kind: Altered | None, text: str, who: str, at: int, cut: _Cut) -> bool:
        """Say whether an alteration made the sentence false; a true sentence passes."""
        if kind in ("quote", "number"):
            return bool(text) and not self.meeting.holds(text)
        if kind == "time":
            far = abs(at - cut.row.t0) >= 15_000 + (cut.row.t1 - cut.row.t0) // 8
            return at >= 0 and far and self.meeting.times(text) == 1
        return bool(who)

    def _cut(self, counted: bool) -> _Cut | None:
        """Cut a stretch from a row, with a number in it when `counted`, and never through a number."""
        row = self.rng.choice(self._counted or self._rows) if counted else self.rng.choice(self._rows)
        words = row.text.split()
        length = min(len(words), self.rng.choice(_LENGTHS))
        first = self.rng.randrange(0, len(words) - length + 1)
        cut = words[first : first + length]
        through = _cuts(words, first) or _cuts(words, first + length)
        if through or (counted and not any(NUMBER.fullmatch(word.strip(".,;:!?")) for word in cut)):
            return None
        at = row.t0 + (row.t1 - row.t0) * first // len(words)
        return _Cut(tuple(word for word in cut if not word.startswith("{")), row, at)

    def _misquoted(self, words: Sequence[str]) -> tuple[str, str]:
        changed = [word for word in words if plain(word)]
        place = self.rng.randrange(1, max(2, len(changed) - 1))
        how = self.rng.choice(("swap", "drop", "put in", "negate", "exchange", "tail"))
        if how == "swap":
            changed[place] = self.rng.choice(STRANGE)
        elif how == "drop":
            del changed[place]
        elif how == "put in":
            changed.insert(place, self.rng.choice(STRANGE))
        elif how == "negate":
            denied = [n for n, word in enumerate(changed) if word.casefold() in ("not", "never", "no")]
            changed = (
                changed[: denied[0]] + changed[denied[0] + 1 :]
                if denied
                else [*changed[:place], "not", *changed[place:]]
            )
        elif how == "exchange":
            changed[place - 1], changed[place] = changed[place], changed[place - 1]
        else:
            changed += self.rng.choice(TAILS).split()[: self.rng.choice((2, 4, 6))]
        return how, " ".join(changed)

    def _miscounted(self, text: str) -> str:
        """Change one digit of a number, or the words it is written in."""
        found = list(NUMBER.finditer(text))
        if not found:
            return ""
        match = self.rng.choice(found)
        old = match[0].casefold()
        places = [n for n, letter in enumerate(old) if letter.isdigit()]
        if places:
            place = self.rng.choice(places)
            new = old[:place] + self.rng.choice([d for d in "123456789" if d != old[place]]) + old[place + 1 :]
        elif old.startswith(TENS):
            new = self.rng.choice([ten for ten in TENS if not old.startswith(ten)]) + self.rng.choice(
                ("", "-two", "-seven")
            )
        else:
            new = self.rng.choice([word for word in SMALL if word != old])
        return text[: match.start()] + new + text[match.end() :]

    def _written(self, who: str, text: str, at: int | None, told: bool) -> str:
        quote = self._edited(text)
        if told:
            return f"{who} said that {quote[:1].lower()}{quote[1:].rstrip('.,!?')}."
        left, right = self.rng.choice(_MARKS)
        plainly, timed = self.rng.choice(_FORMS)
        form = plainly if at is None else timed
        return form.format(who=who, q=f"{left}{quote}{right}", plain=quote, at=clock(at or 0))

    def _edited(self, text: str) -> str:
        """Write a transcript's words as an editor does: contractions joined, hesitations mostly out, a capital."""
        text = re.sub(r"\s+(['’](?:s|ll|re|ve|d|m|t)\b)", r"\1", re.sub(r"\s*\{[^}]*\}", "", text))
        text = re.sub(r"\s+([.,;:!?])", r"\1", re.sub('["“”„«»]', "", text))
        if self.rng.random() < 0.7:
            text = re.sub(r"\b(?:uh|um)\b\s?,?\s*", "", text, flags=re.IGNORECASE)
        text = text.strip(" ,;.")
        text = text.replace("'", "’") if self.rng.random() < 0.5 else text
        return (text[:1].upper() + text[1:] if self.rng.random() < 0.7 else text) + self.rng.choice(("", ".", ""))


def document_of(sentences: Sequence[Sentence]) -> tuple[str, list[tuple[int, int]]]:
    """Give the document, and the lines [from, to) on which each sentence stands."""
    text, lines = "# Minutes\n\n", []
    for sentence in sentences:
        first = text.count("\n") + 1
        text += sentence.text + "\n\n"
        lines.append((first, first + sentence.text.count("\n") + 1))
    return text, lines


def _first(drafts: Iterator[Sentence | None], most: int) -> list[Sentence]:
    return list(islice((draft for draft in drafts if draft is not None), most))


def _cuts(words: Sequence[str], place: int) -> bool:
    """Say whether a cut before a word may go through a number, which no editor does."""
    near = [word.strip(".,;:!?") for word in words[max(0, place - 1) : place + 2]]
    return 0 < place < len(words) and any(NUMBER.fullmatch(word) or word == "-" for word in near)
