"""A question as read: its family, what fills the slots, the stretch of time, and how it lies to something else.

Range and relation are peeled off first, because every family may carry them; what is left must match one pattern of
the table whole. A pattern that fits but whose slots make no sense (a pronoun for a speaker) does not count.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from agent.brains.rules.cleaning import Asked, clean
from agent.brains.rules.language import Family, Language, groups
from agent.brains.rules.ranges import Stretch, take_range
from agent.brains.rules.slots import Slots, fill

LONGEST_QUESTION = 600
_OPENERS = "who|whom|whose|what|which|when|how|did|does|do|was|were|is|are|where|why|in|for"


@dataclass(frozen=True, slots=True)
class Clause:
    """How the answer lies to something else that was heard or said: "during the applause"."""

    relation: str
    slots: Slots


@dataclass(frozen=True, slots=True)
class Reading:
    """One understood question."""

    family: Family
    slots: Slots
    stretch: Stretch | None = None
    clause: Clause | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """What a question is read against: names of the roster, which sounds are known, the length in seconds."""

    roster: tuple[str, ...]
    is_sound: Callable[[str], bool]
    duration: float | None


def read(question: str, scene: Scene, language: Language) -> Reading | None:
    """Read a question, or give None when no family fits; what is longer than a question is not tried."""
    if len(question) > LONGEST_QUESTION:
        return None
    asked = clean(question, scene.roster, language)
    if negated(asked.text, language):
        return None
    stretch, rest = take_range(asked.text, language, scene.duration)
    for text, clause in _peeled(rest, asked, scene, language):
        reading = _match(text.strip(" ,"), asked, scene, language)
        if reading is not None:
            stretch = None if stretch is None else stretch.around(reading.family.around)
            return replace(reading, stretch=stretch, clause=_with_subject(clause, reading.slots))
    return None


def negated(text: str, language: Language) -> bool:
    """Say whether a cleaned question asks for what did not happen, which no plan can say."""
    rules = language.table["negation"]
    if any(language.compiled(pattern).search(text) for pattern in rules["plain"]):
        return False
    return any(language.compiled(pattern).search(text) for pattern in rules["patterns"])


def outside(question: str, language: Language) -> bool:
    """Say whether a question is plainly not about a recording: the weather, our opinion, a command."""
    if len(question) > LONGEST_QUESTION:
        return False
    text = clean(question, (), language).text
    plain = re.sub(r"\s+", " ", question).strip(" ?!.")
    forms = {
        text,
        re.sub(r"^(?:please|can you|could you|would you|will you|hey,?|ok,?) ", "", plain, flags=re.IGNORECASE),
    }
    patterns = [language.compiled(pattern) for pattern in language.table["scope"]["outside"]]
    return any(pattern.fullmatch(form) for pattern in patterns for form in forms)


def _match(text: str, asked: Asked, scene: Scene, language: Language) -> Reading | None:
    for family in language.families:
        for pattern in family.patterns:
            match = language.compiled(pattern).fullmatch(text)
            slots = fill(groups(match), asked, scene.is_sound, language) if match else None
            if slots is not None:
                return Reading(family, slots)
    return None


def _peeled(text: str, asked: Asked, scene: Scene, language: Language) -> Iterator[tuple[str, Clause | None]]:
    """Give the question without each clause of relation it may end or open with, then as it is."""
    for rule in language.table["relation"]:
        words = rule["words"]
        for match in re.finditer(rf"(?<=[\w\ue000-\uefff'\")%])[ ,]+{words} ", text, re.IGNORECASE):
            slots = _clause(text[match.end() :], asked, scene, language)
            if slots is not None:
                yield text[: match.start()], Clause(rule["relation"], slots)
        opening = re.match(f"{words} ", text, re.IGNORECASE)
        for end in _question_starts(text) if opening else ():
            slots = _clause(text[opening.end() : end], asked, scene, language) if opening else None
            if slots is not None:
                yield text[end:], Clause(rule["relation"], slots)
    yield text, None


def _question_starts(text: str) -> list[int]:
    """Give where the question proper may begin after an opening clause; after a comma first."""
    starts = re.finditer(rf"(,?) (?=(?:{_OPENERS})\b)", text, re.IGNORECASE)
    return [match.end() for match in sorted(starts, key=lambda match: not match[1])]


def _clause(text: str, asked: Asked, scene: Scene, language: Language) -> Slots | None:
    for pattern in language.table["clause"]["patterns"]:
        match = language.compiled(pattern).fullmatch(text.strip(" ,"))
        slots = fill(groups(match), asked, scene.is_sound, language, pronouns=True) if match else None
        if slots is not None:
            return slots
    return None


def _with_subject(clause: Clause | None, main: Slots) -> Clause | None:
    """Let "while she talked about it" and "while talking about it" mean the question's own speaker."""
    if clause is None or clause.slots.speakers or not clause.slots.subject_open:
        return clause
    return replace(clause, slots=replace(clause.slots, speakers=main.speakers))
