"""Train the head that tells ten sounds from YAMNet's scores, write it, and say what it finds on clips left out.

ESC-10's tuning clips are laid over tuning readers at 0 to 10 dB, or alone, over faint noise; tuning speech, music,
laughter and applause are examples of none of the ten. Every window is one example; those in which the sound rests are
none. The probability from which a sound is heard is chosen by leaving one clip of each class out: the lowest at which
at most FALSE of the scenes of other sounds, and FALSE_SPEECH of the recordings of none, hold it in two windows.

    python -m scripts.train_sound_head [--data FOLDER] [--unpacked FOLDER] [--dry]
"""

import argparse
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from scripts.corpora import data_option
from scripts.event_sets import CLASSES, PARTS, RATE, Clip, clips, loud, music, speech
from tools.events.recognisers.sounds_head import HEAD, around, shares
from tools.events.recognisers.yamnet import HOP_SAMPLES, YamNet

Array = NDArray[np.float32]
Labels = NDArray[np.int64]
SOUNDS = tuple(name for name in CLASSES if name not in ("laughter", "applause"))
NONE = len(SOUNDS)
MIXES = 24  # scenes of each clip
SCENE, BEGIN_S, LENGTH_S = 9 * RATE, (1.5, 3), (1, 5)
ALONE, TALK_DB, SNR_DB, ROOM_DB = 0.35, (-36, -24), (0, 10), (-70, -56)
RESTS = 0.25  # of a sound's loudness: below, a window holds none
C, ROUNDS = 0.002, 100
MOST = 8_000  # windows of sounds that are learned from, and as many of none
FOLDS = 7
FALSE, FALSE_SPEECH = 0.01, 0.003  # shares of scenes of other sounds, and of recordings of none
GRID = np.arange(0.30, 0.96, 0.05)


@dataclass(frozen=True)
class Heard:
    """The windows (n, 521) of a scene or recording as logits, what each holds (-1: not learned from), and its fold."""

    kind: int
    fold: int
    logits: Array
    holds: Labels


