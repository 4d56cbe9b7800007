"""Windows laid over each other: known activity in, the same turns out."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from tools.speaker.recognisers import reconstruction
from tools.speaker.recognisers.networks import FRAMES
from tools.speaker.recognisers.reconstruction import Rounding, Windows, timeline


def windows(speech: NDArray[np.float64], names: Sequence[int] = (0, 1, 2), step: int = 148) -> Windows:
    """Cut (frames, voices) into windows; each numbers the voices it hears in an order of its own, and `names` them."""
    rng = np.random.default_rng(3)
    first, activity, labels = [], [], []
    for begin in range(0, len(speech) - FRAMES + 1, step):
        order = rng.permutation(speech.shape[1])[:3]
        first.append(begin)
        activity.append(np.rint(speech[begin : begin + FRAMES, order] * 255).astype(np.uint8))
        labels.append(np.broadcast_to(np.array(names)[order], (FRAMES, len(order))))
    return Windows(np.array(first), max(names) + 1, lambda index: (activity[index], labels[index]))


def speech() -> NDArray[np.float64]:
    made = np.zeros((FRAMES + 148 * 12, 3))
    made[100:700, 0] = 1
    made[650:1200, 1] = 1
    made[1300:1330, 2] = 1
    made[1400:1500, 0] = made[1400:1500, 1] = 1
    return made


def test_what_was_said_comes_back() -> None:
    runs = timeline(windows(speech()), Rounding())
    ms = [(frame * 270 + 360) // 16 for frame in (100, 700, 1400, 1500, 650, 1200, 1400, 1500, 1300, 1330)]
    assert [(t0, t1, voice) for t0, t1, voice, _ in runs] == [
        (ms[0], ms[1], 0),
        (ms[2], ms[3], 0),
        (ms[4], ms[5], 1),
        (ms[6], ms[7], 1),
        (ms[8], ms[9], 2),
    ]
    assert all(score == pytest.approx(1) for *_, score in runs)


def test_a_block_border_is_not_a_border_of_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = timeline(windows(speech()), Rounding())
    monkeypatch.setattr(reconstruction, "BLOCK", 111)
    assert [run[:3] for run in timeline(windows(speech()), Rounding())] == [run[:3] for run in whole]


def test_a_voice_two_windows_in_five_hear_counts_when_rounded_up() -> None:
    made = speech()
    made[1300:1330, 2] = 0.45
    assert not [run for run in timeline(windows(made), Rounding(up=0.5)) if run[2] == 2]
    assert [run for run in timeline(windows(made), Rounding(up=0.6)) if run[2] == 2]


def test_small_gaps_close_and_small_turns_go() -> None:
    made = speech()
    made[300:306, 0] = 0
    assert len([run for run in timeline(windows(made), Rounding()) if run[2] == 0]) == 3
    assert len([run for run in timeline(windows(made), Rounding(fill_ms=120)) if run[2] == 0]) == 2
    assert not [run for run in timeline(windows(made), Rounding(least_ms=600)) if run[2] == 2]


def test_frames_without_a_voice_are_nobodys() -> None:
    assert timeline(windows(speech(), names=(-1, -1, -1)), Rounding()) == []
    alone = timeline(windows(speech(), names=(0, -1, -1)), Rounding())
    assert {run[2] for run in alone} == {0}
    assert [run[:3] for run in alone] == [run[:3] for run in timeline(windows(speech()), Rounding()) if run[2] == 0]


def test_two_voices_of_a_window_that_are_one_score_at_most_1() -> None:
    scores = [score for *_, score in timeline(windows(speech(), names=(0, 0, 2)), Rounding())]
    assert scores
    assert max(scores) <= 1


def test_each_window_is_read_for_its_own_blocks_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reconstruction, "BLOCK", 600)
    whole, read = windows(speech()), list[int]()

    def of(index: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        read.append(index)
        return whole.of(index)

    timeline(Windows(whole.first, whole.voices, of), Rounding())
    assert sorted(set(read)) == list(range(len(whole.first)))
    assert max(read.count(index) for index in read) <= 2
