"""The choice of the sounds head: which probability is enough, and that what is left unsure is not learned from."""

import numpy as np
import pytest

from scripts.train_sound_head import GRID, NONE, SOUNDS, Heard, chosen, fit, peak


def heard(kind: int, logits: np.ndarray | None = None, holds: int | None = None) -> Heard:
    rows = np.zeros((4, 521), np.float32) if logits is None else logits
    return Heard(kind, 0, rows, np.full(len(rows), kind if holds is None else holds))


def test_the_least_probability_is_the_lowest_without_false_ones() -> None:
    recordings = [heard(0), heard(0), heard(1), heard(NONE)]
    peaks = np.array([0.9, 0.5, 0.42, 0.2])
    assert chosen(peaks, recordings, 0) == pytest.approx(next(step for step in GRID if step > 0.42))
    assert chosen(np.array([0.9, 0.5, 0.1, 0.1]), recordings, 0) == pytest.approx(GRID[0])


def test_what_speech_holds_raises_it_too() -> None:
    peaks = np.array([0.9, 0.5, 0.1, 0.61])
    assert chosen(peaks, [heard(0), heard(0), heard(1), heard(NONE)], 0) > 0.61


def test_sounds_are_told_from_none_and_from_each_other() -> None:
    rng = np.random.default_rng(0)
    shapes = rng.normal(size=(NONE + 1, 521)).astype(np.float32)
    made = [heard(kind, shapes[kind] + rng.normal(size=(30, 521)).astype(np.float32)) for kind in range(NONE + 1)]
    weights, bias = fit(made)
    assert weights.shape == (NONE + 1, 2 * 521)
    peaks = np.array([peak(one.logits, weights, bias) for one in made])
    assert np.array_equal(peaks[:NONE].argmax(axis=1), np.arange(len(SOUNDS)))
    assert peaks[NONE].max() < peaks[:NONE].max(axis=1).min()


def test_windows_that_are_neither_teach_nothing() -> None:
    rng = np.random.default_rng(1)
    made = [heard(kind, rng.normal(size=(20, 521)).astype(np.float32) + kind) for kind in range(NONE + 1)]
    unsure = heard(0, np.full((20, 521), 9, np.float32), holds=-1)
    for with_unsure, without in zip(fit([*made, unsure]), fit(made), strict=True):
        assert np.array_equal(with_unsure, without)
