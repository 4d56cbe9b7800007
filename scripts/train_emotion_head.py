"""Train the emotion head from EMO-DB, in the situation of run time, and write its model card.

Several clips share a window, as turns do, and each is pooled from the window's states: a head trained on clips padded
alone is lost in windows (accuracy 0.36), and the other way round (0.66). So windows of all lengths are made; training
windows hold one actor (leaving an actor out leaves nothing of him behind), test windows mix all.

Neutral English readers (LibriSpeech) give the directions in which language and channel differ from EMO-DB: those are
taken out before the classifier, because the head otherwise hears most English as bored. They are never training
examples of an emotion, and the readers whose figures are reported gave no direction. Temperature and threshold are
chosen by leaving one actor out.

    python -m scripts.train_emotion_head ../shared/data/emodb --english ../shared/data/librispeech
"""

import argparse
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import f1_score, recall_score

from tools import audio
from tools.emotion.recognisers.emodb import HEAD, pooled
from tools.transcript.recogniser import Options
from tools.transcript.recognisers.whisper import STATE_MS, Whisper

Array = NDArray[np.float64]
EMOTIONS = {"W": "anger", "L": "boredom", "E": "disgust", "A": "fear", "F": "happiness", "T": "sadness", "N": "neutral"}
RATE, WINDOW_S = 16_000, 29
ROUNDS = ((29, 29), (2, 12), (29, 29), (2, 12))  # arrangements of the training clips: shortest, longest window, seconds
TEST = (2, 29)
NUISANCE = 20  # directions of neutral English speech that are taken out, besides its mean
C = 0.01
PRECISION = 0.90
SHORT = " 1s"
HELD_OUT = 60  # English readers that only measure


@dataclass(frozen=True, slots=True)
class Corpus:
    """Pooled clips: training arrangements (ROUNDS, clips, 1024), test (clips, 1024) and its first second alone."""

    train: Array
    test: Array
    short: Array
    labels: NDArray[np.str_]
    actors: NDArray[np.str_]


@dataclass(frozen=True, slots=True)
class Head:
    """logits = vector @ weights.T + bias, classes in order."""

    classes: NDArray[np.str_]
    weights: Array
    bias: Array

    def logits(self, vectors: Array) -> Array:
        """Give logits (vectors, classes)."""
        return vectors @ self.weights.T + self.bias


def encode(
    whisper: Whisper, clips: Sequence[tuple[str, Array]], rng: random.Random, lengths: tuple[float, float] = TEST
) -> dict[str, Array]:
    """Pool each clip from a window that it shares with those beside it, 0.2-0.6 s of faint noise between them."""
    found: dict[str, Array] = {}
    window: list[tuple[str, int, Array]] = []
    at, limit = 0, rng.uniform(*lengths)
    for name, samples in clips:
        if window and at + len(samples) > limit * RATE:
            found |= _window(whisper, window)
            window, at, limit = [], 0, rng.uniform(*lengths)
        window.append((name, at, samples[: WINDOW_S * RATE]))
        at += len(samples) + int(rng.uniform(0.2, 0.6) * RATE)
    return found | _window(whisper, window)


