"""Whether a sentence stands on rows, decided by code: numbers, times, quotes and people must be in them.

What can be disproved (a number, a time, a person, an attribution that no cited row has) is unsupported. What only looks
doubtful, because it has few of the rows' words or differs from them in one, is for a note.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from agent.brains.rules.phrases import ADJECTIVES
from agent.graph.asserted import asserted, reports_asking
from agent.graph.figured import figures, misplaced
from agent.graph.named import capitals, dates, does, knows_of_all, says, speaks_of_all, written_as
from agent.graph.sentences import QUOTE
from agent.graph.stems import WORD, differs, enough, share, stems
from store.clock import clock_time
from store.figures import in_figures
from store.keywords import holds, normalise
from store.numbers import Number, numbers
from tools.citations import quoted_in
from tools.evidence import EvidenceRow

Verdict = Literal["supported", "doubtful", "unsupported"]

UNMARKED = 0.5
SHORTEST_QUOTE = 3
AROUND_MS = 30_000
TIME = re.compile(r"\b\d{1,3}(?::\d{2}){1,2}\b")


@dataclass(frozen=True)
class Ground:
    """What the sentences of one answer may stand on besides the rows they cite.

    `people` are the forms of each voice's name; `computed` the numbers that SQL gave; `times` the seconds that the
    question or the value names; `capitals` whether a word with a capital is a name in this language; `spare` the rows
    that were found and are not cited; `asked` whose words were asked for, where those of others came along.
    """

    people: Sequence[frozenset[str]] = ()
    computed: Sequence[float] = ()
    times: Sequence[float] = ()
    question: str = ""
    capitals: bool = True
    spare: Sequence[EvidenceRow] = ()
    asked: frozenset[str] = frozenset()

    def verdict(self, sentence: str, cited: Sequence[EvidenceRow]) -> Verdict:
        """Say whether a sentence (without marks) stands on the rows it cites, of which there is at least one."""
        rows, plain = flat(cited), QUOTE.sub(" ", sentence)
        true = (
            all(self._time(at, rows) for at in TIME.findall(plain))
            and all(self._number(number, rows) for number in numbers(plain))
            and self._persons(plain, rows)
            and self._names(plain, rows)
            and self._owned(sentence, plain, rows)
        )
        if not true or not (QUOTE.search(sentence) or self._touches(plain, [_said(row) for row in rows])):
            return "unsupported"
        return "supported" if self._sure(sentence, plain, rows) else "doubtful"

    def _touches(self, plain: str, said: Sequence[str]) -> bool:
        """Say whether rows have anything of a sentence: a word or a figure ("fine, 250 then" of what was settled)."""
        words = stems(plain) - self._own
        return not words or share(words, said) > 0 or any(figures(plain) & figures(text) for text in said)

    def _sure(self, sentence: str, plain: str, rows: Sequence[EvidenceRow]) -> bool:
        """Say whether rows assert what a sentence does: its words, its subjects, its days, and no contrary."""
        told = counted = _told(plain, rows)
        if (figured := in_figures(plain)) != plain:
            counted = list(map(in_figures, told))
        return (
            (QUOTE.search(sentence) is not None or enough(stems(figured) - self._own, counted))
            and not differs(figured, counted, self._own)
            and not misplaced(figured, counted, self._own)
            and all(self._acts(forms, plain, rows) for forms in self.people)
            and (not speaks_of_all(plain) or self._of_all(told, rows))
            and dates(plain) <= _days(rows)
            and self._names(plain, rows, near=False)
        )

    def best(self, sentence: str, rows: Sequence[EvidenceRow]) -> EvidenceRow | None:
        """Give the row that a sentence without a mark stands on, None when there is none."""
        words, quotes = stems(QUOTE.sub(" ", sentence)), QUOTE.findall(sentence)
        rated = [(self._likeness(words, quotes, row), -place, row) for place, row in enumerate(rows)]
        for likeness, _, row in sorted(rated, key=lambda found: found[:2], reverse=True):
            if likeness < UNMARKED:
                return None
            if self.verdict(sentence, [row]) == "supported":
                return row
        return None

    def beside(self, sentence: str, cited: Sequence[EvidenceRow]) -> list[EvidenceRow]:
        """Give the rows found close to cited ones that hold the figures of a sentence which these lack."""
        lacking = [n.value for n in numbers(QUOTE.sub(" ", sentence)) if not self._number(n, flat(cited))]
        near = sorted(
            (min(abs(row.t0 - one.t0) for one in cited if _beside(row, one)), place, row)
            for place, row in enumerate(self.spare)
            if any(_beside(row, one) for one in cited)
        )
        holding = ([row for *_, row in near if value in figures(_said(row))] for value in lacking)
        return list(dict.fromkeys(rows[0] for rows in holding if rows))

    def _likeness(self, words: frozenset[str], quotes: Sequence[str], row: EvidenceRow) -> float:
        """Give the share of words that a row holds; where words are quoted, whether the row holds these."""
        said = [_said(other) for other in flat([row])]
        return float(any(quoted_in(quotes[0], text) for text in said)) if quotes else share(words, said)

    def _number(self, number: Number, rows: Sequence[EvidenceRow]) -> bool:
        said = {other.value for row in rows for other in numbers(_said(row))}
        return number.value in said or number.value in [round(value, number.decimals) for value in self.computed]

    def _time(self, text: str, rows: Sequence[EvidenceRow]) -> bool:
        at = float(clock_time(text))
        inside = any(row.t0 // 1000 <= at <= -(-row.t1 // 1000) for row in rows)
        return inside or at in self.times or any(text in _said(row) for row in rows)

    def _persons(self, text: str, rows: Sequence[EvidenceRow]) -> bool:
        """Every person must be a cited row's speaker, or be around it ("her"); who "says" something is its speaker."""
        return all(self._person(forms, text, rows) for forms in self.people)

    def _person(self, forms: frozenset[str], text: str, rows: Sequence[EvidenceRow]) -> bool:
        named = [form for form in forms if written_as(form, text)]
        if not named or any(row.speaker in forms for row in rows):
            return True
        if any(says(form, text) for form in named):
            return False
        near = [row for row in self.spare if any(_beside(row, cited) for cited in rows)]
        told = any(holds(normalise(_said(row)), normalise(form)) for form in named for row in (*rows, *near))
        return told or any(row.speaker in forms for row in near)

    def _acts(self, forms: frozenset[str], text: str, rows: Sequence[EvidenceRow]) -> bool:
        """Whose deeds or thoughts a sentence tells must speak in the rows, or be named there."""
        named = [form for form in forms if written_as(form, text) and does(form, text) is not None]
        told = (holds(normalise(_said(row)), normalise(form)) for form in named for row in rows)
        return not named or any(row.speaker in forms for row in rows) or any(told)

    def _of_all(self, told: Sequence[str], rows: Sequence[EvidenceRow]) -> bool:
        """Everybody and nobody need a row that says so, or rows of everybody."""
        everybody = bool(self.people) and all(any(row.speaker in forms for row in rows) for forms in self.people)
        return everybody or any(map(knows_of_all, told))

    def _owned(self, sentence: str, plain: str, rows: Sequence[EvidenceRow]) -> bool:
        """Where one person's words were asked for, what stands on somebody else's must say whose they are."""
        quoted = [[row for row in rows if quoted_in(quote, row.said)] for quote in QUOTE.findall(sentence)]
        return all(any(self._whose(row, plain) for row in some or rows) for some in quoted or [list(rows)])

    def _whose(self, row: EvidenceRow, plain: str) -> bool:
        if not self.asked or row.speaker in self.asked:
            return True
        return any(written_as(form, plain) for forms in self.people if row.speaker in forms for form in forms)

    def _names(self, text: str, rows: Sequence[EvidenceRow], near: bool = True) -> bool:
        """Other words with a capital within a sentence are names: the rows (`near`: any found) or the question."""
        held = [*rows, *self.spare] if near else rows
        known = self._own.union(stems(self.question), *(stems(_said(row)) for row in held))
        others = {word.casefold() for word in capitals(text) if not stems(word) <= known}
        return not self.capitals or not others or others <= _days(held)

    @property
    def _own(self) -> frozenset[str]:
        return frozenset[str]().union(*(stems(form) for forms in self.people for form in forms))


