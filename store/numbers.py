"""Numbers in a text, in digits or in English words, as values that can be compared ("ten percent" and "10%").

"one", "first" and "second" alone are no numbers here: they are pronouns and units far more often. Clock times are not
numbers either.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import prod

_UNIT_WORDS = """
zero one two|twice three|third|thrice four|fourth five|fifth six|sixth seven|seventh eight|eighth nine|ninth ten|tenth
eleven|eleventh twelve|twelfth|dozen thirteen|thirteenth fourteen|fourteenth fifteen|fifteenth sixteen|sixteenth
seventeen|seventeenth eighteen|eighteenth nineteen|nineteenth
"""
_TEN_WORDS = """
twenty|twentieth thirty|thirtieth forty|fortieth fifty|fiftieth sixty|sixtieth seventy|seventieth eighty|eightieth
ninety|ninetieth
"""
_UNITS = {name: value for value, names in enumerate(_UNIT_WORDS.split()) for name in names.split("|")}
_TENS = {name: 10 * value for value, names in enumerate(_TEN_WORDS.split(), 2) for name in names.split("|")}
_SCALES = {"hundred": 100, "hundredth": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9}
_NAMED = {value: name for name, value in reversed([*_UNITS.items(), *_TENS.items()])}
_NAMED_SCALES = [(value, name) for name, value in reversed(_SCALES.items()) if name != "hundredth"]
ORDINALS = {name: value for name, value in {**_UNITS, **_TENS, **_SCALES}.items() if re.search("(?:th|ird)$", name)}
MULTIPLES = frozenset({"twice", "thrice", "dozen"})
_CLOCK = re.compile(r"\d{1,3}(?::\d{2}){1,2}(?:\.\d+)?")
DIGITS = r"\d{1,3}(?:[,\u202f\u00a0']\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_TOKEN = re.compile(rf"(?P<digits>{DIGITS})|(?P<word>[^\W\d_]+)|(?P<other>[^\s\w-])")
_ALONE = ("one", "zero")


@dataclass(frozen=True, slots=True)
class Number:
    """A number, how many decimals it was written with, and where it stands in the text."""

    value: float
    decimals: int
    start: int
    end: int


def numbers(text: str) -> tuple[Number, ...]:
    """Give the numbers of a text in order; "two thousand one hundred" is one number, "nineteen ninety" is 1990."""
    plain = _CLOCK.sub(lambda match: " " * len(match[0]), text)
    return tuple(_grouped(list(_TOKEN.finditer(plain))))


def figure(value: float) -> str:
    """Give a number in plain digits, none of them lost: 9000, 2500000, 0.25."""
    return str(int(value)) if value == int(value) else f"{value:.15g}"


def spoken(value: int) -> str:
    """Give a number from 0 up as it is said, without "and": "nine thousand one hundred five"."""
    for scale, name in _NAMED_SCALES:
        if value >= scale:
            return f"{spoken(value // scale)} {name} {spoken(value % scale) if value % scale else ''}".strip()
    if value in _NAMED:
        return _NAMED[value]
    return f"{_NAMED[value // 10 * 10]} {_NAMED[value % 10]}"


def _grouped(tokens: Sequence[re.Match[str]]) -> Iterator[Number]:
    run: list[re.Match[str]] = []
    place = 0
    while place < len(tokens):
        token, word = tokens[place], _word(tokens[place])
        place += 1
        if token["digits"]:
            yield from _spoken(run)
            run = []
            scales = list(takewhile(lambda after: _word(after) in _SCALES, tokens[place:]))
            place += len(scales)
            yield _written(token, scales)
        elif word in _UNITS or word in _TENS or word in _SCALES:
            run.append(token)
        elif not (word == "and" and run and _word(run[-1]) in _SCALES):
            yield from _spoken(run)
            run = []
    yield from _spoken(run)


def _word(token: re.Match[str]) -> str:
    return (token["word"] or "").casefold()


def _written(token: re.Match[str], scales: Sequence[re.Match[str]]) -> Number:
    """Read digits, and the scales that follow them ("2.5 million")."""
    plain = re.sub(r"[,\u202f\u00a0']", "", token["digits"])
    decimals = 0 if scales else len(plain.partition(".")[2])
    value = float(plain) * prod(_SCALES[_word(scale)] for scale in scales)
    return Number(value, decimals, token.start(), (scales[-1] if scales else token).end())


def _spoken(run: list[re.Match[str]]) -> Iterator[Number]:
    """Read a run of number words: one number, or several where the words do not continue each other."""
    total = current = 0
    start, end, last = 0, 0, ""
    for token in run:
        word = _word(token)
        if last and not _continues(last, word, current):
            yield Number(float(total + current), 0, start, end)
            total = current = 0
            last = ""
        start = start if last else token.start()
        if word in _SCALES and _SCALES[word] > 100:
            total, current = total + max(current, 1) * _SCALES[word], 0
        elif word in _SCALES:
            current = max(current, 1) * 100
        else:
            value = _UNITS.get(word, _TENS.get(word, 0))
            century = current in range(10, 30) and value >= 10 and last != "hundred"
            current = current * 100 + value if century else current + value
        last, end = word, token.end()
    if run and not (len(run) == 1 and last in _ALONE) and last:
        yield Number(float(total + current), 0, start, end)


def _continues(last: str, word: str, current: int) -> bool:
    if word in _SCALES or last in _SCALES:
        return True
    if last in _TENS and word in _UNITS:
        return _UNITS[word] < 10
    return current in range(10, 30) and (word in _TENS or _UNITS.get(word, 0) >= 10)
