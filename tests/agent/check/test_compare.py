"""The alignment is exact: against a table filled cell by cell, on random words."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack

import pytest

from agent.check.compare import Comparison, Part, parts
from agent.check.heard import Heard, hear
from agent.check.words import words
from agent.evals.minutes.meeting import Meeting, published
from store import recordings
from store.catalog import catalog
from store.database import Database
from store.record import Segment

Hearing = Callable[[Sequence[tuple[str, str]]], Heard]


@pytest.fixture
def heard(database: Database) -> Iterator[Hearing]:
    with ExitStack() as open_:

        def hearing(said: Sequence[tuple[str, str]]) -> Heard:
            rows = [Segment(1000 * n, 1000 * n + 900, text, who) for n, (who, text) in enumerate(said)]
            public_id = published(database, Meeting("compare", rows))
            connection = open_.enter_context(database.reader())
            entry = catalog(connection, [recordings.find(connection, public_id)]).recordings[0]
            return hear(connection, entry, words("en"))

        yield hearing


def least(quote: Sequence[Part], text: Sequence[str]) -> int:
    """Give the least cost over all stretches of one text, cell by cell."""
    row = [0] * (len(text) + 1)
    for part in quote:
        if part.token is None:
            row = [min(row[max(0, j - part.reach) : j + 1]) for j in range(len(row))]
            continue
        new = [row[0] + 1]
        for j, word in enumerate(text):
            new.append(min(row[j] + (word != part.token.text), row[j + 1] + 1, new[j] + 1))
        row = new
    return min(row)


@pytest.mark.parametrize("seed", range(12))
def test_the_least_cost_is_that_of_the_full_table(seed: int, heard: Hearing) -> None:
    rng = random.Random(seed)
    said = [(rng.choice("XY"), " ".join(rng.choices("abcdefgh", k=rng.randrange(1, 9)))) for _ in range(12)]
    transcript = heard(said)
    every = [word for _, text in said for word in text.split()]
    voices = [[word for who, text in said if who == voice for word in text.split()] for voice in "XY"]
    for _ in range(8):
        words_ = rng.choices("abcdefghij", k=rng.randrange(1, 9))
        if rng.random() < 0.4 and len(words_) > 2:
            words_.insert(len(words_) // 2, rng.choice(["…", "[so]"]))
        quote = parts(" ".join(words_), words("en"))
        comparison = Comparison(transcript, quote)
        assert comparison.least == min(least(quote, text) for text in (every, *voices))
        match = comparison.match(int(comparison.ends()[0]))
        assert match.cost <= comparison.least


def test_a_quote_runs_over_turns_and_past_interruptions(heard: Hearing) -> None:
    transcript = heard([("X", "we ship on"), ("Y", "yeah"), ("X", "Friday at noon")])
    for text in ("ship on Friday at noon", "ship on yeah Friday", "on … noon"):
        assert Comparison(transcript, parts(text, words("en"))).least == 0, text


def test_words_written_together_are_the_same(heard: Hearing) -> None:
    transcript = heard([("X", "send the e-mail to everyone")])
    comparison = Comparison(transcript, parts("send the email to everyone", words("en")))
    assert comparison.match(int(comparison.ends()[0])).cost == 0


@pytest.mark.parametrize(
    ("said", "quote", "cost"),
    [
        ("I, I think that, that we, uh, we should go", "I think that we should go", 0),
        ("no, no, we will not, not go there", "no, we will not go there", 0),
        ("it is five five five for you", "it is five five for you", 1),
        ("the Boeing seven forty-seven is late", "the Boeing 747 is late", 0),
        ("the Boeing seven forty-eight is late", "the Boeing 747 is late", 2),
        ("we cannot sign it", "we can sign it", 1),
    ],
)
def test_a_stutter_is_no_word_and_a_number_may_be_said_in_pieces(
    said: str, quote: str, cost: int, heard: Hearing
) -> None:
    comparison = Comparison(heard([("Ben", said), ("Ada", "Nothing of the kind.")]), parts(quote, words("en")))
    assert comparison.match(int(comparison.ends()[0])).cost == cost
