"""Print what the emotion stream is worth: calibration on acted German, false emotions in plain English, arousal.

    python -m scripts.measure_emotion EMODB --english LIBRISPEECH [--head FILE ...] [--cache FILE]

EMO-DB is measured by leaving one actor out: head, temperature and thresholds come from the nine others. English is
measured on the readers that nothing was chosen on, with the head of each file, in turns of 2-15 s. Arousal is chosen
on the odd actors and measured on the even ones, whose usual is made of their other neutral, bored and sad clips; and
on seven readers with ten utterances each, in stretches of 5 s.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import f1_score, recall_score

from scripts.emotion_vectors import EMOTIONS, RATE, Array, Vectors, others, samples, vectors
from scripts.train_emotion_head import CLASSES, NUISANCE, Choice, ece, left_out, named, softmax, temperature, thresholds
from store.record import Emotion
from tools.emotion.arousal import EXCITED, above, excited
from tools.emotion.labels import UNCLEAR
from tools.emotion.prosody import prosody
from tools.emotion.recognisers.emodb import HEAD

AROUSED, USUAL = ("anger", "fear", "happiness"), ("neutral", "boredom", "sadness")
STRETCH_S = 5
Felt = tuple[str, str, Mapping[str, float]]


def main() -> None:
    """Measure and print."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("emodb", type=Path)
    options.add_argument("--english", type=Path, required=True)
    options.add_argument("--head", type=Path, nargs="+", default=[HEAD])
    options.add_argument("--cache", type=Path)
    options.add_argument("--nuisance", type=int, default=NUISANCE)
    options.add_argument("--neutral", action="store_true", help="readers were examples of neutral too")
    given = options.parse_args()
    data = vectors(given.emodb, given.english, given.cache)
    print_acted(data, Choice(given.nuisance, given.neutral))
    for head in given.head:
        held = data.held
        print_english(data.english[held], data.seconds[held], len(set(data.readers[held])), head, "held out")
        print_english(*others(given.english), head, "that no head was chosen with")
    print_arousal(given.emodb, given.english)


def crossed(data: Vectors, choice: Choice) -> tuple[Array, Array, NDArray[np.bool_], Array]:
    """Give each clip's raw and calibrated probabilities, whether it is named, and its first second's probabilities.

    Temperature and thresholds are chosen without the clip's own actor.
    """
    truth = np.searchsorted(CLASSES, data.labels)
    logits, short, english = left_out(data, choice)
    hours = float(data.seconds[~data.held].sum()) / 3600
    calm, brief, told = np.zeros_like(logits), np.zeros_like(logits), np.zeros(len(logits), dtype=bool)
    for actor in np.unique(data.actors):
        own = data.actors == actor
        heat = temperature(logits[~own], truth[~own])
        least = thresholds(softmax(logits[~own] / heat), truth[~own], softmax(english / heat), hours)
        calm[own], brief[own] = softmax(logits[own] / heat), softmax(short[own] / heat)
        told[own] = named(calm[own], least)
    return softmax(logits), calm, told, brief


def print_acted(data: Vectors, choice: Choice) -> None:
    """Print accuracy and calibration on EMO-DB, and the precision of what is named by label."""
    truth = np.searchsorted(CLASSES, data.labels)
    raw, calm, told, brief = crossed(data, choice)
    best = calm.argmax(axis=1)
    right, place = best == truth, np.arange(len(truth))
    print(f"EMO-DB, one of {len(np.unique(data.actors))} actors left out, {len(truth)} clips; {choice}")
    recall = float(recall_score(truth, best, average="macro"))
    print(f"accuracy {right.mean():.3f}  unweighted recall {recall:.3f}  macro-F1 {_f1(truth, best):.3f}")
    losses = [-np.log(each[place, truth]).mean() for each in (raw, calm)]
    print(f"log loss {losses[0]:.3f} -> {losses[1]:.3f}  ECE {ece(raw, truth):.3f} -> {ece(calm, truth):.3f}")
    print(f"named {told.mean():.3f}, right {right[told].mean():.3f}; of one second {_accuracy(brief, truth):.3f} right")
    print(f"\n{'label':12}{'named':>7}{'precision':>11}{'recall of all':>15}")
    for k, label in enumerate(CLASSES):
        mine = told & (best == k)
        precise = f"{right[mine].mean():11.2f}" if mine.any() else f"{'-':>11}"
        print(f"{label:12}{mine.sum():7}{precise}{(mine & right).sum() / (truth == k).sum():15.2f}")
    print(f"\n{'score':12}{'clips':>7}{'mean score':>12}{'right':>8}")
    top = calm.max(axis=1)
    for low in np.arange(0.2, 1.0, 0.1):
        mine = (top >= low) & (top < low + 0.1 + (low > 0.85))
        if mine.any():
            print(f"{low:.1f}-{low + 0.1:.1f}     {mine.sum():7}{top[mine].mean():12.2f}{right[mine].mean():8.2f}")


