"""Arousal stands out from the voice's own usual, never from another's, and needs enough of the voice."""

import pytest

from store.record import Emotion
from tools.emotion.arousal import LEAST_ROWS, excited
from tools.emotion.labels import UNCLEAR


def row(place: int, pitch_hz: float, rate_hz: float = 4.0, speaker: str = "A", energy_db: float = -20.0) -> Emotion:
    scores = {"anger": 0.3, "energy_db": energy_db, "pitch_hz": pitch_hz, "rate_hz": rate_hz}
    return Emotion(place * 1_000, place * 1_000 + 900, UNCLEAR, 0.3, speaker, scores)


USUAL = [row(place, 120 + place % 3) for place in range(LEAST_ROWS)]


def test_higher_and_faster_than_the_voice_mostly_is_stands_out() -> None:
    (found,) = excited([*USUAL, row(9, 180, 5.2, energy_db=-14)])
    assert (found.row.t0, found.ways) == (9_000, ("higher", "faster", "louder"))
    assert found.above == pytest.approx((12 * 0.5725 / 1.0 + 1.2 / 0.4) / 2, abs=0.3)


@pytest.mark.parametrize("other", [row(9, 125), row(9, 80, 2.0), row(9, 121, energy_db=-5), row(9, 180, 5.2, "B")])
def test_a_usual_calm_or_only_loud_stretch_and_another_voice_do_not(other: Emotion) -> None:
    assert excited([*USUAL, other]) == []


def test_too_few_stretches_have_no_usual() -> None:
    assert excited([*USUAL[1:], row(9, 180, 5.2)]) == []


def test_rows_without_prosody_or_voice_are_left_out() -> None:
    bare = Emotion(9_000, 9_900, "anger", 0.9, "A", {"anger": 0.9})
    assert excited([*USUAL, bare, Emotion(9_000, 9_900, "anger", 0.9, None, row(9, 180, 5.2).scores)]) == []
