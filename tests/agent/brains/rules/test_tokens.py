"""Quotes and names stay whole, everything else is a word or phrase with its tag."""

from pathlib import Path

import pytest

from agent.brains.rules.language import Token, language
from agent.brains.rules.tokens import tokens

ROOT = Path(__file__).parents[4]


def named(question: str, *roster: str) -> list[str]:
    return [token.text for token in tokens(question, roster, {}, language()) if token.tag == "NAME"]


@pytest.mark.parametrize(
    ("question", "tags"),
    [
        ("who's speaking", ["WHO", "AUX", "SPEAK"]),
        ("What's said?", ["WHAT", "AUX", "SAID", "QMARK"]),
        ("Who didn’t speak?", ["WHO", "AUX", "NOT", "SPEAK", "QMARK"]),
        ("how many times", ["HOWOFTEN"]),
        ("1:00-2:00", ["CLOCK", "DASH", "CLOCK"]),
        ("the 5-minute mark", ["FN", "NUM", "UNIT", "MARK"]),
        ("in the 3rd minute", ["IN", "FN", "ORD", "UNIT"]),
        ("50% of Paris", ["WD", "OF", "CAP"]),
    ],
)
def test_a_question_is_cut_into_tagged_words_and_phrases(question: str, tags: list[str]) -> None:
    assert [token.tag for token in tokens(question, (), {}, language())] == tags


def test_a_quote_is_one_token_whatever_it_holds() -> None:
    found = tokens('Who said "tell me what\'s in the recording"?', (), {}, language())
    assert [token.text for token in found if token.tag == "QUOTE"] == ["tell me what's in the recording"]


@pytest.mark.parametrize("name", ["O'Brien; --", "Select", "%", "John Carter", "李雷", "Hiếu", "SPEAKER_02", "NULL"])
def test_awkward_names_stay_whole(name: str) -> None:
    question = f"What did {name} say about 50% of it"
    assert named(question, name, "Anna") == [name]
    assert " ".join(token.text for token in tokens(question, (name, "Anna"), {}, language())) == question


def test_a_name_that_is_a_word_is_a_name_only_where_it_is_written_so() -> None:
    assert named("Order of the sounds: siren, dog", "Order") == []
    assert named("will Will speak", "Will") == ["Will"]


def test_any_number_of_names_and_quotes_is_cut_out() -> None:
    question = 'Ada "x" ' * 3000 + " ".join(f'"q{n}"' for n in range(2500))
    found = tokens(question, ("Ada",), {}, language())
    assert [token.tag for token in found[:4]] == ["NAME", "QUOTE", "NAME", "QUOTE"]
    assert found[-1].text == "q2499"


def test_a_name_that_is_a_word_is_a_name_inside_a_question_also_where_nobody_bears_it() -> None:
    table = language("en")
    tagged = {t.text: t.tag for t in tokens("How often did Will mention the order?", (), {}, table)}
    assert (tagged["Will"], tagged["order"]) == ("CAP", "ORDER")
    assert next(t.tag for t in tokens("Will it rain?", (), {}, table) if t.text == "Will") != "CAP"


SOUNDS = {("baby", "cry"): Token("SOUND", "baby cry", "baby cry"), ("music",): Token("SOUND", "music", "music")}


@pytest.mark.parametrize(
    "question",
    ['When is the sound "music" heard?', 'how often the noise "Music" comes', 'after the sound event "music"'],
)
def test_what_is_quoted_right_after_a_word_for_sounds_is_that_sound(question: str) -> None:
    found = tokens(question, (), SOUNDS, language())
    assert [token.value for token in found if token.tag == "SOUND"] == ["music"]
    assert not any(token.tag == "QUOTE" for token in found)


@pytest.mark.parametrize(
    ("question", "quoted"),
    [
        ('Who said "music"?', "music"),
        ('When is the word "baby cry" heard?', "baby cry"),
        ('When is the sound "budget" heard?', "budget"),
        ('Which sound follows after Ada says "music"?', "music"),
    ],
)
def test_what_is_quoted_elsewhere_or_is_no_known_sound_stays_a_quote(question: str, quoted: str) -> None:
    found = tokens(question, (), SOUNDS, language())
    assert [token.text for token in found if token.tag == "QUOTE"] == [quoted]
    assert not any(token.tag == "SOUND" for token in found)


@pytest.mark.parametrize(
    ("question", "token"),
    [
        ("Who mentioned nine thousand dollars?", Token("WD", "$9,000", None)),
        ("Who mentioned $9k?", Token("WD", "$9,000", None)),
        ("Who mentioned ten per cent?", Token("WD", "10%", None)),
        ("Who mentioned 2,000?", Token("NUM", "2000", 2000.0)),
        ("Who mentioned twenty-five?", Token("NUM", "25", 25.0)),
    ],
)
def test_an_amount_is_one_token(question: str, token: Token) -> None:
    assert tokens(question, [], {}, language())[2] == token


def test_no_word_for_a_sound_is_a_word_of_the_grammar_so_none_is_dropped_from_a_list() -> None:
    table = (ROOT / "tools" / "events" / "words.tsv").read_text(encoding="utf-8").splitlines()
    words = {word.strip() for line in table if "\t" in line for word in line.split("\t")[1].split(",")}
    single = {word for word in words if " " not in word} - {"babble", "chat", "quiet", "silent"}  # speech, and none
    taken = {word for word in single if [token.tag for token in tokens(word, (), {}, language())] != ["WD"]}
    assert len(single) > 100
    assert not taken
