"""Questions that stand alone: plain wordings with places for whom and what they ask about, and changes of one thing.

A wording's key says what it is made of: what is asked, how, and in capitals its places. An earlier question is one of
them when its plan has the same shape.
"""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from agent.brains.rules.language import Language, Token
from agent.brains.rules.meaning import Scene
from agent.brains.rules.plans import tool_calls
from agent.brains.rules.reading import read
from agent.brains.rules.tokens import tokens

_VALUES = ("keywords", "speaker", "names", "labels")
_STRETCH = ("start", "end", "match")
_PLACE = re.compile(r"\{(\w+)\}")


@lru_cache(maxsize=1)
def tables() -> Mapping[str, Any]:
    """Load the wordings of all languages."""
    return tomllib.loads(Path(__file__).with_name("followups.toml").read_text(encoding="utf-8"))


@lru_cache(maxsize=4)
def forms(code: str) -> Mapping[str, str]:
    """Give the wordings of a language by key; one with a place {N} is one for each time that may be asked for."""
    table = tables()[code]
    found: dict[str, str] = {}
    for key, wording in table["forms"].items():
        for nth, said in {"": "", **table["nth"]}.items() if "{N}" in wording else [("", "")]:
            found.setdefault(f"{key} {nth}".strip(), wording.replace("{N}", said and f" {said}"))
    return {**found, **table["instead"]}


def places(wording: str) -> list[str]:
    """Give a wording's places in their order."""
    return _PLACE.findall(wording)


def filled(wording: str, slots: Mapping[str, str]) -> str:
    """Fill a wording's places."""
    return _PLACE.sub(lambda place: slots[place[1]], wording)


def key(text: str, calls: Sequence[Mapping[str, Any]], scene: Scene, language: Language) -> str:
    """Give the key of the wording that a question means, by its plan; "" where it is none."""
    return _keys(language).get(_shape(text, calls, scene, language), "") if calls else ""


def example(
    wording: str, language: Language, topics: Sequence[str] = ("zebra", "quilt"), heard: Sequence[str] = ()
) -> tuple[str, Scene]:
    """Fill a wording with people, topics and the like; the scene that knows them, where some topics may be heard."""
    angry = next(" ".join(phrase) for phrase, token in language.lexicon.items() if token.tag == "EMO")
    slots = {"S": "Ann", "S2": "Ben", "S3": "Cyd", "E": "siren", "E2": "drum", "E3": "gong", "F": angry}
    slots |= {"X": topics[0], "X2": topics[1], "X3": "xylo", "T1": "2:00", "T2": "4:00"}
    known: dict[tuple[str, ...], Token] = {(sound,): Token("SOUND", sound) for sound in ("siren", "drum", "gong")}
    return filled(wording, slots), Scene(("Ann", "Ben", "Cyd"), known, lambda t: t in heard or (t,) in known, 600.0)


@lru_cache(maxsize=4)
def _keys(language: Language) -> Mapping[str, str]:
    """Give the keys of the wordings of a language by the shape of their plans; of alike ones the last."""
    found: dict[str, str] = {}
    for name, wording in forms(language.code).items():
        text, scene = example(wording, language)
        reading = read(text, scene, language)
        if reading is not None and (calls := tool_calls(reading, language)) is not None:
            found[_shape(text, calls, scene, language)] = name
    return found


def _shape(text: str, calls: Sequence[Mapping[str, Any]], scene: Scene, language: Language) -> str:
    """Write a plan without what it names and without its stretch of time; a "why" is planned like a "what"."""
    why = any(token.tag == "WHY" for token in tokens(text, scene.roster, scene.sounds, language))
    args = (
        {k: len(v) if k in ("names", "labels") else k in _VALUES or v for k, v in call["args"].items()}
        for call in calls
    )
    kept = [{k: v for k, v in one.items() if k not in _STRETCH} for one in args]
    return json.dumps([why, *zip((call["name"] for call in calls), kept, strict=True)], sort_keys=True)


def put(text: str, old: str, new: str) -> str:
    """Put new words in the place of the first old ones."""
    spelt = r"\s+".join(map(re.escape, old.split()))
    return re.sub(rf"(?<!\w){spelt}(?!\w)", lambda _: new, text, count=1, flags=re.IGNORECASE)


def without(text: str, stretches: Sequence[str]) -> str:
    """Take stretches of time out of a question."""
    for stretch in stretches:
        text = re.sub(r"\s+(?=[?.!,]|$)", "", put(text, stretch, ""))
    return text


def ended(text: str, more: str) -> str:
    """Put more at a question's end, before its mark."""
    bare = re.sub(r"[\s?.!,]+$", "", text)
    return f"{bare} {more}{text[len(bare) :].strip() and text[len(bare) :]}"


def tidy(text: str) -> str:
    """Write a question as a sentence."""
    text = re.sub(r"\bde le\b", "du", re.sub(r"\bde les\b", "des", re.sub(r"[ \t]+", " ", text))).strip()
    return text[:1].upper() + text[1:]