def trimmed(sentence: str, texts: Iterable[str]) -> str | None:
    """Cut each quote down to its longest part that one text holds word for word; None when one has too little left."""
    held = list(texts)
    wrong = [quote for quote in QUOTE.findall(sentence) if not any(quoted_in(quote, text) for text in held)]
    for quote in wrong:
        part = max((longest_part(quote, text) for text in held), key=len, default="")
        if len(part.split()) < SHORTEST_QUOTE or len(stems(part)) < SHORTEST_QUOTE - 1:
            return None
        sentence = sentence.replace(f"“{quote}”", f"“{part}”")
    return sentence


def longest_part(quote: str, text: str) -> str:
    """Give the longest run of a text's words that a quote has too, as the text writes it."""
    theirs = text.split()
    folded = [_folded(word) for word in theirs]
    end = length = 0
    before = [0] * (len(folded) + 1)
    for word in map(_folded, quote.split()):
        row = [0] * (len(folded) + 1)
        for place, other in enumerate(folded, 1):
            row[place] = before[place - 1] + 1 if word and word == other else 0
            if row[place] > length:
                end, length = place, row[place]
        before = row
    return " ".join(theirs[end - length : end]).strip(" ,;:")


def flat(rows: Iterable[EvidenceRow]) -> list[EvidenceRow]:
    """Give rows, where they go on, and their partners as one list."""
    return [other for row in rows for other in (row, *row.onward, *row.partners)]


def _beside(row: EvidenceRow, cited: EvidenceRow) -> bool:
    gap = max(cited.t0 - row.t1, row.t0 - cited.t1)
    return row.recording == cited.recording and gap <= AROUND_MS


def _said(row: EvidenceRow) -> str:
    felt = ADJECTIVES.get(row.label or "", "") if row.stream == "emotion" else ""
    return unicodedata.normalize("NFC", " ".join(part for part in (row.said, row.label, felt) if part))


def _told(sentence: str, rows: Sequence[EvidenceRow]) -> list[str]:
    """Give what rows assert, or all their words where the sentence only says what was asked or not said."""
    if reports_asking(sentence):
        return [_said(row) for row in rows]
    spoken = sorted((row for row in rows if row.text), key=lambda row: (row.recording, row.t0))
    return [*asserted([str(row.text) for row in spoken]), *(_said(replace(row, text=None)) for row in rows)]


def _days(rows: Sequence[EvidenceRow]) -> frozenset[str]:
    """Give the days and months that rows name, as one and as several ("on Sundays")."""
    said = normalise(" ".join(map(_said, rows)))
    words = WORD.findall(said)
    found = dates(f"{said} {' '.join(word.removesuffix('s') for word in words)}") | (set(words) & {"may", "march"})
    return found | {f"{day}s" for day in found}


def _folded(word: str) -> str:
    return normalise(word).strip(".,;:!?\"'“”()…")
