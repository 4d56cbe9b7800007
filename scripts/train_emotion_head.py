"""Train the emotion head from EMO-DB and write it; scripts/measure_emotion.py tells what it is worth.

Neutral English readers (LibriSpeech) give the directions in which language and channel differ from EMO-DB: those are
taken out before the classifier, because the head otherwise hears most English as bored. With --neutral they are also
examples of neutral. Temperature and thresholds are chosen by leaving one actor out: a label is named from the lowest
score at which it is right in PRECISION of the cases and, on readers that gave no direction and no example, falsely
named at most FALSE_PER_HOUR times an hour of turns; for anger not the count is held to ANGRY_PER_HOUR, but the 95 %
Poisson bound above it. The readers held out by emotion_vectors.py are never looked at.

    python -m scripts.train_emotion_head ../shared/data/emodb --english ../shared/data/librispeech
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import chi2
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import recall_score

from scripts.emotion_vectors import EMOTIONS, Array, Vectors, vectors
from tools.emotion.recognisers.emodb import HALF, HALVED_MS, HEAD

CLASSES = np.array(sorted(EMOTIONS.values()))
NEUTRAL, ANGER = (int(np.searchsorted(CLASSES, label)) for label in ("neutral", "anger"))
NUISANCE = 20  # directions of neutral English speech that are taken out, besides its mean
C = 0.01
PRECISION = 0.90
FALSE_PER_HOUR, ANGRY_PER_HOUR = 1.0, 2.0
FOLDS = 5  # of the English readers
GRID = np.arange(0.30, 1.0, 0.01)
NEVER = 1.01


@dataclass(frozen=True, slots=True)
class Head:
    """logits = vector @ weights.T + bias, in the order of CLASSES."""

    weights: Array
    bias: Array

    def logits(self, pooled: Array) -> Array:
        """Give logits (vectors, classes)."""
        return pooled @ self.weights.T + self.bias


@dataclass(frozen=True, slots=True)
class Choice:
    """How a head is made: directions taken out (None: none), whether readers are examples of neutral."""

    nuisance: int | None = NUISANCE
    neutral: bool = False


def fit(data: Vectors, actors: NDArray[np.bool_], readers: NDArray[np.bool_], choice: Choice) -> Head:
    """Fit a head on some clips of EMO-DB and some turns of readers: standardise, take out, classify, as one matrix."""
    train = data.train[:, actors].reshape(-1, data.train.shape[2])
    labels = np.tile(data.labels[actors], len(data.train))
    english = data.english[readers]
    mean, scale = train[labels == "neutral"].mean(axis=0), train.std(axis=0) + 1e-6
    out = _directions((english - mean) / scale, choice.nuisance)
    keep = np.eye(train.shape[1]) - out.T @ out
    if choice.neutral:
        train, labels = np.vstack([train, english]), np.append(labels, np.full(len(english), "neutral"))
    model = LogisticRegression(C=C, class_weight="balanced", max_iter=3000)
    model.fit((train - mean) / scale @ keep, labels)
    weights = model.coef_ @ keep / scale
    return Head(weights, model.intercept_ - weights @ mean)


@dataclass(frozen=True, slots=True)
class Trained:
    """A head with its temperature and thresholds, and how it does on actors that were left out."""

    head: Head
    heat: float
    least: Array
    recall: float
    ece: float


def trained(data: Vectors, tuning: NDArray[np.bool_], choice: Choice) -> Trained:
    """Make a head, and choose its temperature and thresholds, from EMO-DB and the turns of some readers."""
    truth = np.searchsorted(CLASSES, data.labels)
    logits, _, english = left_out(data, tuning, choice)
    heat, seconds = temperature(logits, truth), data.seconds[tuning]
    likely = softmax(logits / heat)
    least = thresholds(likely, truth, heard(english / heat, seconds), float(seconds.sum()) / 3600)
    recall = float(recall_score(truth, logits.argmax(axis=1), average="macro"))
    return Trained(fit(data, np.ones(len(truth), dtype=bool), tuning, choice), heat, least, recall, ece(likely, truth))


def left_out(data: Vectors, tuning: NDArray[np.bool_], choice: Choice) -> tuple[Array, Array, Array]:
    """Give the logits of clips (clips, classes), of their first second, and of the turns that may be tuned on.

    Those are (turns, 3, classes): whole and halves. None comes from a head that heard the clip's actor; the readers'
    come from heads that heard no such reader.
    """
    logits, short = np.zeros((2, len(data.labels), len(CLASSES)))
    every = np.ones(len(data.labels), dtype=bool)
    for actor in np.unique(data.actors):
        own = data.actors == actor
        head = fit(data, ~own, tuning, choice)
        logits[own], short[own] = head.logits(data.test[own]), head.logits(data.short[own])
    english = np.zeros((len(data.readers), 3, len(CLASSES)))
    fold = np.searchsorted(np.unique(data.readers[tuning]), data.readers) % FOLDS
    for number in range(FOLDS):
        own = tuning & (fold == number)
        head = fit(data, every, tuning & ~own, choice)
        english[own] = head.logits(np.concatenate([data.english[own, None], data.halves[own]], axis=1))
    return logits, short, english[tuning]


def heard(logits: Array, seconds: Array) -> Array:
    """Give the probabilities of whole turns (turns, 3, classes), without what turns sound like in one half alone.

    That is what the recogniser does not name, so its probability here is 0.
    """
    raised = np.exp(logits - logits.max(axis=2, keepdims=True))
    likely = raised / raised.sum(axis=2, keepdims=True)
    whole: Array = likely[:, 0].copy()
    place, best = np.arange(len(whole)), whole.argmax(axis=1)
    least = likely[place, 1:, best].min(axis=1)
    whole[(best != NEUTRAL) & (seconds * 1000 >= HALVED_MS) & (least < HALF)] = 0
    return whole


def upper(count: float) -> float:
    """Give the 95 % Poisson bound above a count."""
    return float(chi2.ppf(0.95, 2 * count + 2)) / 2


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


def thresholds(probabilities: Array, truth: NDArray[np.intp], english: Array, hours: float) -> Array:
    """Choose for each label the lowest score from which it is right often enough and rarely false on readers."""
    return np.array([_threshold(k, probabilities, truth, english, hours) for k in range(len(CLASSES))])


def named(probabilities: Array, least: Array) -> NDArray[np.bool_]:
    """Say which stretches are named: the best label reaches its threshold, of (classes,) or a row each."""
    best = probabilities.argmax(axis=1)
    needed = np.broadcast_to(least, probabilities.shape)[np.arange(len(best)), best]
    told: NDArray[np.bool_] = probabilities.max(axis=1) >= needed
    return told


def main() -> None:
    """Train and write the head."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("emodb", type=Path)
    parser.add_argument("--english", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=HEAD)
    parser.add_argument("--cache", type=Path, help="keep the pooled vectors here, so that a second run only fits")
    parser.add_argument("--nuisance", type=int, default=NUISANCE)
    parser.add_argument("--neutral", action="store_true", help="readers are examples of neutral too")
    asked = parser.parse_args()
    data = vectors(asked.emodb, asked.english, asked.cache)
    made = trained(data, ~data.held, Choice(asked.nuisance, asked.neutral))
    np.savez(
        asked.out,
        version=np.array("3"),
        labels=CLASSES,
        weights=(made.head.weights / made.heat).astype(np.float32),
        bias=(made.head.bias / made.heat).astype(np.float32),
        thresholds=made.least.astype(np.float32),
        health=np.float32(made.recall * (1 - made.ece)),
    )
    print(f"{asked.out}: T {made.heat:.2f}, unweighted recall {made.recall:.3f}; named from:")
    print(", ".join(f"{label} {score:.2f}" for label, score in zip(CLASSES, made.least, strict=True)))


