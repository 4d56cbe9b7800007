"""A plain wording filled with whom and what a question means: what it names itself, else what was last spoken of."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from agent.brains.rules.following.leaning import DROP, SAY, TURN
from agent.brains.rules.following.referents import written
from agent.brains.rules.following.standing import ended, filled, forms, places, put, without
from agent.brains.rules.following.thread import KINDS, Thread, Way
from agent.brains.rules.language import Language
from agent.brains.rules.meaning import Scene
from agent.brains.rules.rewriting import rewritten
from agent.brains.rules.tokens import tokens

OPEN = "\uf8ff"


@dataclass(frozen=True, slots=True)
class Followed:
    """The question that stands alone, and how likely it is what is meant; where it is not known who `word` is, OPEN
    stands for one of `choices`."""

    text: str
    word: str = ""
    choices: tuple[str, ...] = ()
    likely: float = 1.0


def fits(wording: str, way: Way, thread: Thread) -> bool:
    """Say whether a wording has a place for all that is new, and all its places can be filled."""
    need = places(wording)
    kinds = {place[0] for place in need}
    able = all(way.named.get(kind) or thread.had(kind) for kind in kinds)
    return way.new.keys() <= kinds and able and ("S2" not in need or len(_two(wording, way, thread)) > 1)


def stood(wording: str, way: Way, thread: Thread) -> Followed:
    """Fill a wording; a person who may be several is left open where a pronoun stands for it."""
    need, word = places(wording), thread.pronoun
    slots = {kind: _thing(kind, way, thread) for kind in KINDS[1:] if kind in need}
    who = way.of("S") or thread.persons
    if "S2" in need:
        slots |= _two(wording, way, thread)
    elif "S" in need:
        several = len(who) > 1 and not way.of("S")
        slots["S"] = OPEN if several and word else _role(thread) if several else _together(who, thread)
    return Followed(filled(wording, slots), word, who if OPEN in slots.values() else ())


def swapped(way: Way, thread: Thread) -> Followed:
    """Ask the question before of whom or what is new."""
    text = without(thread.last.text, thread.last.stretches)
    for kind, new in way.new.items():
        text = put(text, _bare(thread.last.named[kind][0], thread), _together(new, thread))
    return Followed(text)


def stretches(question: str, scene: Scene, language: Language) -> tuple[str, ...]:
    """Give the stretches of time that a question says."""
    ruled = rewritten(tokens(question, scene.roster, scene.sounds, language), language.rules, language)
    return tuple(t.text[0].casefold() + t.text[1:] for t in ruled if t.tag == "RANGE")


def bounded(text: str, what: str, thread: Thread) -> str:
    """Put the stretch of time in a question that it is to have: the one before, its other side, the one it says."""
    said = {SAY: stretches(thread.question, thread.scene, thread.language), DROP: ()}.get(what, thread.last.stretches)
    for stretch in said:
        sides = dict(thread.table["sides"]) if what == TURN else {}
        sides |= {other: one for one, other in sides.items()}
        text = ended(text, " ".join(sides.get(word, word) for word in stretch.split()))
    return text


def _role(thread: Thread) -> str:
    """Give the one of several people whom the question before is about."""
    order = [place for place in places(forms(thread.language.code).get(thread.last.key, "")) if place[0] == "S"]
    return dict(zip(order, thread.persons, strict=False)).get("S", thread.persons[0])


def _thing(kind: str, way: Way, thread: Thread) -> str:
    """Give a topic, sound or feeling as it is to be written: several together, with an article."""
    named = way.of(kind)
    if not named:
        return thread.had(kind)[0]
    text = _together([written(thread.question, one.strip('"')) for one in named], thread)
    bare = kind != "F" and not re.match(r"[\"“«]|the\b|l[ea]s?\b|l'", text, re.IGNORECASE)
    return f"{thread.table['article'] if bare else ''}{text}"


def _two(wording: str, way: Way, thread: Thread) -> dict[str, str]:
    """Give two people: those named, with the one last spoken of, else those of the question before in their order."""
    order = [place for place in places(wording) if place[0] == "S"]
    named = sorted(way.named.get("S", ()), key=thread.question.find)
    others = [one for one in thread.people if one not in named]
    if not named:
        return dict(zip(order if len(thread.persons) > 1 else sorted(order), others, strict=False))
    spoken = named[:1] if len(named) > 1 and (order[0] == "S" or named[0] in thread.persons) else named[1:] or others
    rest = [one for one in named if one not in spoken[:1]]
    return dict(zip(("S", "S2"), (*spoken[:1], *rest[:1]), strict=False))


def _together(named: Iterable[str], thread: Thread) -> str:
    """Give what is named as one."""
    told = sorted(named, key=lambda one: thread.question.find(one.strip('"')))
    return f" {thread.table['together']} ".join(_called(one, thread) for one in told)


def _called(name: str, thread: Thread) -> str:
    """Give the one of the roster whom a part of a name means; "the other John" is not the one spoken of."""
    parts = set(name.casefold().split())
    called = [one for one in thread.scene.roster if parts <= set(one.casefold().split())]
    other = [one for one in called if one not in thread.last.named["S"]]
    words = re.findall(r"\w+", thread.question.casefold())
    return other[0] if len(called) > len(other) == 1 and thread.table["other"] in words else name


def _bare(text: str, thread: Thread) -> str:
    """Give what is named without its article."""
    first, _, rest = text.partition(" ")
    return rest if rest and first.casefold() in thread.table["articles"] else text
