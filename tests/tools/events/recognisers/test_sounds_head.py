"""The head over YAMNet's scores: what a window is heard with, and real sounds under real speech that it finds."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from scripts.event_sets import CLASSES, PARTS, RATE, Array, Clip, clips, loud, speech
from tools.events.hierarchy import family
from tools.events.recognisers.sounds_head import AROUND, SoundsHead, around, shares
from tools.events.recognisers.yamnet import YamNet


@pytest.mark.parametrize("windows", [0, 1, 2, 9])
def test_a_window_is_heard_with_the_mean_of_those_around_it(windows: int) -> None:
    logits = np.random.default_rng(windows).normal(size=(windows, 521)).astype(np.float32)
    made = around(logits)
    assert made.shape == (windows, 1042)
    assert np.array_equal(made[:, :521], logits)
    for place in range(windows):
        near = [min(max(place + step, 0), windows - 1) for step in range(-AROUND, AROUND + 1)]
        assert np.allclose(made[place, 521:], logits[near].mean(axis=0), atol=1e-6)


def test_shares_are_probabilities_however_large_the_scores() -> None:
    rng = np.random.default_rng(0)
    logits, matrix, bias = (rng.normal(size=size).astype(np.float32) for size in ((5, 521), (11, 1042), (11,)))
    found = shares(200 * logits, matrix, bias)
    assert found.shape == (5, 11)
    assert np.all((found >= 0) & (found <= 1))
    assert np.allclose(found.sum(axis=1), 1)


def test_it_names_the_ten_sounds_and_is_finite() -> None:
    head = SoundsHead()
    assert set(head.labels) == {label for name, label in CLASSES.items() if name not in ("laughter", "applause")}
    for logits in (np.full((4, 521), -140, np.float32), np.full((4, 521), 50, np.float32)):
        assert np.isfinite(head.odds(logits)).all()


def test_the_networks_own_logits_are_those_of_its_probabilities(weights: Callable[[str], Path]) -> None:
    weights("yamnet")
    ear = YamNet(headed=False)
    noise = 0.1 * np.random.default_rng(1).standard_normal(3 * RATE).astype(np.float32)
    assert np.allclose(1 / (1 + np.exp(-ear.logits(noise))), ear.probabilities(noise), atol=1e-6)


def test_it_raises_its_sounds_alone_and_lowers_none(weights: Callable[[str], Path], data: Path) -> None:
    weights("yamnet")
    bare, headed = YamNet(headed=False), YamNet()
    (clip,) = [clip for clip in clips(data, None, PARTS["test"], 1) if clip.name == "rain"]
    before, after = bare.probabilities(clip.samples), headed.probabilities(clip.samples)
    mine = np.isin(headed.names, SoundsHead().labels)
    assert np.array_equal(before[:, ~mine], after[:, ~mine])
    assert np.all(after >= before)
    assert np.any(after > before)


def test_more_held_out_sounds_are_found_under_speech_with_it_and_none_in_speech(
    weights: Callable[[str], Path], data: Path
) -> None:
    weights("yamnet")
    talk = [clip for clip in speech(data, PARTS["test"]) if clip.name == "readers"]
    mixed = list(_mixed(list(clips(data, None, PARTS["test"])), talk))
    found = {headed: sum(_heard(YamNet(headed=headed), clip) for clip in mixed) for headed in (False, True)}
    assert found[True] >= found[False] + len(mixed) / 5
    ear, kin = YamNet(), {family(label) for label in SoundsHead().labels}
    false = [event.label for clip in talk for event in ear.hear(clip.samples, 0) if family(event.label) in kin]
    assert len(false) <= 2


def _mixed(sounds: list[Clip], talk: list[Clip]) -> Iterator[Clip]:
    """Give each sound under a reader, 5 dB over the speech."""
    for place, sound in enumerate(sounds):
        voice = np.resize(talk[place % len(talk)].samples, 9 * RATE)
        out: Array = (voice * (0.03 / loud(voice))).astype(np.float32)
        piece = np.trim_zeros(sound.samples)[: 4 * RATE]
        out[3 * RATE :][: len(piece)] += piece * (0.03 * 10**0.25 / loud(piece))
        yield Clip(sound.name, out)


def _heard(ear: YamNet, clip: Clip) -> bool:
    return any(family(event.label) == family(CLASSES[clip.name]) for event in ear.hear(clip.samples, 0))
