"""Who a sentence says has spoken: "Ben said", "said Ben", "according to Ben", "Ben: ...", "... — Ben", "[12:34 Ben]".

A name that is only mentioned attributes nothing. A pronoun attributes nothing either: whom it means would be a guess.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.check.naming import Name, Roster, joint
from agent.check.quotes import Quote
from agent.check.words import Words, all_words
from store.keywords import normalise

BLANK = "\ue000"
_WORDS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_CLOCK = r"[\d:.,–—\s-]{4,24}"
_LABEL = re.compile(rf"\s*(?:\([^()]{{0,60}}\))?\s*,?\s*(?:{_CLOCK})?[:：]\s*")
_BRACKET_BEFORE = re.compile(rf"[(\[]\s*(?:{_CLOCK}[,;]?\s*)?$")
_BRACKET_AFTER = re.compile(rf"\s*[,;]?\s*(?:{_CLOCK})?[)\]][:,]?\s*")
_DASH = re.compile(r"[\s.,;]*(?:—|–|―|--|-|~)\s*(?:the\s+)?")
_OPEN = re.compile(rf"\s*[.,;]?\s*[(\[]\s*(?:{_CLOCK}[,;]?\s*)?(?:the\s+)?")
_REACH = 4


@dataclass(frozen=True, slots=True)
class Attribution:
    """Words are given to these people (any one of them will do), by a phrase at [start, end)."""

    names: tuple[str, ...]
    start: int
    end: int


class Attributor:
    """Finds attributions in sentences whose quotes are blanked."""

    def __init__(self, roster: Roster) -> None:
        self.roster = roster
        self._last: tuple[str, list[Name], list[Attribution]] = ("", [], [])
        tables: Sequence[Words] = all_words()
        self._verbs = frozenset().union(*(words.verbs for words in tables))
        self._by = frozenset().union(*(words.by for words in tables))
        self._passives = frozenset().union(*(words.passives for words in tables))
        self._modals = frozenset().union(*(words.modals for words in tables))
        self._denials = frozenset().union(*(words.denials for words in tables))
        self._possessed = frozenset().union(*(words.possessed for words in tables))
        self._headings = frozenset().union(*(words.headings for words in tables))
        phrases = "|".join(re.escape(phrase) for words in tables for phrase in words.according)
        self._according = re.compile(rf"(?:^|\W)(?:{phrases})\s+(?:the\s+)?$", re.IGNORECASE)

    def all(self, text: str) -> list[Attribution]:
        """Give the attributions of a sentence in order, label first."""
        return self._read(text)[1]

    def _read(self, text: str) -> tuple[list[Name], list[Attribution]]:
        """Give names and attributions of a sentence; one with many quotes is read once."""
        if self._last[0] != text:
            self._last = (text, self.roster.names(text), list(self._all(text)))
        return self._last[1:]

    def label(self, text: str, *, quoted: bool = False) -> Attribution | None:
        """Give the label a text begins with ("Ben (12:34):"); an unknown name counts only before a quote."""
        for name in self.roster.names(text[:120])[:1]:
            match = _LABEL.match(text, name.end)
            lead = text[: name.start].strip(" [(0123456789:.,–—-]")
            if match is None or lead.casefold() not in ("", "the"):
                continue
            if self.roster.knows(name.text) or (quoted and self._is_name(name.text)):
                return Attribution((name.text,), name.start, match.end())
        return None

    def of_quote(
        self, text: str, quote: Quote, before: Quote | None, after: Quote | None, ended: bool
    ) -> Attribution | None:
        """Give who a quote is attributed to in its sentence; the neighbours are the quotes before and after it.

        Of a quote that `ended` with a full stop, "Ben said:" behind it introduces the next one.
        """
        left = before.end if before else 0
        right = after.start if after else len(text)
        names, found = self._read(text)
        ways = (
            self._touching_before(text, names, left, quote.start),
            self._touching_after(text, names, quote.end, right),
        )
        signed = before is not None and not led(text) and text[left : quote.start].strip()[-1:] in (")", "]")
        direct = next((way for way in (reversed(ways) if signed else ways) if way is not None), None)
        if direct is not None:
            return direct
        lead = next((a for a in reversed(found) if left <= a.start and a.end <= quote.start), None)
        tail = self._tail(text, found, quote, right, ended and after is not None)
        if lead is not None and before is not None and not text[left : lead.start].strip(" ,."):
            return tail or lead
        said = lead or tail
        return said or next((a for a in found if self._after_according(text, a.start)), None)

    def _all(self, text: str) -> Iterator[Attribution]:
        names = self.roster.names(text)
        label = self.label(text)
        if label is not None:
            yield label
        for group in joint(names, text):
            first, last = group[0], group[-1]
            said = tuple(name.text for name in group)
            if self._denied(text, group):
                continue
            end = self._verb_after(text, last, names)
            if end is not None:
                yield Attribution(said, first.start, end)
            elif self._after_according(text, first.start) or self._passive(text[: first.start]):
                yield Attribution(said, first.start, last.end)

    def _denied(self, text: str, group: Sequence[Name]) -> bool:
        """Say whether words are given to none of these: "neither Ben nor Ada said", "if Ben had said"."""
        before = [text[max(0, name.start - 20) : name.start] for name in group]
        words = [normalise(found[-1]) for part in before if (found := _WORDS.findall(part))]
        return any(word in self._denials for word in words)

    def _verb_after(self, text: str, name: Name, names: Sequence[Name]) -> int | None:
        """Give where a verb of speech ends whose subject the name is, None when there is none near."""
        rest = text[name.end : name.end + 80]
        rest = re.sub(r"^\s*\([^()]{0,60}\)", lambda match: " " * len(match[0]), rest)
        possessive = re.match(r"['’]s?\s+", rest)
        clause = re.split(rf"[.,;:!?{BLANK}()\[\]]", rest, maxsplit=1)[0]
        before = ""
        for word in list(_WORDS.finditer(clause, possessive.end() if possessive else 0))[:_REACH]:
            place = name.end + word.start()
            told = normalise(word[0])
            if told in self._modals or any(other.start <= place < other.end for other in names):
                return None  # "Ben could say something" gives no words to Ben
            suffered = before in self._passives and not told.endswith("ing")  # "Ben is said to be late"
            if told in (self._possessed if possessive else self._verbs) and not suffered:
                return place + len(word[0])
            before = told
        return None

    def _after_according(self, text: str, place: int) -> bool:
        return self._according.search(text[max(0, place - 40) : place]) is not None

    def _passive(self, before: str) -> bool:
        """Say whether a name after this text is one who spoke: `was asked by`."""
        words = [normalise(word) for word in _WORDS.findall(before[-40:])][-2:]
        return len(words) == 2 and words[1] in self._by and words[0] in self._verbs

    def _touching_before(self, text: str, names: Sequence[Name], left: int, start: int) -> Attribution | None:
        near = [name for name in names if left <= name.start and name.end <= start]
        if not near:
            return None
        name = near[-1]
        between = text[name.end : start]
        labelled = _LABEL.fullmatch(between) and (self.roster.knows(name.text) or self._is_name(name.text))
        bracketed = _BRACKET_AFTER.fullmatch(between) and _BRACKET_BEFORE.search(text[left : name.start])
        possessive = re.fullmatch(r"['’]s?\s*", between) is not None
        if labelled or bracketed or possessive:
            group = next(group for group in joint(names, text) if name in group)
            return Attribution(tuple(member.text for member in group), group[0].start, start)
        return None

    def _touching_after(self, text: str, names: Sequence[Name], end: int, right: int) -> Attribution | None:
        """Find `— Ben`, `(Ben, 12:34)` and `said Ben` right behind a quote."""
        for group in joint([name for name in names if end <= name.start and name.end <= right], text)[:1]:
            between = text[end : group[0].start]
            words = [normalise(word) for word in _WORDS.findall(between)]
            inverted = 0 < len(words) <= 3 and words[-1 - (words[-1] == "the")] in self._verbs and "." not in between
            if _DASH.fullmatch(between) or _OPEN.fullmatch(between) or inverted:
                return Attribution(tuple(name.text for name in group), group[0].start, group[-1].end)
        return None

    def _tail(
        self, text: str, found: Sequence[Attribution], quote: Quote, right: int, follows: bool
    ) -> Attribution | None:
        """Give `..., Ben said` behind a quote, unless it introduces the next one."""
        for said in found:
            if quote.end <= said.start and said.end <= right:
                touching = not text[quote.end : said.start].strip(" ,.;—–-").removeprefix("the").strip()
                introduces = follows and not text[said.end : right].strip(" ,:")
                return said if (touching and not introduces) or self._passive(text[: said.start]) else None
        return None

    def _is_name(self, text: str) -> bool:
        words = [normalise(word).strip(".") for word in text.split()]
        return len(words) <= 3 and text[:1].isupper() and not any(word in self._headings for word in words)


def led(text: str) -> bool:
    """Say whether brackets stand before their quotes, as before the first: (Ben, 0:12) "..." (Ada, 1:20) "..."."""
    return text[: max(0, text.find(BLANK))].rstrip()[-1:] in (")", "]")
