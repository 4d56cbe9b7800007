"""Figures of a stream's rows: their spread, a label that never changes, words where nobody speaks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.record import Emotion, Event, Span
from tools.soundness import ENOUGH_ROWS, Spread, constant, spread, unsupported, unworded

SPANS = st.lists(
    st.builds(lambda t0, length: Span(t0, t0 + length), st.integers(0, 50), st.integers(0, 20)), max_size=6
)


def rows(*labels: str) -> list[Event]:
    return [Event(n, n + 1, label, n / 100) for n, label in enumerate(labels)]


def test_the_spread_is_in_quartiles() -> None:
    assert spread(rows(*"abcde")) == Spread(5, 0.01, 0.02, 0.03)
    assert spread([]) == Spread(0, 0, 0, 0)
    assert spread(rows("a", "b")[1:]) == Spread(1, 0.01, 0.01, 0.01)


def test_one_label_everywhere_is_constant_once_there_are_enough() -> None:
    assert constant(rows(*["Siren"] * ENOUGH_ROWS)) == "Siren"
    assert constant(rows(*["Siren"] * (ENOUGH_ROWS - 1))) is None
    assert constant(rows(*["Siren"] * ENOUGH_ROWS, "Dog")) is None


def test_rows_that_are_not_clear_do_not_count() -> None:
    felt = [Emotion(n, n + 1, "boredom" if n % 2 else "unclear", 0.9) for n in range(2 * ENOUGH_ROWS)]
    assert constant(felt, unclear="unclear") == "boredom"
    assert constant(felt) is None


def test_words_outside_of_speech_are_a_share() -> None:
    assert unsupported([Span(0, 10), Span(20, 30)], [Span(5, 25)]) == 0.5
    assert unworded([Span(0, 10)], [Span(5, 25)]) == 0.75
    assert (unsupported([], [Span(0, 5)]), unsupported([Span(0, 5)], [])) == (0, 1)


@given(SPANS, SPANS)
def test_the_share_is_that_of_the_milliseconds(said: list[Span], speech: list[Span]) -> None:
    words, spoken = ({ms for span in spans for ms in range(span.t0, span.t1)} for spans in (said, speech))
    assert unsupported(said, speech) == pytest.approx(len(words - spoken) / len(words) if words else 0)
