"""Decoys: spelt like the recording's words, half the term, likest to what was written, never the term itself."""

import pytest

from tools.transcript.decoys import COUNT, decoys
from tools.transcript.likeness import likeness

WORDS = ["morning", "letter", "nothing", "Philadelphia", "except", "another", "chapter", "industry", "weather", "would"]


def test_a_decoy_begins_or_ends_like_the_term_and_goes_on_like_another_word() -> None:
    made = decoys("Thistlewood", "this little would", WORDS)
    assert len(made) == COUNT == len(set(made))
    for decoy in made:
        shared = decoy.casefold().startswith("thi") or decoy.casefold().endswith("ood")
        assert shared
        assert decoy[0].isupper()


def test_no_decoy_is_another_spelling_of_the_term() -> None:
    assert all(likeness(decoy, "Thistlewood") < 0.75 for decoy in decoys("Thistlewood", "x", [*WORDS, "Thistlewoode"]))


def test_those_that_sound_like_what_was_written_come_first() -> None:
    made = decoys("Thistlewood", "chapterwood", WORDS, count=40)
    alike = [likeness(decoy, "chapterwood") for decoy in made]
    assert alike == sorted(alike, reverse=True)


def test_they_are_always_the_same_whatever_the_order_of_the_words() -> None:
    assert decoys("Thistlewood", "x", WORDS) == decoys("Thistlewood", "x", WORDS[::-1])


@pytest.mark.parametrize(
    ("term", "words"),
    [("Петербург", ["железная", "дорога", "между", "станциями", "никогда", "снова"]), ("Zanzibar", []), ("", WORDS)],
)
def test_any_alphabet_has_decoys_and_nothing_has_none(term: str, words: list[str]) -> None:
    made = decoys(term, "x", words)
    assert bool(made) is bool(term and words)
    assert all(decoy.isalpha() for decoy in made)