def print_english(turns: Array, seconds: Array, readers: int, path: Path, whose: str) -> None:
    """Print what a head says of turns (turns, 1024) of neutral readers."""
    with np.load(path, allow_pickle=False) as head:
        pooled = turns @ head["weights"].T.astype(np.float64) + head["bias"]
        least = head["thresholds"] if "thresholds" in head else np.full(len(CLASSES), float(head["threshold"]))
    probabilities = softmax(pooled)
    told, best = named(probabilities, least), probabilities.argmax(axis=1)
    print(f"\n{path.name}: neutral English readers {whose}")
    counts = Counter(np.where(told, CLASSES[best], UNCLEAR).tolist())
    hours = float(seconds.sum()) / 3600
    any_ = counts.total() - counts["neutral"] - counts[UNCLEAR]
    print(f"{counts.total()} turns, {hours:.3f} h, {readers} readers: {dict(counts)}")
    print(f"falsely angry {counts['anger'] / hours:.1f} an hour, any emotion {any_ / hours:.1f} an hour")


def print_arousal(emodb: Path, english: Path) -> None:
    """Print how well more excited than usual is told on actors, and how often readers are said to be."""
    clips = [(path.stem[:2], EMOTIONS[path.stem[5]], path) for path in sorted(emodb.glob("*.flac"))]
    felt = [(actor, label, _measured(samples(path))) for actor, label, path in clips]
    print(f"\nmore excited than usual: {EXCITED} spreads")
    for part in (1, 0):
        rows = [each for each in felt if int(each[0]) % 2 == part]
        judged = [(label, above(mine, _usual(rows, actor, mine))) for actor, label, mine in rows]
        said = [label in AROUSED for label, far in judged if far >= EXCITED]
        neutral = [far >= EXCITED for label, far in judged if label == "neutral"]
        recall = sum(said) / sum(label in AROUSED for label, _ in judged)
        print(f"  {'odd (chosen on)' if part else 'even'} actors: {len(rows)} clips, {len(said)} said, ", end="")
        print(f"right {np.mean(said):.2f}, recall {recall:.2f}, neutral said {np.mean(neutral):.3f}")
    read = list(_read(english))
    hours = sum(row.t1 - row.t0 for row in read) / 3.6e6
    print(f"  readers: {len(read)} stretches, {hours:.2f} h, said {len(excited(read)) / hours:.1f} an hour")


def _usual(rows: Iterable[Felt], actor: str, mine: Mapping[str, float]) -> list[Mapping[str, float]]:
    return [other for who, label, other in rows if who == actor and label in USUAL and other is not mine]


def _read(english: Path) -> Iterable[Emotion]:
    for reader in sorted(filter(Path.is_dir, english.iterdir())):
        utterances = sorted(reader.glob("*.flac"))
        at = 0
        for path in utterances if len(utterances) > 1 else []:
            sound = samples(path)
            for part in np.array_split(sound, max(1, round(len(sound) / RATE / STRETCH_S))):
                end = at + len(part) * 1000 // RATE
                yield Emotion(at, end, UNCLEAR, 0.0, reader.name, _measured(part))
                at = end


def _measured(sound: Array) -> dict[str, float]:
    found = prosody(sound.astype(np.float32))
    return {} if found is None else asdict(found)


def _f1(truth: NDArray[np.intp], best: NDArray[np.intp]) -> float:
    return float(f1_score(truth, best, average="macro"))


def _accuracy(probabilities: Array, truth: NDArray[np.intp]) -> float:
    return float((probabilities.argmax(axis=1) == truth).mean())


if __name__ == "__main__":
    main()