def main() -> None:
    """Train, choose, write."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    data_option(options)
    options.add_argument("--unpacked", type=Path, help="Debian packages with laughter, applause and music")
    options.add_argument("--dry", action="store_true", help="only say what it is worth")
    asked = options.parse_args()
    ear = YamNet(headed=False)
    heard = list(chain(_scenes(ear, asked.data), _others(ear, asked.data, asked.unpacked)))
    peaks = np.zeros((len(heard), NONE))
    for fold in range(FOLDS):
        weights, bias = fit([one for one in heard if one.fold != fold])
        for place, one in enumerate(heard):
            if one.fold == fold:
                peaks[place] = peak(one.logits, weights, bias)
    least = np.array([chosen(peaks[:, place], heard, place) for place in range(NONE)], np.float32)
    if not asked.dry:
        weights, bias = fit(heard)
        labels = np.array([CLASSES[name] for name in SOUNDS])
        HEAD.parent.mkdir(exist_ok=True)
        np.savez_compressed(HEAD, labels=labels, weights=weights.astype(np.float16), bias=bias, least=least)


def chosen(peaks: NDArray[np.float64], heard: Sequence[Heard], place: int) -> float:
    """Give the least probability of a sound with few false scenes and recordings, and print what it finds."""
    kinds = np.array([one.kind for one in heard])
    for least in GRID:
        found = peaks >= least
        others, none = found[(kinds != place) & (kinds < NONE)].mean(), found[kinds == NONE].mean()
        if others <= FALSE and none <= FALSE_SPEECH:
            break
    print(
        f"{SOUNDS[place]:16}{least:5.2f}  found {found[kinds == place].mean():.2f}, "
        f"false in others {others:.4f}, in speech and music {none:.4f}"
    )
    return float(least)


def peak(logits: Array, weights: Array, bias: Array) -> NDArray[np.float64]:
    """Give the second highest probability of each sound: an event has two windows."""
    made: NDArray[np.float64] = np.sort(shares(logits, weights, bias)[:, :NONE], axis=0)[-2:][0]
    return made


def fit(heard: Sequence[Heard]) -> tuple[Array, Array]:
    """Fit one linear layer, sounds and none; standardising is within it."""
    holds = np.concatenate([one.holds for one in heard])
    rng = np.random.default_rng(0)
    groups = [np.flatnonzero((holds >= 0) & (holds < NONE)), np.flatnonzero(holds == NONE)]
    kept = np.concatenate([rng.choice(group, min(MOST, len(group)), replace=False) for group in groups])
    rows = np.concatenate([around(one.logits) for one in heard])[kept]
    scaler = StandardScaler().fit(rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # it ends after ROUNDS, whatever is left to gain
        model = LogisticRegression(C=C, max_iter=ROUNDS, tol=1e-3).fit(scaler.transform(rows), holds[kept])
    weights = model.coef_ / scaler.scale_
    return weights.astype(np.float32), (model.intercept_ - weights @ scaler.mean_).astype(np.float32)


def _scenes(ear: YamNet, data: Path) -> Iterator[Heard]:
    """Lay every clip MIXES times over a reader, or alone, and hear it."""
    rng = np.random.default_rng(7)
    talk = [clip.samples for clip in speech(data, PARTS["tuning"]) if clip.name == "readers"]
    seen = dict.fromkeys(SOUNDS, 0)
    for clip in clips(data, None, PARTS["tuning"]):
        sound = np.trim_zeros(clip.samples)
        for _ in range(MIXES):
            length = int(rng.uniform(*LENGTH_S) * RATE)
            first = int(rng.integers(max(1, len(sound) - length + 1)))
            piece = sound[first : first + length]
            if loud(piece) > 1e-4:
                yield _scene(ear, clip, piece, talk, seen[clip.name] % FOLDS, rng)
        seen[clip.name] += 1


def _scene(ear: YamNet, clip: Clip, piece: Array, talk: Sequence[Array], fold: int, rng: np.random.Generator) -> Heard:
    out = (10 ** (rng.uniform(*ROOM_DB) / 20) * rng.standard_normal(SCENE)).astype(np.float32)
    level = 10 ** (rng.uniform(*TALK_DB) / 20)
    if rng.random() >= ALONE:
        voice = np.resize(talk[int(rng.integers(len(talk)))], SCENE)
        out += voice * np.float32(level / loud(voice))
    at = int(rng.uniform(*BEGIN_S) * RATE)
    active = piece[np.abs(piece) > 0.03 * np.abs(piece).max()]
    gain = level * 10 ** (rng.uniform(*SNR_DB) / 20) / loud(active)
    out[at : at + len(piece)] += piece * np.float32(gain)
    logits = ear.logits(np.clip(out, -1, 1))
    kind = SOUNDS.index(clip.name)
    holds = np.full(len(logits), NONE)
    for window in range(len(logits)):
        begin = window * HOP_SAMPLES - HOP_SAMPLES // 2 - at
        part = piece[max(0, begin) : max(0, begin + 2 * HOP_SAMPLES)]
        if len(part):
            within = np.sqrt((part**2).sum() / (2 * HOP_SAMPLES))
            holds[window] = kind if within > RESTS * loud(piece) else -1
    return Heard(kind, fold, logits, holds)


def _others(ear: YamNet, data: Path, unpacked: Path | None) -> Iterator[Heard]:
    """Hear what holds none of the sounds."""
    tuning = PARTS["tuning"]
    more = [clip for clip in clips(data, unpacked, tuning) if clip.name not in SOUNDS]
    for place, clip in enumerate([*speech(data, tuning), *music(unpacked, tuning), *more]):
        logits = ear.logits(clip.samples)
        yield Heard(NONE, place % FOLDS, logits, np.full(len(logits), NONE))


if __name__ == "__main__":
    main()
