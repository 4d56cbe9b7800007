"""What a world puts in the place of a wording's placeholders, so that no wording belongs to one recording.

Chosen so that there is something to find: a person who says the topic, sounds that were heard, a range in which
people speak.
"""

import random
import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from agent.evals.worlds.world import World
from store.clock import clock

ADJECTIVES = {
    "anger": "angry", "happiness": "happy", "sadness": "sad", "fear": "afraid", "disgust": "disgusted",
    "boredom": "bored", "surprise": "surprised",
}  # fmt: skip
FRENCH = {
    "angry": "en colère", "happy": "heureux", "sad": "triste", "afraid": "effrayé", "disgusted": "dégoûté",
    "bored": "ennuyé", "surprised": "surpris", "siren": "sirène", "bark": "aboiement", "applause": "applaudissements",
    "laughter": "rires", "music": "musique", "doorbell": "sonnette", "thunder": "tonnerre", "cough": "toux",
    "telephone bell ringing": "sonnerie de téléphone", "rain": "pluie", "whistling": "sifflement",
    "chainsaw": "tronçonneuse",
}  # fmt: skip
_PLACE = re.compile(r"\{(\w+)\}")
Filling = Mapping[str, str | float]


def filling(world: World, seed: int = 0) -> Filling:
    """Choose a world's words and numbers for every placeholder; the same seed gives the same ones."""
    rng = random.Random(f"{world.spec.seed}:{seed}:filling")
    said = Counter((mention.topic, mention.speaker) for mention in world.mentions)
    often = Counter(mention.topic for mention in world.mentions)
    pairs = [pair for pair, _ in said.most_common() if often[pair[0]] > 2]
    topic, who = (
        pairs[0] if world.spec.seed % 3 == 0 else rng.choice(pairs)
    )  # one who often says it, others who may not
    topics = [name for name in often if name != topic]
    labels = [label for label, _ in Counter(event.label for event in world.events).most_common(6)]
    feeling = _feeling(world, who)
    last = world.duration_ms // 1000
    place = rng.choice([mention.t0 // 1000 for mention in world.mentions if mention.topic == topic])
    first = max(1, place - rng.randrange(20, last // 6))
    second = min(last - 1, place + rng.randrange(60, last // 6))
    sounds = [*rng.sample(labels[:2], 1), *rng.sample(labels[2:], 2)]
    return {
        "S": who,
        "S2": rng.choice([name for name in world.cast if name != who]),
        "X": topic,
        "X2": rng.choice(topics),
        "E": sounds[0].lower(),
        "E2": sounds[1].lower(),
        "E3": sounds[2].lower(),
        "F": ADJECTIVES[feeling],
        "T1": clock(first * 1000),
        "T2": clock(second * 1000),
        "A": float(first),
        "B": float(second),
        "HALF": last / 2,
    }


def filled(text: str, filling: Filling, code: str = "en") -> str:
    """Put a world's words into a wording; sounds and emotions in the wording's language."""
    words = FRENCH if code == "fr" else {}
    return _PLACE.sub(lambda match: words.get(str(filling[match[1]]), str(filling[match[1]])), text)


def filled_plan(calls: list[Any], filling: Filling) -> list[dict[str, Any]]:
    """Write a gold plan's calls with a world's words as tool calls."""
    made = []
    for name, args, *given in calls:
        call_id = given[0] if given else f"{name}_1"
        made.append({"name": name, "args": _deep(args, filling), "id": call_id, "type": "tool_call"})
    return made


def _deep(value: Any, filling: Filling) -> Any:
    match value:
        case str():
            whole = _PLACE.fullmatch(value)
            return filling[whole[1]] if whole else filled(value, filling)
        case list():
            return [_deep(item, filling) for item in value]
        case dict():
            return {key: _deep(item, filling) for key, item in value.items()}
    return value


def _feeling(world: World, who: str) -> str:
    felt = Counter(row.label for row in world.emotions if row.speaker == who and row.label in ADJECTIVES)
    return felt.most_common(1)[0][0] if felt else "anger"
