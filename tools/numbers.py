"""Numbers in a text, in digits or in English words, as values that can be compared ("ten percent" and "10%").

"one", "first" and "second" alone are no numbers here: they are pronouns and units far more often. Clock times are not
numbers either.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

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
_SCALES = {"hundred": 100, "hundredth": 100, "thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000}
_CLOCK = re.compile(r"\d{1,3}(?::\d{2}){1,2}(?:\.\d+)?")
_DIGITS = r"\d{1,3}(?:[,\u202f\u00a0']\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_TOKEN = re.compile(rf"(?P<digits>{_DIGITS})|(?P<word>[^\W\d_]+)|(?P<other>[^\s\w-])")
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
    plain = _CLOCK.sub(lambda match: " " * len(match[0]), text.casefold())
    return tuple(_grouped(list(_TOKEN.finditer(plain))))


def _grouped(tokens: list[re.Match[str]]) -> Iterator[Number]:
    run: list[re.Match[str]] = []
    for place, token in enumerate(tokens):
        word = token["word"]
        if token["digits"]:
            yield from _spoken(run)
            run = []
            yield _written(token, tokens[place + 1] if place + 1 < len(tokens) else None)
        elif word and _is_number(word):
            run += [] if word in _SCALES and _after_digits(tokens, place) else [token]
        elif not (word == "and" and run and run[-1]["word"] in _SCALES):
            yield from _spoken(run)
            run = []
    yield from _spoken(run)


def _is_number(word: str) -> bool:
    return word in _UNITS or word in _TENS or word in _SCALES


def _after_digits(tokens: list[re.Match[str]], place: int) -> bool:
    return place > 0 and tokens[place - 1]["digits"] is not None


def _written(token: re.Match[str], after: re.Match[str] | None) -> Number:
    """Read digits, and a scale that follows them ("2.5 million")."""
    plain = re.sub(r"[,\u202f\u00a0']", "", token["digits"])
    scale = _SCALES.get(after["word"] or "", 1) if after is not None else 1
    decimals = len(plain.partition(".")[2]) if scale == 1 else 0
    return Number(float(plain) * scale, decimals, token.start(), token.end())


def _spoken(run: list[re.Match[str]]) -> Iterator[Number]:
    """Read a run of number words: one number, or several where the words do not continue each other."""
    total = current = 0
    start, last = 0, ""
    for token in run:
        word = str(token["word"])
        if last and not _continues(last, word, current):
            yield Number(float(total + current), 0, start, token.start())
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
        last = word
    if run and not (len(run) == 1 and last in _ALONE) and last:
        yield Number(float(total + current), 0, start, run[-1].end())


def _continues(last: str, word: str, current: int) -> bool:
    if word in _SCALES or last in _SCALES:
        return True
    if last in _TENS and word in _UNITS:
        return _UNITS[word] < 10
    return current in range(10, 30) and (word in _TENS or _UNITS.get(word, 0) >= 10)
