"""The ten emotions that rows and replies name, and the words people use for them.

A stretch that is not clearly any of them gets UNCLEAR, which is a row (it was listened to) and no emotion. Labels from
importers go through the same map; what nobody knows is `other`.
"""

import re
from typing import Final

NEUTRAL: Final = "neutral"
LABELS: Final = (
    NEUTRAL,
    "anger",
    "happiness",
    "sadness",
    "fear",
    "disgust",
    "boredom",
    "surprise",
    "contempt",
    "other",
)
UNCLEAR: Final = "no clear emotion"

_SYNONYMS: Final = {
    NEUTRAL: "neutrally calm calmly composed even-tempered matter-of-fact unemotional relaxed",
    "anger": "angry angrily mad furious furiously annoyed irritated irate enraged outraged rage cross agitated",
    "happiness": "happy happily joy joyful joyfully glad cheerful cheerfully delighted excited amused pleased",
    "sadness": "sad sadly unhappy sorrow sorrowful depressed gloomy miserable melancholy heartbroken upset down",
    "fear": "afraid scared fearful fearfully anxious anxiety frightened terrified nervous nervously worried panic",
    "disgust": "disgusted disgusting revolted repulsed grossed-out",
    "boredom": "bored boring boredly uninterested tired weary listless monotonous",
    "surprise": "surprised surprising astonished amazed shocked startled astonishment",
    "contempt": "contemptuous contemptuously scornful scorn disdain disdainful sneering",
    "other": "confused confusion frustrated embarrassed ashamed proud jealous",
}
_SHORT: Final = {
    "neu": NEUTRAL, "ang": "anger", "hap": "happiness", "sad": "sadness", "fea": "fear", "dis": "disgust",
    "bor": "boredom", "sur": "surprise", "con": "contempt", "exc": "happiness", "fru": "other",
}  # fmt: skip
"""What classifiers of speech write for short."""
_BY_WORD: Final = {word: label for label, words in _SYNONYMS.items() for word in [label, *words.split()]}


def resolve(word: str) -> str | None:
    """Give the label a word stands for (angry, furious: anger), None when it is unknown."""
    plain = " ".join(word.casefold().split())
    if plain in (UNCLEAR, "unclear"):
        return UNCLEAR
    return _BY_WORD.get(plain.replace(" ", "-")) or _BY_WORD.get(plain)


def counterpart(label: str) -> str:
    """Give the one of the ten that a model's label stands for (hap, Angry, female_sad); itself when none or several."""
    words = re.findall(r"[^\W\d_]+", label.casefold())
    found = {_SHORT.get(word) or resolve(word) for word in words} - {None}
    return str(found.pop()) if len(found) == 1 else label


def synonyms(label: str) -> tuple[str, ...]:
    """Give the words that stand for a label, the label first; KeyError when it is none of the ten."""
    return (label, *_SYNONYMS[label].split())
