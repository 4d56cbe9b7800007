"""Numbers by their value: "twenty-three", "23" and "23rd" are one token, so are "12.5 million" and 12,500,000.

One reading for both sides: what is read wrongly is read wrongly in the document and in the transcript alike.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from agent.check.words import Words

MARK = "#"
CURRENCIES = frozenset("$€£¥¢₹")
_GROUPED = re.compile(r"\d{1,3}(?:[.,' ]\d{3})+")
_SUFFIXES = {"k": 1_000, "mn": 1_000_000, "bn": 1_000_000_000}
_LARGEST = 10**18  # what goes on is another number: nobody counts further, and hostile documents do
_ORDINALS = ("st", "nd", "rd", "th")


@dataclass(frozen=True, slots=True)
class Raw:
    """A word, a run of digits or a sign, with its place in the text; `ends` when punctuation follows."""

    text: str
    start: int
    end: int
    ends: bool = False


def combined(raw: Sequence[Raw], words: Words) -> Iterator[Raw]:
    """Give the tokens with each number as one, `#23`; a sign of currency comes after its number, as it is spoken."""
    place = 0
    while place < len(raw):
        sign = raw[place].text if raw[place].text in CURRENCIES else ""
        first = place + 1 if sign and place + 1 < len(raw) and raw[place + 1].text[0].isdigit() else place
        if ordinal := _ordinal(raw, place, words):
            yield Raw(ordinal, raw[place].start, raw[place + 1].end, raw[place + 1].ends)
            place += 2
            continue
        value, after = _number(raw, first, words)
        if value is None:
            yield _unit(raw[place], words)
            place += 1
            continue
        start, last = raw[place].start, raw[after - 1]
        yield Raw(f"{MARK}{value.normalize():f}", start, last.end, last.ends)
        if first > place:
            yield Raw(sign, start, last.end, last.ends)
            after += after < len(raw) and words.units.get(raw[after].text) == sign
        place = after + _ranged(raw, after, words)


def value_of(token: str) -> Decimal | None:
    """Give the value of a number's token."""
    return Decimal(token[1:]) if token.startswith(MARK) and len(token) > 1 else None


def _unit(token: Raw, words: Words) -> Raw:
    return Raw(words.units.get(token.text, token.text), token.start, token.end, token.ends)


def _ordinal(raw: Sequence[Raw], place: int, words: Words) -> str | None:
    """Give 1st and 2nd as the words that are said, which are no numbers: the second is also a time."""
    if place + 1 == len(raw) or raw[place + 1].text not in _ORDINALS or raw[place + 1].start != raw[place].start:
        return None
    return next((name for name, value in words.closing.items() if raw[place].text == str(value)), None)


def _ranged(raw: Sequence[Raw], place: int, words: Words) -> bool:
    """Say whether this is the `to` of "20 to 30", which is also written 20-30."""
    if place + 1 >= len(raw) or raw[place].text not in words.ranges or raw[place - 1].ends:
        return False
    first = place + 1 + (raw[place + 1].text in CURRENCIES and place + 2 < len(raw))
    return raw[first].text[0].isdigit() or raw[first].text in words.numerals


def _number(raw: Sequence[Raw], place: int, words: Words) -> tuple[Decimal | None, int]:
    if _halved(raw, place, words):
        return (words.scales.get(raw[place + 2].text) or Decimal(100)) / Decimal(2), place + 3
    if raw[place].text[0].isdigit():
        return _and_half(raw, *_written(raw, place, words), words)
    value, after = _and_half(raw, *_spoken(raw, place, words), words)
    if value in (18, 19, 20) and after < len(raw) and not raw[after - 1].ends:
        year, end = _spoken(raw, after, words)
        if year is not None and 10 <= year < 100:
            return value * 100 + year, end
    return value, after


def _halved(raw: Sequence[Raw], place: int, words: Words) -> bool:
    """Say whether this begins "half a million"."""
    if raw[place].text not in words.half or raw[place].ends or not _follows(raw, place, words.articles):
        return False
    return _follows(raw, place + 1, words.hundred | words.scales.keys())


def _and_half(raw: Sequence[Raw], value: Decimal | None, place: int, words: Words) -> tuple[Decimal | None, int]:
    """Read the half of "two and a half", and of "two and a half million"."""
    said = [token.text for token in raw[place : place + 3]]
    if value is None or value >= 1000 or value != value.to_integral_value() or len(said) < 3 or raw[place - 1].ends:
        return value, place
    if said[0] not in words.joins or said[1] not in words.articles or said[2] not in words.half:
        return value, place
    value, place = value + Decimal("0.5"), place + 3
    scale = words.scales.get(raw[place].text) if place < len(raw) and not raw[place - 1].ends else None
    return (value * scale, place + 1) if scale else (value, place)


