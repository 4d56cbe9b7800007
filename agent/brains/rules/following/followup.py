"""A question of a conversation that leaves out what was just spoken of, as one that stands alone.

What it means is learned (`leaning`); whom and what it is about is said in it or was in the turns before. What stands
alone is left as it is, and so is what is not likely enough; where several may be meant, who asks is asked.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from agent.brains.rules.following.leaning import ALONE, DROP, KEEP, SAME, SAY, TURN, Leaning, Leanings, leanings, pieces
from agent.brains.rules.following.referents import Earlier, referents
from agent.brains.rules.following.slots import OPEN, Followed, bounded, fits, stood, stretches, swapped
from agent.brains.rules.following.standing import forms, tables, tidy
from agent.brains.rules.following.thread import Thread, Way, way
from agent.brains.rules.language import Language, language
from agent.brains.rules.masking import PLACE, masked, words
from agent.brains.rules.meaning import Scene
from agent.brains.rules.reading import read
from agent.brains.rules.tokens import LONGEST_QUESTION, tokens

__all__ = ["OPEN", "Followed", "followed", "leans"]
SURE = 0.3  # a less likely meaning is none
SHORT = 4
_PRONOUNS = {"PRON", "IT", "THEM", "AFTERTHAT"}
_LEANING = {*_PRONOUNS, "ELSE", "THAT"}


def followed(question: str, earlier: Sequence[Earlier], scene: Scene, code: str = "en") -> Followed | None:
    """Give the stand-alone question that a question of a conversation means, None when it stands alone already."""
    learned = leanings(language(code)) if earlier and _is_of(question, code) else None
    if learned is None or OPEN in question or len(question) > LONGEST_QUESTION:
        return None
    turns = tuple(referents(one, scene, learned.language) for one in reversed(earlier))
    thread = Thread(question, turns, scene, learned.language)
    found = list(options(thread, learned.known))
    likely, place, key = learned.likeliest([(one.leaning, one.keys) for one in found])
    if likely < SURE or key == ALONE:
        return None
    meant = _meant(key, found[place], thread, learned)
    return None if meant.text == question else replace(meant, text=tidy(meant.text), likely=likely)


def _is_of(question: str, code: str) -> bool:
    """Say whether a question says something, and no other language knows more of its words."""
    able = {one: learned.known for one in tables() if (learned := leanings(language(one)))}
    said = [word for word in words(question, language(code)) if word.isalpha()]
    told = {one: len(known.intersection(said)) for one, known in able.items()}
    return any(map(str.isalpha, question)) and told[code] == max(told.values())


def leans(question: str, scene: Scene, spoken: Language) -> bool:
    """Say whether a question may lean on those before it: by a pronoun, by how it begins, by how short it is."""
    asked = tokens(question, scene.roster, scene.sounds, spoken)
    return bool({token.tag for token in asked} & _LEANING) or len(asked) <= SHORT or asked[0].tag == "AND"


@dataclass(frozen=True, slots=True)
class Option:
    """One way to take a question, how it is weighed, and the keys of what it may mean."""

    way: Way
    leaning: Leaning
    keys: tuple[str, ...]


def options(thread: Thread, known: frozenset[str]) -> Iterator[Option]:
    """Give every way to take a question; `known` are the words that questions are made of, all others name things."""
    asked, language = (thread.question, thread.scene, thread.language), thread.language
    tags = {token.tag for token in tokens(thread.question, thread.scene.roster, thread.scene.sounds, language)}
    is_read, says = not tags & _PRONOUNS and read(*asked) is not None, bool(stretches(*asked))
    parts = {part for name in thread.scene.roster for part in name.split() if part[0].isupper()}
    sounds = {phrase: token for phrase, token in language.lexicon.items() if token.tag == "SOUND"}
    scene = replace(
        thread.scene, roster=(*thread.scene.roster, *sorted(parts)), sounds={**sounds, **thread.scene.sounds}
    )
    found = (way(one, thread.last) for one in masked(thread.question, scene, language, known))
    ways = {(one.words, tuple(one.named)): one for one in found if not _is_name(one, thread)}
    keys = [_keys(one, says, thread) for one in ways.values()]
    leans_surely = any(ALONE not in able for able in keys)
    for one, able in zip(ways.values(), keys, strict=True):
        leaning = Leaning(one.words, thread.last.key, tuple(sorted(one.new)), is_read, says, one.left)
        yield Option(one, leaning, tuple(key for key in able if key != ALONE or not leans_surely))


def _keys(one: Way, says: bool, thread: Thread) -> tuple[str, ...]:
    """Give what a question may mean when it is taken in one way.

    What says nothing but somebody or something new asks what was asked before; what says a strange word does not.
    """
    idle, before = thread.table["idle"].split(), thread.last.key
    able = [key for key, wording in forms(thread.language.code).items() if fits(wording, one, thread)]
    able += [] if before or not all(map(thread.last.named.get, one.new)) else [SAME]
    idle += thread.table["persons"].split() if "S" in one.new else []
    if all(word in idle or PLACE.fullmatch(word) for word in one.words):
        alike = [key for key in able if key == SAME or pieces(key)[:2] == pieces(before)[:2]]
        return tuple(alike or able or [ALONE]) if one.new else (ALONE,)
    if one.left and not one.new and not says:
        able = [key for key in able if key not in (before, SAME)]
    return (*able, ALONE)


def _is_name(one: Way, thread: Thread) -> bool:
    """Say whether what is taken for a topic is written like a name where somebody was spoken of."""
    topics = (topic for topic in one.new.get("X", ()) if topic[0].isupper() and not thread.question.startswith(topic))
    return bool(thread.persons) and any(topics)


def _meant(key: str, option: Option, thread: Thread, learned: Leanings) -> Followed:
    """Give the question of a meaning, in the stretch of time that it is to have."""
    able = [SAY] if option.leaning.says else [KEEP]
    able += [DROP] if thread.last.stretches else []
    able += [TURN] if thread.last.stretches and not option.leaning.says else []
    wording = forms(thread.language.code).get(key, "")
    found = stood(wording, option.way, thread) if wording else swapped(option.way, thread)
    return replace(found, text=bounded(found.text, learned.becomes(option.leaning, able), thread))
