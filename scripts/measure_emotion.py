"""Print what the emotion stream is worth: calibration on acted German, false emotions in plain English, arousal.

    python -m scripts.measure_emotion EMODB --english LIBRISPEECH [--head FILE ...] [--cache FILE]

EMO-DB is measured by leaving one actor out: head, temperature and thresholds come from the nine others. English is
measured on the readers that nothing was chosen on, with the head of each file, and on all readers, each heard by a
head, a temperature and thresholds that nothing of the reader went into; in turns of 2-15 s cut at several places: the
bound beside a rate is that of the hours of speech, of which turns are cut again and again. What hearing halves costs
is measured on two clips of one actor and one emotion joined. Arousal is chosen on the odd actors and measured on the
even ones, whose usual is made of their other neutral, bored and sad clips; and on seven readers with ten utterances
each, in stretches of 5 s.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import f1_score, recall_score

from scripts.emotion_vectors import EMOTIONS, RATE, Array, Vectors, samples, vectors
from scripts.train_emotion_head import (
    ANGER,
    CLASSES,
    NEUTRAL,
    NUISANCE,
    Choice,
    Head,
    ece,
    fit,
    heard,
    left_out,
    named,
    softmax,
    temperature,
    thresholds,
    trained,
    upper,
)
from store.record import Emotion
from tools.emotion.arousal import EXCITED, above, excited
from tools.emotion.labels import UNCLEAR
from tools.emotion.prosody import prosody
from tools.emotion.recognisers.emodb import HEAD

AROUSED, USUAL = ("anger", "fear", "happiness"), ("neutral", "boredom", "sadness")
STRETCH_S = 5
PARTS = 5  # of the readers, when each is left out once
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
    choice = Choice(given.nuisance, given.neutral)
    cross = crossed(data, choice)
    print_acted(data, choice, cross)
    print_joined(data, choice, cross)
    for head in given.head:
        print_english(data, head)
    print_rotated(data, choice)
    print_arousal(given.emodb, given.english)


@dataclass(frozen=True, slots=True)
class Crossed:
    """EMO-DB heard by heads that did not hear the clip's actor: probabilities (clips, classes), and what is named.

    `heat` and `least` are each clip's temperature and thresholds, chosen without its actor.
    """

    raw: Array
    calm: Array
    named: NDArray[np.bool_]
    brief: Array
    """Of the first second."""
    heat: Array
    least: Array


def crossed(data: Vectors, choice: Choice) -> Crossed:
    """Hear each clip with a head, a temperature and thresholds that nothing of its actor went into."""
    truth, seconds = np.searchsorted(CLASSES, data.labels), data.seconds[~data.held]
    logits, short, english = left_out(data, ~data.held, choice)
    heat, least = np.zeros((len(logits), 1)), np.zeros_like(logits)
    for actor in np.unique(data.actors):
        own = data.actors == actor
        heat[own] = temperature(logits[~own], truth[~own])
        hot = float(heat[own][0, 0])
        likely = softmax(logits[~own] / hot)
        least[own] = thresholds(likely, truth[~own], heard(english / hot, seconds), float(seconds.sum()) / 3600)
    calm = softmax(logits / heat)
    return Crossed(softmax(logits), calm, named(calm, least), softmax(short / heat), heat, least)


def print_joined(data: Vectors, choice: Choice, cross: Crossed) -> None:
    """Print what hearing halves costs: two clips of one actor and emotion as one turn, its actor left out."""
    first, second = _pairs(data)
    whole = _joined(data.test[first], data.test[second])
    truth = np.searchsorted(CLASSES, data.labels[first])
    logits = np.zeros((len(first), 3, len(CLASSES)))
    for actor in np.unique(data.actors):
        own = data.actors[first] == actor
        head = fit(data, data.actors != actor, ~data.held, choice)
        logits[own] = head.logits(np.stack([whole[own], data.test[first[own]], data.test[second[own]]], axis=1))
    logits /= cross.heat[first][:, None]
    print(f"\ntwo clips joined: {len(first)} turns of about 4 s")
    for title, likely in {
        "whole": softmax(logits[:, 0]),
        "whole and halves": heard(logits, np.full(len(first), 4.0)),
    }.items():
        best = likely.argmax(axis=1)
        told = named(likely, cross.least[first])
        angry = told & (best == ANGER) & (truth == ANGER)
        print(f"{title}: named {told.mean():.3f}, right {(best == truth)[told].mean():.3f}, ", end="")
        print(f"recall of anger {angry.sum() / (truth == ANGER).sum():.2f}")


def _pairs(data: Vectors) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Give the clips of each actor and emotion two by two, in order."""
    kinds = [f"{actor} {label}" for actor, label in zip(data.actors, data.labels, strict=True)]
    places = [np.flatnonzero(np.array(kinds) == kind) for kind in sorted(set(kinds))]
    even = [own[: len(own) // 2 * 2].reshape(-1, 2) for own in places]
    first, second = np.concatenate(even).T
    return first, second


def _joined(one: Array, two: Array) -> Array:
    """Pool two pooled stretches of the same length as one: (turns, mean and spread)."""
    (mean, spread), (other, wide) = (np.split(each, 2, axis=1) for each in (one, two))
    together = np.sqrt((spread**2 + wide**2) / 2 + ((mean - other) / 2) ** 2)
    return np.concatenate([(mean + other) / 2, together], axis=1)


def print_acted(data: Vectors, choice: Choice, cross: Crossed) -> None:
    """Print accuracy and calibration on EMO-DB, and the precision of what is named by label."""
    truth = np.searchsorted(CLASSES, data.labels)
    raw, calm, told, brief = cross.raw, cross.calm, cross.named, cross.brief
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


def print_english(data: Vectors, path: Path) -> None:
    """Print what a head says of the turns of neutral readers that are held out."""
    with np.load(path, allow_pickle=False) as head:
        print(f"\n{path.name}, version {head['version']}: neutral English readers held out")
        likely = _turns(data, Head(head["weights"].astype(np.float64), head["bias"]), 1.0, data.held)
        _print_false(data, data.held, likely, head["thresholds"])


def print_rotated(data: Vectors, choice: Choice) -> None:
    """Print the same of all readers, each heard by a head that nothing of the reader went into."""
    likely, least = rotated(data, choice)
    print(f"\nmade anew {PARTS} times: neutral English readers, each left out once")
    _print_false(data, np.ones(len(data.readers), dtype=bool), likely, least)


def rotated(data: Vectors, choice: Choice) -> tuple[Array, Array]:
    """Give each turn's probabilities and thresholds (turns, classes), as made without the readers of its part.

    Head, temperature and thresholds are made anew for each of PARTS; a reader's turns are all in one.
    """
    part = np.searchsorted(np.unique(data.readers), data.readers) % PARTS
    likely, least = np.zeros((2, len(part), len(CLASSES)))
    for number in range(PARTS):
        own = part == number
        made = trained(data, ~own, choice)
        likely[own], least[own] = _turns(data, made.head, made.heat, own), made.least
    return likely, least


def _turns(data: Vectors, head: Head, heat: float, own: NDArray[np.bool_]) -> Array:
    """Give the probabilities of some turns (turns, classes), as a recording's turns are heard."""
    pooled = np.concatenate([data.english[own, None], data.halves[own]], axis=1)
    return heard(head.logits(pooled) / heat, data.seconds[own])


def _print_false(data: Vectors, own: NDArray[np.bool_], likely: Array, least: Array) -> None:
    """Print what is named in some turns; `least` is (classes,), or each turn's own (turns, classes)."""
    best, seconds = likely.argmax(axis=1), data.seconds[own]
    told = named(likely, least)
    counts = Counter(np.where(told, CLASSES[best], UNCLEAR).tolist())
    once = float(data.seconds[own & (data.cuts == 0)].sum()) / 3600
    hours, cuts = float(seconds.sum()) / 3600, len(np.unique(data.cuts))
    print(f"{len(set(data.readers[own].tolist()))} readers, {once:.3f} h of speech cut {cuts} times: ", end="")
    print(f"{counts.total()} turns, {hours:.3f} h: {dict(counts)}")
    any_ = told & (best != NEUTRAL)
    for title, false in {"angry": told & (best == ANGER), "any emotion": any_}.items():
        most = upper(np.ceil(false.sum() / cuts)) / once
        whose = len(set(data.readers[own][false].tolist()))
        print(f"falsely {title}: {false.sum() / hours:.1f} an hour, of {whose} readers; at most {most:.1f} (95 %)")


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
