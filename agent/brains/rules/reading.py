"""A question as read: what it names and asks, the form that explains every word of it, and how it lies to others.

Words become tags, rules join tags, and what is left gives the slots; a form fits when nothing it needs is missing and
nothing is left unexplained. Where none fits, words that are nearly known are read as if they were well spelt.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations
from typing import Any

from agent.brains.rules.language import Form, Language, Token
from agent.brains.rules.ranges import Stretch, stretch
from agent.brains.rules.rewriting import rewritten
from agent.brains.rules.tokens import tokens
from agent.brains.rules.topics import Topic, topics

LONGEST_QUESTION = 600
MOST_WORDS = 64
MOST_MISSPELT = 4
MOST_CLAUSES = 3
DEEPEST = 2
LONGEST_SOUND = 5
_UNKNOWN = ("WD", "CAP")
_HALVES = (("FIRST", "", 1.0), ("LAST", "", -1.0))
_Split = tuple[tuple[Token, ...], tuple[tuple[Token, tuple[Token, ...]], ...]]
_KINDS = {
    "NAME": ("person", "pair", "crowd"),
    "SOUND": ("sound", "sounds", "sounds3"),
    "TOPIC": ("topic", "topics"),
    "EMO": ("felt",),
}


@dataclass(frozen=True, slots=True)
class Fact:
    """What a question, or a clause of it, names; `open` when it leaves who it is to the question around it."""

    people: tuple[str, ...]
    topics: tuple[Topic, ...]
    sounds: tuple[str, ...]
    emotions: tuple[str, ...]
    values: Mapping[str, Any]
    features: frozenset[str]

    @property
    def open(self) -> bool:
        """Whether somebody is meant who is named elsewhere ("while she spoke", "while talking about it")."""
        return not self.people and bool(self.features & {"PRON", "SAYING", "WHOSE"})


@dataclass(frozen=True, slots=True)
class Reading:
    """One understood question or clause; `clauses` limit it, each with the word that says how it lies to it."""

    form: Form
    fact: Fact
    clauses: "tuple[tuple[Token, Reading], ...]" = ()
    stretches: tuple[Stretch, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """What a question is read against: names of the roster, known sounds, the length in seconds."""

    roster: tuple[str, ...]
    sounds: Mapping[tuple[str, ...], Token]
    is_sound: Callable[[str], bool]
    duration: float | None


def read(question: str, scene: Scene, language: Language) -> Reading | None:
    """Read a question, or give None when no family fits; what is longer than a question is not tried."""
    if len(question) > LONGEST_QUESTION or len(question.split()) > MOST_WORDS:
        return None
    for text in _spelt(question, scene, language):
        for bold in (True, False):
            found = _understood(tokens(text, scene.roster, scene.sounds, language, bold), scene, language)
            if found is not None:
                return found
    return None


def plain(text: str, scene: Scene, language: Language) -> tuple[tuple[Token, ...], Stretch]:
    """Give what is left of a text without politeness and times, as tokens, and the stretch that it names."""
    asked = tokens(text, scene.roster, scene.sounds, language)
    ruled = rewritten(
        asked, language.rules if len(text) <= LONGEST_QUESTION and len(asked) <= MOST_WORDS else (), language
    )
    spans = (stretch(token.value[0], token.value[1], scene.duration) for token in ruled if token.tag == "RANGE")
    return tuple(t for t in ruled if t.tag != "RANGE"), reduce(Stretch.within, filter(None, spans), Stretch())


def unknown(text: str, scene: Scene, language: Language) -> int:
    """Count the words of a question that a language does not know."""
    return sum(token.tag in _UNKNOWN for token in tokens(text, scene.roster, scene.sounds, language))


def _spelt(question: str, scene: Scene, language: Language) -> Iterator[str]:
    """Give a question with its unknown words as the lexicon has them: most of them, then fewer; one stays as it is."""
    asked = tokens(question, scene.roster, scene.sounds, language)
    unknown = dict.fromkeys(
        token.text for i, token in enumerate(asked) if token.tag == "WD" or (token.tag, i) == ("CAP", 0)
    )
    near = {word: better for word in unknown if (better := language.near(word))}
    sizes = range(len(near), 0, -1) if len(near) <= MOST_MISSPELT else ()
    if len(unknown) <= 1 or not near:
        yield question
    for words in (words for size in sizes for words in combinations(near, size)):
        yield re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)", lambda word: near[word[0]], question)
    yield question


def _understood(asked: tuple[Token, ...], scene: Scene, language: Language) -> Reading | None:
    ruled = rewritten(asked, language.rules, language)
    spans = [stretch(token.value[0], token.value[1], scene.duration) for token in ruled if token.tag == "RANGE"]
    if any(token.tag == "HALVES" for token in ruled):
        spans += [stretch("part", (Token(*edge), Token("PART", "", 0.5)), scene.duration) for edge in _HALVES]
    if None in spans:
        return None
    found = _reading(ruled, language.forms, scene, language, len(spans))
    around = found.form.plan.get("around", 0) if found else 0
    return found and replace(found, stretches=tuple(span.around(around) for span in spans if span))


def _reading(
    part: tuple[Token, ...], forms: tuple[Form, ...], scene: Scene, language: Language, spans: int = 0, depth: int = 0
) -> Reading | None:
    """Read a question or a clause, its own clauses first; the first form that explains it counts."""
    for main, split in _splits(part, language, MOST_CLAUSES if depth < DEEPEST else 0):
        clauses = [(word, _reading(rest, language.clauses, scene, language, 0, depth + 1)) for word, rest in split]
        if any(clause is None for _, clause in clauses):
            continue
        compared = spans > 1 and any(token.tag in ("OR", "THAN", "VERSUS", "MORE") for token in main)
        fact = _fact(main, scene, language, {"clause"} if split else {"halves"} if compared else set())
        form = next((form for form in forms if form.fits(fact.features)), None)
        if form is not None:
            return Reading(form, fact, tuple((word, clause) for word, clause in clauses if clause is not None))
    return None


def _splits(part: tuple[Token, ...], language: Language, most: int) -> Iterator[_Split]:
    """Give a question without each clause that it may end or open with, then as it is."""
    words = {"BETWEEN", *language.families["relation"]}
    for place in [i for i, token in enumerate(part) if token.tag in words][:most]:
        word, before, after = part[place], part[:place], part[place + 1 :]
        if word.tag == "BETWEEN":
            middle = next((i for i, token in enumerate(after) if token.tag == "AND"), len(after))
            yield before, ((Token("AFTER", ""), after[:middle]), (Token("BEFORE", ""), after[middle + 1 :]))
            continue
        yield before, ((word, after),)
        opens = all(token.tag in ("FN", "COMMA") for token in before)
        starts = [i for i, token in enumerate(after) if opens and token.tag in language.families["opening"]][:most]
        for start in sorted(starts, key=lambda i: after[i].tag != "COMMA"):
            yield before + after[start:], ((word, after[:start]),)
    yield part, ()


def _fact(part: tuple[Token, ...], scene: Scene, language: Language, more: set[str]) -> Fact:
    """Fill the slots of a question or clause: by position, then sounds that are known, then what is left."""
    part = rewritten(part, language.slots, language)
    part = rewritten(_heard(part, scene), language.late, language)
    both = any(token.tag == "BOTH" for token in part)
    named = {tag: [token for token in part if token.tag == tag] for tag in _KINDS}
    people = tuple(dict.fromkeys(token.value for token in named["NAME"]))
    counts = {"NAME": len(people)} | {tag: len(found) for tag, found in named.items() if tag != "NAME"}
    kinds = {kinds[min(counts[tag], len(kinds)) - 1] for tag, kinds in _KINDS.items() if counts[tag]}
    return Fact(
        people,
        tuple(one for token in named["TOPIC"] for one in topics(token.value, language, both)),
        tuple(dict.fromkeys(token.value or token.text for token in named["SOUND"])),
        tuple(dict.fromkeys(token.value for token in named["EMO"])),
        {token.tag: token.value for token in part if token.value is not None},
        frozenset({token.tag for token in part if token.tag not in _KINDS} | kinds | more),
    )


def _heard(part: tuple[Token, ...], scene: Scene) -> tuple[Token, ...]:
    """Take the longest runs of unknown words that name a sound for sounds."""
    for size in range(LONGEST_SOUND, 0, -1):
        for start in range(len(part) - size + 1):
            run = part[start : start + size]
            text = " ".join(token.text for token in run)
            able = all(token.tag in (*_UNKNOWN, *(["SOUND"] if size > 1 else [])) for token in run)
            if able and scene.is_sound(text):
                return _heard((*part[:start], Token("SOUND", text), *part[start + size :]), scene)
    return part
