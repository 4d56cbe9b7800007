"""An open question (why, how, compare, what was it about) asks for passages: what about, and whose words.

No value can be computed from it, so its content words and its meaning are weighed together; a person who is named as
the one who speaks limits it, whatever brain planned.
"""

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from agent.brains.rules.language import language
from store.catalog import Catalog
from tools.speaker.names import folded, resolve

TOKENS = 2000
OPEN = ("text",)
_MOST = 24
_FORMS = ("'s", "’s")


def opened(
    calls: Sequence[dict[str, Any]], question: str, catalog: Catalog, *, semantic: bool, tokens: int = TOKENS
) -> list[dict[str, Any]]:
    """Let a plan's searches of the transcript bring passages, by the one person whom the question says to speak."""
    person = subject(question, catalog)
    return [
        call | {"args": _args(call["args"], question, person, semantic=semantic, tokens=tokens)}
        if call.get("name") == "transcript" and not call["args"].get("passages")
        else call
        for call in calls
    ]


def subject(question: str, catalog: Catalog) -> str | None:
    """Give the display name of the one person whose words an open question asks for; None when it names none so."""
    voices = [voice for entry in catalog.recordings for voice in entry.voices]
    names = {name for voice in voices for name in (voice.display, voice.label, *voice.aliases) if _distinct(name)}
    if not names:
        return None
    either = "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)))
    found = [
        match
        for pattern in _table()["subject"]
        for match in re.finditer(pattern.replace("{N}", f"(?:{either})"), question, re.IGNORECASE)
    ]
    first = min(found, key=lambda match: match.start("S"), default=None)
    if first is None or re.match(rf",? (?:and|or) (?:the )?(?:{either})\b", question[first.end("S") :], re.IGNORECASE):
        return None
    heard = {voice.display for entry in catalog.recordings for voice in resolve(entry, first["S"])}
    return heard.pop() if len(heard) == 1 else None


def words(text: str, person: str | None = None) -> list[str]:
    """Give the words that a question is about, without those that only frame it and without the person's name."""
    name = set() if person is None else set(folded(person).split())
    plain = [_plain(word) for word in text.split()]
    kept = [word for word in plain if re.search(r"\w", word) and folded(word) not in language().stop | name]
    return list(dict.fromkeys(word for word in kept if word.casefold() not in _framing()))[:_MOST]


def _args(args: dict[str, Any], question: str, person: str | None, *, semantic: bool, tokens: int) -> dict[str, Any]:
    asked: dict[str, Any] = {"passages": tokens, "around": True} | args
    about = words(" ".join(args.get("keywords", [])), person) or words(question, person)
    if about and args.get("match") != "phrase":
        asked["keywords"] = about
    if semantic:
        asked.setdefault("semantic", question)
    if person is not None:
        asked.setdefault("speaker", person)
    return {key: value for key, value in asked.items() if key != "match"}


def _plain(word: str) -> str:
    bare = word.strip(".,;:!?()[]\"'“”‘’")
    return next((bare.removesuffix(form) for form in _FORMS if bare.endswith(form)), bare)


def _distinct(name: str) -> bool:
    """Say whether a name can be told from a word of the question: not a single letter, not a stop word."""
    return len(name) > 1 and name.casefold() not in language().stop


@cache
def _table() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("topic.toml").read_text(encoding="utf-8"))


@cache
def _framing() -> frozenset[str]:
    return frozenset(_table()["framing"].split())
