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
    ("en", "#2500", ["2,500", "2.5k", "two and a half thousand", "2 and a half thousand"]),
    ("en", "#500000", ["500,000", "half a million", "0.5 million"]),
    ("en", "#1234.5", ["1,234.5", "1.234,5", "one thousand two hundred thirty four point five"]),
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
        ("uh, I 'll {pause} don’t", ["i", "will", "do", "not"]),
        ("the 1st, the 2nd, the 3rd", ["the", "first", "the", "second", "the", "#3"]),
        ("half past nine, half of it", ["half", "past", "#9", "half", "of", "it"]),
        ("two and a half men", ["#2.5", "men"]),
        ("192.168.1.1, 3.2.1", ["192.168.1.1", "3.2.1"]),
        ("I go to 3", ["i", "go", "to", "#3"]),
        ("1.2.3.4", ["1.2.3.4"]),
    ],
)
def test_tokens_of_a_text(text: str, found: list[str]) -> None:
    assert [token.text for token in spoken(text, words("en"))] == found


SAME = [
    ("20-30%", "twenty to thirty percent"),
    ("a 3-2 win", "a three to two win"),
    ("We're sure, we aren't late; it cannot be", "We are sure, we are not late; it can't be"),
    ("I'm going to do it", "I'm gonna do it"),
    ("The colours of the organisation's programme", "The colors of the organization's program"),
    ("a defence, travelling to the centre", "a defense, traveling to the center"),
    ("his résumé, a café in Zürich", "his resume, a cafe in Zurich"),
    ("aged 3 & 5", "aged three and five"),
    ("$20 and £5", "twenty bucks and five quid"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_what_is_said_alike_is_one_form_however_it_is_written(one: str, other: str) -> None:
    found = ([token.text for token in tokens(text, words("en"))] for text in (one, other))
    assert next(found) == next(found)


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


@pytest.mark.parametrize(
    "word", ["one hundred ", "million trillion ", "half a million ", "9" * 40 + " trillion ", "1k "]
)
def test_numbers_without_end_are_read_and_told(word: str) -> None:
    assert tokens(word * 2_000, words("en"))