def _window(whisper: Whisper, clips: Sequence[tuple[str, int, Array]]) -> dict[str, Array]:
    end = max(at + len(samples) for _, at, samples in clips)
    mixed = (np.random.default_rng(end).standard_normal(end) * 1e-4).astype(np.float32)
    for _, at, samples in clips:
        mixed[at : at + len(samples)] += samples
    states = whisper.states(mixed)
    places = {name: (at * 1000 // RATE, (at + len(samples)) * 1000 // RATE) for name, at, samples in clips}
    places |= {name + SHORT: (t0, t0 + 1000) for name, (t0, _) in places.items()}
    return {name: pooled(states, t0, t1, STATE_MS).astype(np.float64) for name, (t0, t1) in places.items()}


def emodb(whisper: Whisper, folder: Path) -> Corpus:
    """Encode EMO-DB: training windows of one actor, test windows of all."""
    clips = {path.stem: _samples(path) for path in sorted(folder.glob("*.*")) if path.stem[5:6] in EMOTIONS}
    names, rng = sorted(clips), random.Random(0)
    rounds = []
    for lengths in ROUNDS:
        found: dict[str, Array] = {}
        for actor in sorted({name[:2] for name in names}):
            own = [name for name in names if name[:2] == actor]
            rng.shuffle(own)
            found |= encode(whisper, [(name, clips[name]) for name in own], rng, lengths)
        rounds.append(np.stack([found[name] for name in names]))
    rng.shuffle(names)
    mixed = encode(whisper, [(name, clips[name]) for name in names], rng)
    names.sort()
    return Corpus(
        np.stack(rounds),
        np.stack([mixed[name] for name in names]),
        np.stack([mixed[name + SHORT] for name in names]),
        np.array([EMOTIONS[name[5]] for name in names]),
        np.array([name[:2] for name in names]),
    )


def english(whisper: Whisper, folder: Path) -> tuple[Array, Array]:
    """Encode neutral readers: those that give directions, and HELD_OUT others, one utterance each."""
    rng = random.Random(1)
    readers = sorted(path for path in folder.iterdir() if path.is_dir())
    rng.shuffle(readers)
    sets = []
    for part, most in ((readers[HELD_OUT:], None), (readers[:HELD_OUT], 1)):
        clips = [(path.stem, _samples(path)) for reader in part for path in sorted(reader.glob("*.*"))[:most]]
        rng.shuffle(clips)
        found = encode(whisper, clips, rng)
        sets.append(np.stack([found[name] for name, _ in clips]))
    return sets[0], sets[1]


def fit(vectors: Array, labels: NDArray[np.str_], neutral_english: Array, nuisance: int | None) -> Head:
    """Fit the head: standardise, take out the nuisance directions (None: none), classify, fold all into one matrix."""
    mean, scale = vectors[labels == "neutral"].mean(axis=0), vectors.std(axis=0) + 1e-6
    out = _directions((neutral_english - mean) / scale, nuisance)
    keep = np.eye(vectors.shape[1]) - out.T @ out
    model = LogisticRegression(C=C, class_weight="balanced", max_iter=3000)
    model.fit((vectors - mean) / scale @ keep, labels)
    weights = model.coef_ @ keep / scale
    return Head(model.classes_, weights, model.intercept_ - weights @ mean)


def _directions(shifted: Array, nuisance: int | None) -> Array:
    """Give orthonormal rows: the mean shift of English, then the strongest directions in which readers differ."""
    if nuisance is None:
        return np.zeros((1, shifted.shape[1]))
    mean = shifted.mean(axis=0)
    spread = np.linalg.svd(shifted - mean, full_matrices=False)[2][:nuisance]
    rows: Array = np.linalg.qr(np.vstack([mean, spread]).T)[0].T
    return rows


def left_out(corpus: Corpus, neutral_english: Array, nuisance: int | None) -> tuple[Array, Array]:
    """Give each clip's logits, and its first second's, from a head that never heard its actor."""
    logits, short = np.zeros((2, len(corpus.labels), len(EMOTIONS)))
    for actor in np.unique(corpus.actors):
        others = corpus.actors != actor
        train = corpus.train[:, others].reshape(-1, corpus.train.shape[2])
        head = fit(train, np.tile(corpus.labels[others], len(corpus.train)), neutral_english, nuisance)
        logits[~others], short[~others] = head.logits(corpus.test[~others]), head.logits(corpus.short[~others])
    return logits, short


def softmax(logits: Array) -> Array:
    """Give probabilities."""
    raised = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities: Array = raised / raised.sum(axis=1, keepdims=True)
    return probabilities


def temperature(logits: Array, truth: NDArray[np.intp]) -> float:
    """Choose the temperature with the least log loss."""
    grid = np.geomspace(0.2, 5, 200)
    losses = [-np.log(softmax(logits / t)[np.arange(len(truth)), truth]).mean() for t in grid]
    return float(grid[int(np.argmin(losses))])


def threshold(probabilities: Array, truth: NDArray[np.intp]) -> float:
    """Choose the lowest score at which the labels named are right in PRECISION of the cases, averaged over labels."""
    for least in np.arange(0.30, 0.99, 0.01):
        if np.mean(list(precisions(probabilities, truth, least).values())) >= PRECISION:
            return float(round(least, 2))
    return 0.99


def precisions(probabilities: Array, truth: NDArray[np.intp], least: float) -> dict[int, float]:
    """Give the share of right ones among those named, by class that is named at all."""
    best, named = probabilities.argmax(axis=1), probabilities.max(axis=1) >= least
    classes = np.unique(best[named])
    return {int(k): float((truth[named & (best == k)] == k).mean()) for k in classes}


def ece(probabilities: Array, truth: NDArray[np.intp], bins: int = 10) -> float:
    """Expected calibration error of the top label."""
    top, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == truth
    place = np.minimum((top * bins).astype(int), bins - 1)
    return float(sum((place == b).mean() * abs(top[place == b].mean() - right[place == b].mean()) for b in set(place)))


def crossed(logits: Array, truth: NDArray[np.intp], actors: NDArray[np.str_]) -> tuple[Array, NDArray[np.bool_]]:
    """Give calibrated probabilities and whether each is named, both chosen without the clip's own actor."""
    probabilities, named = np.zeros_like(logits), np.zeros(len(logits), dtype=bool)
    for actor in np.unique(actors):
        own = actors == actor
        heat = temperature(logits[~own], truth[~own])
        probabilities[own] = softmax(logits[own] / heat)
        named[own] = probabilities[own].max(axis=1) >= threshold(softmax(logits[~own] / heat), truth[~own])
    return probabilities, named


def shares(classes: Iterable[str], probabilities: Array, least: float) -> str:
    """Write which share of stretches gets which label."""
    named, best = probabilities.max(axis=1) >= least, probabilities.argmax(axis=1)
    found = {label: float((named & (best == k)).mean()) for k, label in enumerate(classes)}
    return ", ".join([f"no clear emotion {1 - named.mean():.2f}", *(f"{k} {v:.2f}" for k, v in found.items() if v)])


def main() -> None:
    """Train, measure, and write the head; the figures go to stdout for the model card."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("emodb", type=Path)
    parser.add_argument("--english", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=HEAD)
    parser.add_argument("--cache", type=Path, help="keep the pooled vectors here, so that a second run only fits")
    asked = parser.parse_args()
    corpus, directions, held_out = _vectors(asked.emodb, asked.english, asked.cache)
    classes = np.array(sorted(EMOTIONS.values()))
    truth = np.searchsorted(classes, corpus.labels)
    flat, tiled = corpus.train.reshape(-1, corpus.train.shape[2]), np.tile(corpus.labels, len(corpus.train))
    for nuisance in (None, NUISANCE):
        logits, short = left_out(corpus, directions, nuisance)
        heat = temperature(logits, truth)
        least = threshold(softmax(logits / heat), truth)
        probabilities, named = crossed(logits, truth, corpus.actors)
        best = probabilities.argmax(axis=1)
        print(f"\nEnglish directions taken out: {'none' if nuisance is None else nuisance + 1}")
        recall = float(recall_score(truth, best, average="macro"))
        print(f"  accuracy {(best == truth).mean():.3f}  unweighted recall {recall:.3f}")
        print(f"  macro F1 {f1_score(truth, best, average='macro'):.3f}")
        print(f"  ECE before {ece(softmax(logits), truth):.3f}  after {ece(probabilities, truth):.3f}  T {heat:.2f}")
        print(f"  threshold {least:.2f}: names {named.mean():.3f}, right {(best == truth)[named].mean():.3f}")
        print(f"  of one second: {_figures(softmax(short / heat), truth, least)}")
        for k, right in precisions(probabilities, truth, least).items():
            print(f"    {classes[k]:10} precision {right:.3f}  recall {(best == k)[truth == k].mean():.3f}")
        head = fit(flat, tiled, directions, nuisance)
        print(f"  neutral English readers: {shares(classes, softmax(head.logits(held_out) / heat), least)}")
    np.savez(
        asked.out,
        version=np.array("1"),
        labels=head.classes,
        weights=(head.weights / heat).astype(np.float32),
        bias=(head.bias / heat).astype(np.float32),
        threshold=np.float32(least),
        health=np.float32(recall * (1 - ece(probabilities, truth))),
    )


def _figures(probabilities: Array, truth: NDArray[np.intp], least: float) -> str:
    right, named = probabilities.argmax(axis=1) == truth, probabilities.max(axis=1) >= least
    return f"accuracy {right.mean():.3f}, names {named.mean():.3f}, right {right[named].mean():.3f}"


def _vectors(emodb_folder: Path, english_folder: Path, cache: Path | None) -> tuple[Corpus, Array, Array]:
    if cache is None or not cache.exists():
        whisper = Whisper("whisper-base", Options())
        corpus = emodb(whisper, emodb_folder)
        found = (
            corpus.train,
            corpus.test,
            corpus.short,
            corpus.labels,
            corpus.actors,
            *english(whisper, english_folder),
        )
        if cache is None:
            return corpus, found[5], found[6]
        np.savez(cache, *found)
    with np.load(cache) as kept:
        arrays = [kept[f"arr_{i}"] for i in range(7)]
    return Corpus(*arrays[:5]), arrays[5], arrays[6]


def _samples(path: Path) -> Array:
    return np.concatenate(list(audio.decode(path)))


if __name__ == "__main__":
    main()
