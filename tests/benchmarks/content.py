"""Made rows at the density of talk: log-normal turns, Zipf-like words, one turn in ten inside the one before it."""

import random
from collections.abc import Iterator

from store.record import Emotion, Event, Row, Segment, StreamKind, Turn

HOURS = 9
SEGMENTS_AN_HOUR = 900
EVENTS_AN_HOUR = 222
PEOPLE = tuple(f"Person {n}" for n in range(12))
SOUNDS = ("Dog", "Bell", "Siren", "Applause", "Laughter", "Music", "Door", "Telephone")
MOODS = ("neutral", "anger", "happiness", "sadness", "no clear emotion")
VOCABULARY = tuple(f"word{n}" for n in range(4_000))
COMMON, RARE, RAREST = "word3", "word900", "word3999"

Content = dict[StreamKind, list[Row]]


def content(seed: int, hours: float = HOURS) -> Content:
    """Give the rows of a recording of so many hours."""
    chance = random.Random(seed)
    found: Content = {"transcript": [], "speaker": [], "emotion": [], "events": []}
    for start, end in _spans(chance, int(SEGMENTS_AN_HOUR * hours)):
        who = PEOPLE[int(len(PEOPLE) * chance.random() ** 2)]
        words = (VOCABULARY[int(len(VOCABULARY) * chance.random() ** 3)] for _ in range(12))
        found["transcript"].append(Segment(start, end, " ".join(words), who, score=0.9))
        found["speaker"].append(Turn(start, end, who, 0.9))
        found["emotion"].append(Emotion(start, end, chance.choice(MOODS), chance.random(), who))
    for _ in range(int(EVENTS_AN_HOUR * hours)):
        start = chance.randrange(int(hours * 3_600_000) - 10_000)
        found["events"].append(Event(start, start + chance.randrange(200, 9_000), chance.choice(SOUNDS), 0.8))
    return found


def whole(hours: float = HOURS) -> Event:
    """Give an event as long as a recording, which no bound on the left edge can help."""
    return Event(0, int(hours * 3_600_000), "Hum", 0.9)


def _spans(chance: random.Random, count: int) -> Iterator[tuple[int, int]]:
    step = 3_600_000 // SEGMENTS_AN_HOUR
    for number in range(count):
        start = number * step + (0 if chance.random() < 0.9 else -step // 3 * (number > 0))
        yield start, start + min(max(300, int(chance.lognormvariate(8.0, 0.6))), 300_000)
