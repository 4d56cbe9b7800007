"""What fills a pattern's slots: people by name, topics as keywords, sounds and emotions as labels."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from agent.brains.rules.cleaning import Asked
from agent.brains.rules.language import Language
from agent.brains.rules.ranges import length

_TOPIC_JOIN = re.compile(r"\s*,\s*(?:and |or |as well as )?|\s+(?:and|or|as well as)\s+", re.IGNORECASE)
_LIST_MARK = re.compile(r"\s*(?:\(?\b\d{1,2}[).:]|\(\w\))\s*")
_LIST_JOIN = re.compile(r"\s*(?:,\s*(?:and|or|then)\b|,|;|\band then\b|\band\b|\bor\b|\bversus\b|\bvs\.?(?=\s))\s*")


@dataclass(frozen=True, slots=True)
class Slots:
    """The filled slots; `subject_open` when a clause leaves its speaker to the main question."""

    speakers: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    match: Literal["any", "all", "phrase"] = "any"
    sounds: tuple[str, ...] = ()
    emotion: str | None = None
    seconds: float | None = None
    edge: Literal["first", "last"] | None = None
    rank: Literal["most", "least"] | None = None
    rank_words: str = ""
    subject_open: bool = False


def fill(
    found: Mapping[str, str],
    asked: Asked,
    is_sound: Callable[[str], bool],
    language: Language,
    *,
    pronouns: bool = False,
) -> Slots | None:
    """Fill the slots from a match's groups, or give None when one of them cannot mean what the pattern says."""
    speakers, open_subject = _speakers(found.get("S"), asked, language)
    if open_subject and not pronouns:
        return None
    keywords, match = topic(found["X"], asked, language) if "X" in found else ((), "any")
    sounds = _sounds(found, asked, is_sound, language)
    seconds = length(found["N"], language) if "N" in found else None
    if sounds is None or ("X" in found and not keywords) or ("N" in found and seconds is None):
        return None
    if len(sounds) == 1 and asked.named(found.get("E", "")):
        speakers, sounds = (asked.named(found["E"])[0],), ()
    return Slots(
        speakers=speakers,
        keywords=keywords,
        match=match,
        sounds=sounds,
        emotion=language.emotions[found["F"].lower()] if "F" in found else None,
        seconds=seconds,
        edge="first" if "first" in found else "last" if "last" in found else None,
        rank="most" if "most" in found else "least" if "least" in found else None,
        rank_words=found.get("most") or found.get("least") or "",
        subject_open=open_subject or (pronouns and "S" not in found and "X" in found),
    )


def topic(text: str, asked: Asked, language: Language) -> tuple[tuple[str, ...], Literal["any", "all", "phrase"]]:
    """Give the keywords of a topic: a quote stays a phrase, else all words that carry meaning must be there.

    Each topic of a list ("lasers or the fire alarm") is a keyword by itself, any of which counts.
    """
    quoted = asked.quoted(text)
    if quoted:
        return tuple(dict.fromkeys(quoted)), "phrase"
    plain = re.sub(language.table["topic_lead"], "", asked.restore(text), flags=re.IGNORECASE).strip(" ,.?!")
    listed = _topics(plain, language)
    if listed:
        return listed, "any"
    words = content_words(plain, language)
    if not words:
        empty = not re.search(r"\w", plain) or plain.casefold() in language.table["unresolved"]
        return ((), "any") if empty else ((plain,), "phrase")
    return words, "all" if len(words) > 1 else "any"


def _topics(text: str, language: Language) -> tuple[str, ...]:
    """Give the topics of a list, or none when a part of it is more than words that carry meaning."""
    lead = language.compiled(language.table["topic_lead"])
    parts = [lead.sub("", part).strip(" ,.?!") for part in _TOPIC_JOIN.split(text) if part.strip(" ,.?!")]
    whole = [bool(part) and " ".join(content_words(part, language)) == part for part in parts]
    return tuple(dict.fromkeys(parts)) if len(parts) > 1 and all(whole) else ()


def content_words(text: str, language: Language) -> tuple[str, ...]:
    """Give the words of a text that a search can be made of, each once."""
    words = (word.strip(".,;:!?()[]\"'") for word in text.split())
    plain = (re.sub(r"'s$", "", word) for word in words)
    kept = (word for word in plain if re.search(r"\w|%", word) and word.casefold() not in language.stop)
    return tuple(dict.fromkeys(kept))


def _speakers(text: str | None, asked: Asked, language: Language) -> tuple[tuple[str, ...], bool]:
    """Give the speakers a slot names, and whether it holds only a pronoun that refers to somebody else."""
    if text is None:
        return (), False
    known = asked.named(text)
    plain = re.sub(language.table["name_lead"], "", asked.restore(text), flags=re.IGNORECASE)
    plain = re.sub(r"'s$", "", plain.strip(" ,.?!")).strip()
    if plain.casefold() in language.table["anyone"]:
        return (), False
    if not plain or plain.casefold() in language.table["unresolved"]:
        return (), True
    others = set(asked.without_names(text).casefold().split())
    if known and others & set(language.table["negation"]["words"]):
        return (), True
    if known and len(known) == 1 and len(plain) <= len(known[0]) + len("speaker "):
        return (known[0],), False
    if others & set(language.table["no_name"]):
        return (), True
    parts = [part for part in re.split(r",\s*(?:and |or )?|\s+(?:and|or)\s+", plain) if part]
    return tuple(part for part in parts if part.casefold() not in ("both", "either")), False


def _sounds(
    found: Mapping[str, str], asked: Asked, is_sound: Callable[[str], bool], language: Language
) -> tuple[str, ...] | None:
    if "KNOWN" in found:
        sound = sound_phrase(asked.restore(found["KNOWN"]), language)
        return (sound,) if sound and is_sound(sound) and not no_sound(sound, language) else None
    if "E" in found:
        sound = sound_phrase(asked.restore(found["E"]), language)
        meant = sound and len(sound.split()) <= 5 and sound.casefold() not in language.stop
        return (sound,) if meant and not no_sound(sound, language) else None
    if "L" in found:
        parts = _LIST_JOIN.split(_LIST_MARK.sub(", ", asked.restore(found["L"])))
        sounds = tuple(dict.fromkeys(s for part in parts if (s := sound_phrase(part, language))))
        return sounds if len(sounds) > 1 else None
    return ()


def no_sound(text: str, language: Language) -> bool:
    """Say whether a text is a word for sound or silence as such ("the sounds", "the recording"), which names none."""
    return text.casefold() in language.table["no_sound"]


def sound_phrase(text: str, language: Language) -> str:
    """Give a sound as it is looked up: without articles and without the words "sound of"."""
    plain = asked_plain = text.strip(" ,.?!:()")
    plain = re.sub(language.table["sound_lead"], "", plain, flags=re.IGNORECASE)
    plain = re.sub(language.table["sound_tail"], "", plain, flags=re.IGNORECASE).strip(" ,")
    return plain or ("" if asked_plain.casefold() in language.stop else asked_plain)
