"""Numbers are one value however they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.check.tokens import spoken, tokens
from agent.check.words import words

EQUAL = [
    ("en", "#23", ["23", "twenty-three", "twenty three", "23rd", "twenty-third"]),
    ("en", "#105", ["105", "a hundred and five", "one hundred five"]),
    ("en", "#12500000", ["12.5 million", "12,500,000", "twelve point five million"]),
    ("en", "#1999", ["1999", "nineteen ninety-nine"]),
    ("en", "#2026", ["2026", "twenty twenty-six", "two thousand and twenty-six"]),
    ("en", "#53.66", ["53.66", "fifty-three point sixty-six", "fifty three point six six"]),
    ("en", "#10000", ["10k", "ten thousand", "10 000".replace(" ", "\u202f")]),
    ("fr", "#97", ["97", "quatre-vingt-dix-sept"]),
    ("fr", "#71", ["71", "soixante et onze"]),
    ("fr", "#200300", ["200 300".replace(" ", "\u00a0"), "deux cent mille trois cents"]),
    ("de", "#23", ["23", "dreiundzwanzig"]),
    ("de", "#12.5", ["12,5", "zwölf Komma fünf"]),
]


@pytest.mark.parametrize(("language", "value", "forms"), EQUAL)
def test_one_value_is_one_token(language: str, value: str, forms: list[str]) -> None:
    for form in forms:
        assert [token.text for token in tokens(form, words(language))] == [value], form


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("$12.5 million", ["#12500000", "$"]),
        ("12.5 million dollars", ["#12500000", "$"]),
        ("40 %, forty per cent", ["#40", "%", "#40", "%"]),
        ("three, four", ["#3", "#4"]),
        ("thirty ? three ?", ["#30", "#3"]),
        ("200,000cases", ["#200000", "cases"]),
        ("a second budget", ["a", "second", "budget"]),
        ("uh, I 'll {pause} don’t", ["i", "ll", "don", "t"]),
        ("1.2.3.4", ["1.2.3.4"]),
    ],
)
def test_tokens_of_a_text(text: str, found: list[str]) -> None:
    assert [token.text for token in spoken(text, words("en"))] == found


@given(st.integers(min_value=0, max_value=99))
def test_every_number_below_a_hundred_is_read_in_words(value: int) -> None:
    small = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
    names = [*small.split(), "seventeen", "eighteen", "nineteen"]
    tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
    spelt = names[value] if value < 20 else tens[value // 10] + (f"-{names[value % 10]}" if value % 10 else "")
    assert [token.text for token in tokens(spelt, words("en"))] == [f"#{value}"]


@given(st.text(max_size=60))
def test_tokens_lie_in_the_text_in_order(text: str) -> None:
    found = spoken(text, words("en"))
    assert all(0 <= token.start < token.end <= len(text) for token in found)
    assert [token.start for token in found] == sorted(token.start for token in found)
