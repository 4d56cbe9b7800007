"""What recognisers would make of a world: its truth with errors, and scores that know of them as well as they do.

Every error is drawn with a probability of its own, and the row's score is what that probability says; a temperature
other than 1 makes scores too sure (below) or not sure enough (above). Each kind of error has a knob and all have one
seed, so the manifest of the knobs makes the same streams again.
"""

import math
import random
from dataclasses import replace

from agent.evals.worlds import cast, damage
from agent.evals.worlds.knobs import CLEAN, FIELD, PAPER, PRESETS, Heard, Noise, preset
from agent.evals.worlds.truth import World
from store.record import Emotion, Event, Turn

__all__ = ["CLEAN", "FIELD", "PAPER", "PRESETS", "Heard", "Noise", "heard", "preset"]

# How much the chance of an error differs from row to row: the sum of the beta distribution's two parameters.
SPREAD = 3.0
LEAST, MOST = 0.02, 0.995


def heard(world: World, noise: Noise) -> Heard:
    """Give a world's streams with the errors of these knobs; without any they are the truth, with scores near 1."""
    voices = _voices(world, noise)
    segments, turns = [], []
    words = random.Random(f"{world.spec.seed}:{noise.seed}:words")
    planted = _planted(world)
    for segment in world.segments:
        voice, sure = voices[segment.t0, segment.t1, segment.speaker]
        text, score = _misheard(segment.text, planted, noise, words)
        segments.append(replace(segment, text=text, speaker=voice, score=score))
        if voice is not None:
            turns.append(Turn(segment.t0, segment.t1, voice, sure))
    emotions = _felt(world, noise, {key: voice for key, (voice, _) in voices.items()})
    return damage.damaged(world, noise, Heard(segments, turns, emotions, _sounds(world, noise)))


def _rate(rng: random.Random, mean: float) -> float:
    """Draw a chance of error around a mean; 0 stays 0."""
    return rng.betavariate(SPREAD * mean, SPREAD * (1 - mean)) if 0 < mean < 1 else mean


def _score(error: float, temperature: float) -> float:
    """Give the score that says a chance of error, too sure or not sure enough by the temperature."""
    sure = min(max(1 - error, 1e-6), 1 - 1e-6)
    logit = math.log(sure / (1 - sure)) / temperature
    return round(min(max(1 / (1 + math.exp(-logit)), LEAST), MOST), 3)


def _voices(world: World, noise: Noise) -> dict[tuple[int, int, str | None], tuple[str | None, float]]:
    """Give each turn's voice as it was told apart, and how sure that is."""
    rng = random.Random(f"{world.spec.seed}:{noise.seed}:voices")
    halves = {name: f"SPEAKER_{n:02}" for n, name in enumerate(world.cast) if rng.random() < noise.split}
    found: dict[tuple[int, int, str | None], tuple[str | None, float]] = {}
    for segment in world.segments:
        wrong, lost = _rate(rng, noise.confused), rng.random() < noise.missed
        others = [name for name in world.cast if name != segment.speaker]
        voice = rng.choice(others) if others and rng.random() < wrong else segment.speaker
        if voice in halves and rng.random() < 0.3:
            voice = halves[voice]
        key = (segment.t0, segment.t1, segment.speaker)
        found[key] = (None if lost else voice, _score(wrong, noise.temperature))
    return found


def _planted(world: World) -> frozenset[str]:
    """Give the words that questions are made of: topics, entities, attributes and their values."""
    told = [*cast.words("topics"), *cast.words("entities"), *cast.attributes()]
    told += [value for values in cast.attributes().values() for value in values]
    return frozenset(word.casefold() for phrase in told for word in phrase.split())


def _misheard(text: str, planted: frozenset[str], noise: Noise, rng: random.Random) -> tuple[str, float]:
    """Give a segment's words as heard: some replaced, lost or doubled; its score is the mean of its words'."""
    written, scores = [], []
    for word in text.split():
        bare = word.strip(".,").casefold()
        known = bare in planted and noise.keywords is not None
        error = _rate(rng, noise.keywords if known and noise.keywords is not None else noise.words)
        scores.append(1 - error)
        if rng.random() >= error:
            written.append(word)
            continue
        kind = rng.choice(("replaced", "replaced", "replaced", "lost", "doubled"))
        other = rng.choice(cast.words("filler"))
        written += {"replaced": [other], "lost": [], "doubled": [other, other]}[kind]
    mean = sum(scores) / len(scores) if scores else 1.0
    said = " ".join(written) or rng.choice(cast.words("filler"))
    return said, _score(1 - mean, noise.temperature)


def _felt(world: World, noise: Noise, voices: dict[tuple[int, int, str | None], str | None]) -> list[Emotion]:
    rng = random.Random(f"{world.spec.seed}:{noise.seed}:emotions")
    labels, rows = cast.words("emotions"), []
    for emotion in world.emotions:
        voice = voices[emotion.t0, emotion.t1, emotion.speaker]
        wrong = _rate(rng, noise.emotions)
        label = emotion.label
        if rng.random() < wrong:
            label = rng.choice([other for other in labels if other != label])
        if voice is not None:
            rows.append(Emotion(emotion.t0, emotion.t1, label, _score(wrong, noise.temperature), voice))
    return rows


def _sounds(world: World, noise: Noise) -> list[Event]:
    """Give the events that were heard and those that only seemed so; the latter have the scores of doubtful ones."""
    rng = random.Random(f"{world.spec.seed}:{noise.seed}:events")
    rows = []
    for event in world.events:
        wrong = _rate(rng, noise.events_missed)
        if rng.random() >= wrong:
            rows.append(replace(event, score=_score(wrong * 0.5, noise.temperature)))
    for _ in range(round(noise.events_false * len(world.events))):
        length = rng.randint(500, 4_000)
        t0 = rng.randint(0, max(1, world.duration_ms - length))
        wrong = _rate(rng, 0.6)
        rows.append(Event(t0, t0 + length, rng.choice(cast.words("sounds")), _score(wrong, noise.temperature)))
    return sorted(rows, key=lambda event: (event.t0, event.t1, event.label))