def ece(probabilities: Array, truth: NDArray[np.intp], bins: int = 10) -> float:
    """Expected calibration error of the top label."""
    top, right = probabilities.max(axis=1), probabilities.argmax(axis=1) == truth
    place = np.minimum((top * bins).astype(int), bins - 1)
    return float(sum((place == b).mean() * abs(top[place == b].mean() - right[place == b].mean()) for b in set(place)))


def _threshold(k: int, probabilities: Array, truth: NDArray[np.intp], english: Array, hours: float) -> float:
    mine = probabilities[probabilities.argmax(axis=1) == k, k]
    right = truth[probabilities.argmax(axis=1) == k] == k
    read = english[english.argmax(axis=1) == k, k]
    for least in GRID:
        often = (mine >= least).any() and right[mine >= least].mean() >= PRECISION
        false = int((read >= least).sum())
        rare = upper(false) <= ANGRY_PER_HOUR * hours if k == ANGER else false <= FALSE_PER_HOUR * hours
        if often and (k == NEUTRAL or rare):
            return float(round(least, 2))
    return NEVER


def _directions(shifted: Array, nuisance: int | None) -> Array:
    """Give orthonormal rows: the mean shift of English, then the strongest directions in which readers differ."""
    if nuisance is None:
        return np.zeros((1, shifted.shape[1]))
    mean = shifted.mean(axis=0)
    spread = np.linalg.svd(shifted - mean, full_matrices=False)[2][:nuisance]
    rows: Array = np.linalg.qr(np.vstack([mean, spread]).T)[0].T
    return rows


if __name__ == "__main__":
    main()
