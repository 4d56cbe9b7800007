"""Scorers of words: whole words, any case, and nothing that passes by accident."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer

from agent.evals.suites.scorers.rouge import rouge_l
from tests.agent.evals.suites.made import mark, reply, right

TABLE: list[tuple[str, Any, str, bool]] = [
    ("exact", "Friday", "  “friday.” ", True),
    ("exact", ["Monday", "Friday"], "Friday", True),
    ("exact", "5", "-5", False),
    ("exact", "5%", "5", False),
    ("exact", "1.5", "15", False),
    ("exact", "Friday", "Friday or Monday", False),
    ("includes", "friday", "We ship on FRIDAY.", True),
    ("includes", ["Monday", "Friday"], "on Friday", True),
    ("includes", "4", "It is 40,000.", False),
    ("includes", "40", "It is 40,000.", False),
    ("includes", "40", "It is 40.", True),
    ("includes", "$40", "It is $40, no more", True),
    ("includes", "14th of June", "on the 114th of June", False),
    ("includes", "ship", "the shipment", False),
    ("includes", "Zoë", "Zoe\u0308 said it", True),
    ("match", "Friday", "The answer is Friday.", True),
    ("match", "day", "The answer is Friday.", False),
    ("match", "4", "It is 1.4", False),
    ("match", {"target": "yes", "location": "begin"}, "Yes, he did", True),
    ("match", {"target": "yes", "location": "begin"}, "Yesterday", False),
    ("match", {"target": "Ben", "location": "any"}, "It was Ben who said", True),
    ("match", {"target": "Ben", "location": "end"}, "It was Ben who said", False),
    ("regex", r"\b\d{2},\d{3}\b", "It is 40,000.", True),
    ("regex", r"^40", "It is 40,000.", False),
    ("must_include", ["Friday", ["40,000", "40000"]], "40,000 on Friday", True),
    ("must_include", ["Friday", ["40,000", "40000"]], "4 on Friday", False),
    ("must_include", "Friday", "on friday", True),
    ("must_not_include", "unicorn", "two unicorns", False),
    ("must_not_include", ["cat", "dog"], "two birds", True),
    ("must_not_include", ["cat", "dog"], "a Dog", False),
    ("rouge_l", "we ship on Friday", "We ship on Friday!", True),
    ("rouge_l", "we ship on Friday", "We ship on Monday", False),
    ("rouge_l", {"target": "we ship on Friday", "at_least": 0.7}, "We ship on Monday", True),
    ("rouge_l", "我们星期五发货", "我们星期五发货", True),
    ("rouge_l", "我们星期五发货", "他们明天", False),
]


@pytest.mark.parametrize(("name", "wanted", "said", "passes"), TABLE)
def test_the_table(name: str, wanted: Any, said: str, passes: bool) -> None:
    assert right(name, wanted, reply(said)) is passes


def test_a_complaint_names_what_is_missing_and_how_much_is_there() -> None:
    found = mark("must_include", ["Friday", "Monday"], reply("on Friday"))
    assert found.share == 0.5
    assert "'Monday' is not in 'on Friday'" in found.why


def test_what_follows_a_long_right_beginning_is_not_overlooked() -> None:
    good = "word " * 2_000
    assert rouge_l(good, good) == 1
    assert rouge_l(good, good + "wrong " * 2_000) == pytest.approx(2 / 3)


@given(st.lists(st.sampled_from(["a", "b", "c", "d", "e"])), st.lists(st.sampled_from(["a", "b", "c", "d", "e"])))
def test_rouge_l_is_that_of_rouge_score(one: list[str], other: list[str]) -> None:
    target, said = " ".join(one), " ".join(other)
    oracle = RougeScorer(["rougeL"], use_stemmer=False).score(target, said)["rougeL"].fmeasure
    assert rouge_l(target, said) == pytest.approx(oracle)


@given(st.text(alphabet="ab1 .,-!'", max_size=60), st.text(alphabet="ab1 .,-!'", max_size=60))
def test_rouge_l_cuts_words_as_rouge_score_does(target: str, said: str) -> None:
    oracle = RougeScorer(["rougeL"], use_stemmer=False).score(target, said)["rougeL"].fmeasure
    assert rouge_l(target, said) == pytest.approx(oracle)
