"""Amounts in one form, however they are written: "$9,000", "9000 dollars" and "nine thousand dollars" say the same.

Recognisers write the same words now in figures, now in letters. The form is for comparing, never for showing.
"""

import re
from collections.abc import Iterator

from store.numbers import DIGITS, MULTIPLES, ORDINALS, Number, figure, numbers, spoken

_NAMES = {"$": "dollars", "€": "euros", "£": "pounds", "¥": "yen", "₹": "rupees", "%": "percent"}
_SAID = {
    "dollars": "dollar dollars buck bucks",
    "euros": "euro euros",
    "pounds": "pound pounds quid",
    "yen": "yen",
    "rupees": "rupee rupees",
    "percent": "percent per_cent",
}
_UNITS = {said.replace("_", " "): name for name, words in _SAID.items() for said in words.split()}
_SCALES = (("k", "thousand", 10**3), ("m", "million", 10**6), ("bn", "billion", 10**9))
_LETTERS = {letter: name for letter, name, _ in _SCALES}
_SHORT = re.compile(rf"(?<![\w.,])(?:(?:{DIGITS})k|[$€£¥₹] ?(?:{DIGITS}) ?(?:m|bn))(?!\w)", re.IGNORECASE)
_LETTER = re.compile(r" ?(k|m|bn)$", re.IGNORECASE)
_UNIT = "|".join(sorted(_UNITS, key=len, reverse=True))
_BEFORE = re.compile(rf"(?:(?<!\w)us)?([$€£¥₹]) ?(\d+(?:\.\d+)?)(?: (?:{_UNIT})(?!\w))?", re.IGNORECASE)
_AFTER = re.compile(rf"(?<=\d) ?(?:([€£%])|({_UNIT})(?!\w))", re.IGNORECASE)
_ORDINAL = re.compile(r"(?<!\w)(\d+)(?:st|nd|rd|th)(?!\w)", re.IGNORECASE)
_A = re.compile(r"(?<!\w)a (?=(?:hundred|thousand|million|billion)(?!\w))", re.IGNORECASE)
_SEPARATORS = re.compile(r"(?<=\d)[,\u202f\u00a0'](?=\d{3})")
_SIGNS = {name: sign for sign, name in _NAMES.items()}
_SIGNED = re.compile(r"(?:(?<!\w)us)?[$€£¥₹] ?$", re.IGNORECASE)
_MEASURED = re.compile(rf"(?: ?(?:k|m|bn)(?!\w))?(?: ?[€£%]| (?:{_UNIT})(?!\w))?", re.IGNORECASE)
_COMPOSED = re.compile(r"[^\W\d_]+[ -]|\d\W|\dk$", re.IGNORECASE)
_LARGEST_SPOKEN = 10**12


def in_figures(text: str) -> str:
    """Give a text with its numbers in plain figures and a currency or percent behind its figure as a word.

    "Nine thousand dollars", "$9,000" and "$9k" become "9000 dollars", "ten per cent" and "10%" "10 percent"; "the
    fifth" and "the 5th" become "the _5", which no 5 is.
    """
    text = _A.sub("", _SHORT.sub(_spelt_out, text))
    for number in reversed(numbers(text)):
        text = f"{text[: number.start]}{_plain(number, text)}{text[number.end :]}"
    text = _BEFORE.sub(lambda found: f"{found[2]} {_NAMES[found[1]]}", _ORDINAL.sub(r"_\1", text))
    return _AFTER.sub(lambda found: f" {_NAMES[found[1]] if found[1] else _UNITS[found[2].casefold()]}", text)


def one_word(text: str) -> str:
    """Give a text with each amount as one word: "$9,000", "10%", and "25" for "twenty-five"."""
    for number in reversed(numbers(text)):
        signed, measured = _SIGNED.search(text, 0, number.start), _MEASURED.match(text, number.end)
        start, end = signed.start() if signed else number.start, measured.end() if measured else number.end
        value, _, name = in_figures(text[start:end]).partition(" ")
        sign, plain = _SIGNS.get(name, ""), f"{float(value):,.15g}" if name in _SIGNS else value
        if sign or (_COMPOSED.search(text[start:end]) and not value.startswith("_")):
            text = f"{text[:start]}{'' if sign == '%' else sign}{plain}{sign if sign == '%' else ''}{text[end:]}"
    return text


def ways(text: str) -> tuple[str, ...]:
    """Give how else the largest number of a text may be written, to look for; `in_figures` decides what is the same."""
    written = in_figures(text)
    largest = max(numbers(written), key=lambda number: number.value, default=None)
    if largest is None or largest.value >= _LARGEST_SPOKEN:
        return ()
    ordinal = written[: largest.start].endswith("_")
    return tuple(dict.fromkeys(_ordinals(int(largest.value)) if ordinal else _cardinals(largest.value)))


def _ordinals(value: int) -> Iterator[str]:
    yield from (f"{value}{ending}" for ending in ("st", "nd", "rd", "th"))
    for said in _said(value):
        before, _, last = said.rpartition(" ")
        yield from (f"{before} {name}".strip() for name, unit in ORDINALS.items() if spoken(unit).endswith(last))


def _cardinals(value: float) -> Iterator[str]:
    yield from (figure(value), f"{value:,.15g}")
    for letter, name, size in _SCALES:
        if value >= size:
            yield from (f"{value / size:.15g} {name}", f"{value / size:.15g}{letter}")
    if value == int(value):
        yield from _said(int(value))


def _said(value: int) -> Iterator[str]:
    """Give a number in words, without "one" before a scale, which is also "a"; with "and"; and as a year."""
    yield spoken(value).removeprefix("one ")
    if value > 100 and value % 100:
        yield f"{spoken(value - value % 100).removeprefix('one ')} and {spoken(value % 100)}"
    century, year = divmod(value, 100)
    if 10 <= century < 30 and year >= 10:
        yield f"{spoken(century)} {spoken(year)}"
    if 10 < century < 100 and century % 10 and not year:
        yield f"{spoken(century)} hundred"


def _spelt_out(found: re.Match[str]) -> str:
    return _LETTER.sub(lambda letter: f" {_LETTERS[letter[1].casefold()]}", found[0])


def _plain(number: Number, text: str) -> str:
    """Give a number as figures; digits stay as they are written, so that none of a long one is lost."""
    written = text[number.start : number.end]
    last = re.split(r"[\s-]", written)[-1].casefold()
    if re.fullmatch(DIGITS, written):
        return _SEPARATORS.sub("", written)
    mark = "_" if last in ORDINALS else ""
    return written if last in MULTIPLES else mark + figure(number.value)
