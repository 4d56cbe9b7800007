"""Politeness goes, names and quotes stay whole."""

import pytest

from agent.brains.rules.cleaning import clean
from agent.brains.rules.language import language


@pytest.mark.parametrize(
    ("question", "plain"),
    [
        ("Hey, could you please tell me who's speaking in this recording?", "who is speaking"),
        ("What's said?", "What is said"),
        ("Please, I'd like to know who spoke in the meeting!", "who spoke"),
        ("Who didn’t speak?", "Who did not speak"),
    ],
)
def test_a_question_is_cleaned(question: str, plain: str) -> None:
    assert clean(question, (), language()).text == plain


def test_quotes_are_put_aside_and_restored() -> None:
    asked = clean('Who said "tell me what\'s in the recording"?', (), language())
    assert asked.quoted(asked.text) == ["tell me what's in the recording"]
    assert asked.restore(asked.text) == "Who said tell me what's in the recording"


@pytest.mark.parametrize("name", ["O'Brien; --", "Select", "%", "John Carter", "李雷", "Hiếu", "SPEAKER_02", "NULL"])
def test_awkward_names_stay_whole(name: str) -> None:
    asked = clean(f"What did {name} say about 50% of it?", (name, "Anna"), language())
    assert asked.named(asked.text) == [name]
    assert asked.restore(asked.text) == f"What did {name} say about 50% of it"


def test_a_name_that_is_a_word_is_a_name_only_where_it_is_written_so() -> None:
    asked = clean("Order of the sounds: siren, dog", ("Order",), language())
    assert asked.named(asked.text) == []
    asked = clean("will Will speak", ("Will",), language())
    assert asked.restore(asked.text) == "will Will speak"
    assert len(asked.named(asked.text)) == 1


def test_any_number_of_names_and_quotes_is_restored() -> None:
    question = 'Ada "x" ' * 3000 + " ".join(f'"q{n}"' for n in range(2500))
    asked = clean(question, ("Ada",), language())
    assert not any(0xE000 <= ord(char) < 0xF000 for char in asked.restore(asked.text))
    assert set(asked.named(asked.text)) == {"Ada"}
    assert asked.quoted(asked.text)[:2] == ["x", "x"]
    assert "q2499" in asked.restore(asked.text)
