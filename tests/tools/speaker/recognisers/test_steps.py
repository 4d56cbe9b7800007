"""Vectors in steps are those that were kept, to the last digit, and near those that were not."""

import numpy as np

from tools.speaker.recognisers.steps import GRAIN, Steps


def test_vectors_that_were_rounded_come_back_as_they_were() -> None:
    vectors = (np.random.default_rng(1).integers(-127, 128, (40, 192)) / GRAIN).astype(np.float32)
    steps = Steps.of(vectors)
    assert steps.rows.nbytes == vectors.nbytes / 4
    assert np.array_equal(steps[:], vectors)
    assert np.array_equal(steps[np.array([3, 39])], vectors[[3, 39]])


def test_a_number_beyond_a_byte_makes_larger_steps() -> None:
    vectors = np.eye(3, 192, dtype=np.float32)
    vectors[0, 1] = 0.3
    assert np.abs(Steps.of(vectors)[:] - vectors).max() < 1 / 127


def test_no_vectors_are_none() -> None:
    steps = Steps.of(np.empty((0, 192), np.float32))
    assert (len(steps), steps.shape, steps[:].shape) == (0, (0, 192), (0, 192))