def _written(raw: Sequence[Raw], place: int, words: Words) -> tuple[Decimal | None, int]:
    text = raw[place].text
    plain = re.sub("[.,' ]", "", text) if _GROUPED.fullmatch(text) else _pointed(text)
    try:
        value = Decimal(plain)
    except InvalidOperation:
        return None, place
    place += 1
    touching = place < len(raw) and raw[place].start == raw[place - 1].start
    if touching and raw[place].text in _ORDINALS:
        return value, place + 1
    if touching and raw[place].text in _SUFFIXES:
        return value * _SUFFIXES[raw[place].text], place + 1
    while place < len(raw) and not raw[place - 1].ends and raw[place].text in words.scales and value < _LARGEST:
        value, place = value * words.scales[raw[place].text], place + 1
    return value, place


def _pointed(text: str) -> str:
    """Give a number with a point: 1,234.5 and 1.234,5 group by the mark that is not the last."""
    whole, mark, rest = text.rpartition(".") if text.rfind(".") > text.rfind(",") else text.rpartition(",")
    grouped = _GROUPED.fullmatch(whole) is not None and mark not in whole
    return f"{re.sub(r'[^0-9]', '', whole)}.{rest}" if mark and grouped else text.replace(",", ".")


def _spoken(raw: Sequence[Raw], place: int, words: Words) -> tuple[Decimal | None, int]:
    """Read number words from a place on; a number ends where a word does not continue it, or at punctuation."""
    total, current, begin = Decimal(0), None, place
    if raw[place].text in words.articles and _follows(raw, place, words.hundred | words.scales.keys()):
        current, place = Decimal(1), place + 1
    while place < len(raw) and max(total, current or 0) < _LARGEST:
        text = raw[place].text
        small = words.numerals.get(text)
        if small is None and current is not None and current >= 20 and current % 10 == 0:
            small = words.closing.get(text)
        if small is not None and _fits(current, small):
            current = Decimal(80) if current == 4 and small == 20 else (current or Decimal(0)) + small
        elif text in words.hundred and (current is not None or place == begin):
            current = (current or Decimal(1)) * 100
        elif text in words.scales and (current is not None or place == begin):
            total, current = total + (current or 1) * words.scales[text], None
        elif not _bridged(raw, place, begin, words):
            break
        place += 1
        if current is not None and _follows(raw, place - 1, words.point) and _numeral(raw, place + 1, words):
            current, place = _decimals(raw, place + 1, current, words)
        if raw[place - 1].ends:
            break
    while place > begin and raw[place - 1].text in words.joins:
        place -= 1
    return (total + (current or 0), place) if place > begin else (None, place)


def _follows(raw: Sequence[Raw], place: int, texts: frozenset[str]) -> bool:
    return place + 1 < len(raw) and not raw[place].ends and raw[place + 1].text in texts


def _bridged(raw: Sequence[Raw], place: int, begin: int, words: Words) -> bool:
    """Say whether this is the `and` of "two hundred and five"."""
    if place == begin or raw[place].text not in words.joins or place + 1 >= len(raw):
        return False
    before, after = raw[place - 1].text, raw[place + 1].text
    large = before in words.hundred or before in words.scales
    vigesimal = words.numerals.get(before, 0) >= 20 and words.joins == {"et"} and after in ("un", "une", "onze")
    return (large and after in words.numerals) or vigesimal


def _fits(current: Decimal | None, small: int) -> bool:
    """Say whether a numeral continues a number: 20 + 3, 200 + 20, and as French counts 60 + 12, 4 x 20, 10 + 7."""
    if current is None:
        return True
    rest = current % 100
    if rest == 0:
        return current > 0
    if rest >= 20 and rest % 10 == 0:
        return small < 10 or (rest in (60, 80) and small < 20)
    return (rest in (4,) and current == 4 and small == 20) or (rest in (10, 70, 90) and 7 <= small <= 9)


def _numeral(raw: Sequence[Raw], place: int, words: Words) -> bool:
    return place < len(raw) and raw[place].text in words.numerals


def _decimals(raw: Sequence[Raw], place: int, whole: Decimal, words: Words) -> tuple[Decimal, int]:
    """Read what follows the point: digit by digit, or as a number below a hundred ("point sixty-six")."""
    digits = ""
    while place < len(raw) and raw[place].text in words.numerals and not (digits and raw[place - 1].ends):
        value, tens = words.numerals[raw[place].text], digits[-2:] if len(digits) == 2 else ""
        closes = value < 10 and tens[1:] == "0" and tens[:1] > "1"
        digits, place = digits[:-1] + str(value) if closes else digits + str(value), place + 1
    return whole + Decimal(f"0.{digits}"), place
