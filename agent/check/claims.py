"""A document cut into what can be held against a recording: quotes, attributions, numbers and times.

Each knows its line and its sentence. What claims nothing of this kind is not looked at, and nothing is said about it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

from agent.check.attributions import BLANK, Attribution, Attributor, led
from agent.check.document import Block, Document
from agent.check.naming import Roster
from agent.check.numerals import value_of
from agent.check.quotes import Quote, quotes
from agent.check.sentences import pieces, sentences
from agent.check.times import Moment, moments
from agent.check.tokens import tokens
from agent.check.words import Words, all_words
from store.keywords import normalise

Kind = Literal["quote", "attribution", "number", "time"]
_SIGNED = re.compile(r"\s*(?:—|–|―|--|-)\s*(?=\S)")


@dataclass(frozen=True, slots=True)
class Claim:
    """One claim: `text` as written, `names` of whom any one spoke, the sentence around it, and the time it names.

    A quote whose mark is never closed is not `closed`. Other claims have a `clause`: the sentence without who said it.
    A number knows its value, the words on both sides, and where in the clause it stands.
    """

    kind: Kind
    text: str
    line: int
    sentence: str
    names: tuple[str, ...] = ()
    moment: Moment | None = None
    value: Decimal | None = None
    beside: tuple[str, str] = ("", "")
    clause: str = ""
    offset: int = -1
    closed: bool = True


def claims(document: Document, roster: Roster, words: Words) -> Iterator[Claim]:
    """Give the claims of a document in order."""
    cutter = _Cutter(Attributor(roster), roster, words)
    for place, block in enumerate(document.blocks):
        before = document.blocks[place - 1] if place else None
        after = document.blocks[place + 1] if place + 1 < len(document.blocks) else None
        yield from cutter.quoted(block, before) if block.quoted else cutter.plain(block, after)


class _Cutter:
    def __init__(self, attributor: Attributor, roster: Roster, words: Words) -> None:
        self.attributor, self.roster, self.words = attributor, roster, words
        # Whoever agrees, or asks, need not have said the words that follow.
        self._assents = frozenset().union(*(table.assents for table in all_words()))

    def plain(self, block: Block, after: Block | None) -> Iterator[Claim]:
        """Cut a paragraph, sentence by sentence; a label at its beginning holds for all of it."""
        marks = [_continued(mark, block, after) for mark in quotes(block.text)]
        blanked = _blanked(block.text, marks)
        label = self.attributor.label(blanked, quoted=bool(marks))
        for start, end in sentences(blanked):
            inside = [_moved(mark, -start) for mark in marks if start <= mark.start < end]
            yield from self._sentence(block, block.text[start:end], blanked[start:end], start, inside, label)

    def quoted(self, block: Block, before: Block | None) -> Iterator[Claim]:
        """Cut a block quote: signed in its last line, labelled, or introduced by the paragraph before it."""
        body, _, last = block.text.rpartition("\n")
        signed = _SIGNED.match(last) if body else None
        signature = last[signed.end() :] if signed else ""
        text = body if signed else block.text
        label = self.attributor.label(text.split("\n")[0], quoted=True)
        said = self._signed(signature) or label or self._introduced(before)
        first = label.end if label else 0
        when = next(iter(moments(signature) or moments(text[:first])), None)
        inner = text[first:].strip().strip("\"“”„«»'").strip() if len(quotes(text)) < 2 else text[first:]
        offset = text.find(inner, first)
        for start, end in pieces(inner):
            line = block.line(offset + start)
            part = inner[start:end].strip()
            if part:
                yield Claim("quote", part, line, _short(inner), said.names if said else (), when)
                when = None

    def _signed(self, signature: str) -> Attribution | None:
        names = self.roster.names(signature)[:1]
        return Attribution((names[0].text,), 0, 0) if names else None

    def _introduced(self, before: Block | None) -> Attribution | None:
        if before is None or before.quoted or not before.text.rstrip().endswith((":", "：")):
            return None
        found = self.attributor.all(_blanked(before.text, quotes(before.text)))
        return found[-1] if found else None

    def _sentence(
        self, block: Block, text: str, blanked: str, offset: int, marks: Sequence[Quote], label: Attribution | None
    ) -> Iterator[Claim]:
        times = moments(blanked)
        bracketed = [_bracketed(time, blanked) for time in times]
        shown = _short(text)
        given: Attribution | None = None
        for place, mark in enumerate(marks):
            before = marks[place - 1] if place else None
            after = marks[place + 1] if place + 1 < len(marks) else None
            given = self.attributor.of_quote(blanked, mark, before, after, _ends(text, mark)) or given or label
            paired = times[place] if len(times) == len(marks) else None
            when = paired or _nearest(bracketed, mark, marks, led(blanked))
            names = given.names if given else ()
            line = block.line(offset + mark.start)
            for start, end in pieces(text[mark.first : mark.last]):
                part = text[mark.first + start : mark.first + end].strip()
                yield Claim("quote", part, line, shown, names, when, closed=mark.closed)
                when = None
        found = self.attributor.all(blanked)
        said = found[0] if found else label or Attribution((), 0, 0)
        begin, end = _clause(blanked, said, found)
        clause = (" " * begin + blanked[begin:end]).replace(BLANK, " ")
        base = Claim("attribution", ", ".join(said.names), block.line(offset), shown, said.names, clause=clause)
        bare = self._without(blanked, [(time.start, time.end) for time in times])
        yield from self._numbers(block, bare, offset, replace(base, moment=next(iter(times), None)))
        assents = normalise(blanked[: said.end]).rpartition(" ")[2] in self._assents
        if not marks and said.names and not shown.endswith("?") and not assents:
            yield base
        for time in times if not marks else ():
            line = block.line(offset + time.start)
            yield replace(base, kind="time", text=text[time.start : time.end], line=line, moment=time)

    def _without(self, text: str, spans: Sequence[tuple[int, int]]) -> str:
        """Blank times and names, whose digits are no numbers."""
        spans = [*spans, *((name.start, name.end) for name in self.roster.names(text) if self.roster.knows(name.text))]
        for start, end in spans:
            text = text[:start] + " " * (end - start) + text[end:]
        return text

    def _numbers(self, block: Block, text: str, offset: int, base: Claim) -> Iterator[Claim]:
        found = tokens(text.replace(BLANK, " "), self.words)
        for place, token in enumerate(found):
            value = value_of(token.text)
            written = text[token.start : token.end].strip(" .,;:!?()[]")
            if value is None or (value <= 1 and not any(letter.isdigit() for letter in written)):
                continue
            beside = (found[place - 1].text if place else "", found[place + 1].text if place + 1 < len(found) else "")
            number = replace(base, kind="number", text=written, value=value, beside=beside, offset=token.start)
            yield replace(number, line=block.line(offset + token.start))


def _blanked(text: str, marks: Sequence[Quote]) -> str:
    parts, place = [], 0
    for mark in marks:
        parts += [text[place : mark.start], BLANK * (mark.end - mark.start)]
        place = mark.end
    return "".join([*parts, text[place:]])


def _clause(text: str, said: Attribution, found: Sequence[Attribution]) -> tuple[int, int]:
    """Give the part of a sentence that is said: behind who says it, or before."""
    if not found:
        return 0, len(text)
    rest = text[said.end :].lstrip(" ,:").split()
    return (said.end, len(text)) if len(rest) > 2 else (0, said.start)


def _continued(mark: Quote, block: Block, after: Block | None) -> Quote:
    """Close the quote that goes on in the next paragraph, which begins with the same mark."""
    goes_on = not mark.closed and mark.end == len(block.text) and after is not None and not after.quoted
    if goes_on and after is not None and after.text[:1] == block.text[mark.start]:
        return replace(mark, closed=True)
    return mark


def _ends(text: str, mark: Quote) -> bool:
    """Say whether a quote ends with a sentence of its own."""
    return text[mark.first : mark.last].rstrip()[-1:] in tuple(".!?…")


def _moved(mark: Quote, by: int) -> Quote:
    return Quote(mark.start + by, mark.end + by, mark.first + by, mark.last + by, mark.closed)


def _nearest(times: Sequence[tuple[Moment, int, int]], mark: Quote, marks: Sequence[Quote], led: bool) -> Moment | None:
    """Give the time that belongs to a quote: the nearest one that is not nearer to another quote.

    Between two quotes it belongs to the first, unless brackets stand before their quotes.
    """
    mine = [t for t in times if min(marks, key=lambda other: (_apart(t, other), (-1) ** led * other.start)) == mark]
    return min(mine, key=lambda time: _apart(time, mark), default=(None,))[0]


def _bracketed(time: Moment, text: str) -> tuple[Moment, int, int]:
    """Give a time with the place of the bracket it stands in, or its own."""
    opened = max(text.rfind(mark, max(0, time.start - 60), time.start) for mark in "([")
    closed = min((at for mark in ")]" if (at := text.find(mark, time.end, time.end + 60)) >= 0), default=-1)
    inside = opened >= 0 and closed >= 0 and not any(mark in text[opened + 1 : closed] for mark in f"()[]{BLANK}")
    return (time, opened, closed + 1) if inside else (time, time.start, time.end)


def _apart(time: tuple[Moment, int, int], mark: Quote) -> int:
    return max(mark.start - time[2], time[1] - mark.end, 0)


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= 300 else plain[:300].rsplit(" ", 1)[0] + " …"
