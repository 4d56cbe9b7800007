"""Which turns of a window are heard alone for their language, and where a window of two languages is cut."""

from itertools import pairwise

import pytest

from store.record import Span
from tools.transcript.recognisers.languages import MOST_ALONE, Guess, parted, told


@pytest.mark.parametrize(
    ("inside", "alone", "languages", "heard"),
    [
        ([("en", 0.4), ("en", 0.99)], ("de", 0.99), ["en", "en"], 0),
        ([("de", 0.95), ("en", 0.3)], ("en", 0.99), ["de", "en"], 0),
        ([("de", 0.6), ("en", 0.9)], ("de", 0.97), ["de", "en"], 1),
        ([("de", 0.6), ("en", 0.9)], ("fr", 0.5), [None, "en"], 1),
        ([("nl", 0.5)] * 7, ("de", 0.97), ["de"] * 2 + [None] * 5, 2),
    ],
)
def test_only_turns_in_doubt_are_heard_alone_and_only_a_few(
    inside: list[Guess], alone: Guess, languages: list[str | None], heard: int
) -> None:
    turns = [Span(place * 4_000, place * 4_000 + 3_000) for place in range(len(inside))]
    asked: list[Span] = []

    def listened(turn: Span) -> Guess:
        asked.append(turn)
        return alone

    assert told(turns, "en", lambda turn: inside[turns.index(turn)], listened) == languages
    assert len(asked) == heard


def test_the_longest_in_doubt_are_heard_alone_and_short_turns_tell_nothing() -> None:
    turns = [Span(0, 1_400), Span(2_000, 4_000), Span(4_000, 9_000), Span(9_000, 12_000), Span(12_000, 14_000)]
    asked: list[Span] = []

    def alone(turn: Span) -> Guess:
        asked.append(turn)
        return "de", 0.99

    assert told(turns, "en", lambda turn: ("de", 0.5), alone) == [None, None, "de", "de", None]
    assert asked == [turns[2], turns[3]]
    assert len(asked) == MOST_ALONE


@pytest.mark.parametrize(
    ("told", "languages"),
    [
        (["en", "en", "en"], ["en"]),
        ([None, None, None], []),
        (["en", "de", "en"], ["en", "de", "en"]),
        ([None, "de", None], ["de"]),
        (["en", None, "de"], ["en", "de"]),
    ],
)
def test_a_turn_that_tells_no_language_goes_with_the_one_before_it(
    told: list[str | None], languages: list[str]
) -> None:
    turns = [Span(0, 2_000), Span(3_000, 4_000), Span(5_000, 9_000)]
    runs = parted(Span(0, 10_000), turns, told)
    assert [language for _, language in runs] == languages
    assert all(before.t1 == after.t0 for (before, _), (after, _) in pairwise(runs))
    if len(runs) == 2:
        assert runs[0][0].t1 == 4_500
