"""What a question of a conversation is read against: what the turns before it were about, and what it names itself."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agent.brains.rules.following.referents import Referents
from agent.brains.rules.following.standing import tables
from agent.brains.rules.language import Language
from agent.brains.rules.masking import Masked
from agent.brains.rules.meaning import Scene

KINDS = "SXEF"


@dataclass(frozen=True, slots=True)
class Thread:
    """A question and the turns before it, last first."""

    question: str
    turns: tuple[Referents, ...]
    scene: Scene
    language: Language

    @property
    def last(self) -> Referents:
        """The question before this one."""
        return self.turns[0]

    @property
    def table(self) -> Mapping[str, Any]:
        """The wordings of the language."""
        found: Mapping[str, Any] = tables()[self.language.code]
        return found

    @property
    def pronoun(self) -> str:
        """The first word of the question that may be somebody; "" where none is."""
        persons = self.table["persons"].split()
        return next((word for word in re.findall(r"\w+", self.question.casefold()) if word in persons), "")

    @property
    def persons(self) -> tuple[str, ...]:
        """Who may be meant: by a pronoun anybody who was last spoken of, else whom the question before named."""
        able = (turn.persons for turn in self.turns if turn.persons)
        return next(able, ()) if self.pronoun else self.last.named["S"]

    @property
    def people(self) -> tuple[str, ...]:
        """Who was spoken of, last first."""
        return tuple(dict.fromkeys(one for turn in self.turns for one in (*turn.persons, *turn.named["S"])))

    def had(self, kind: str) -> tuple[str, ...]:
        """Give what was last named of a kind."""
        return self.persons if kind == "S" else next((t.named[kind] for t in self.turns if t.named[kind]), ())


@dataclass(frozen=True, slots=True)
class Way:
    """One way to take a question: its words, with what the one before named as {S} and what is new as {S2}; what it
    names and what of that is new, by kind; how many words that may name something do not."""

    words: tuple[str, ...]
    named: Mapping[str, tuple[str, ...]]
    new: Mapping[str, tuple[str, ...]]
    left: int

    def of(self, kind: str) -> tuple[str, ...]:
        """Give what is named of a kind, only what is new where there is any."""
        return self.new.get(kind) or self.named.get(kind, ())


def way(found: Masked, last: Referents) -> Way:
    """Sort what a question names into what the one before named and what is new."""
    places: dict[str, str] = {}
    named: dict[str, tuple[str, ...]] = {}
    new: dict[str, tuple[str, ...]] = {}
    for place, text in found.slots.items():
        if (kind := place[1]) in KINDS:
            is_new = not any(_is_of(text, old) for old in last.named[kind])
            places[place] = f"{{{kind}{2 if is_new else ''}}}"
            named[kind] = (*named.get(kind, ()), text)
            new |= {kind: (*new.get(kind, ()), text)} if is_new else {}
    return Way(tuple(places.get(word, word) for word in found.words), named, new, found.left)


def _is_of(text: str, old: str) -> bool:
    """Say whether a text names what was named before, or a part of it ("Anna" of "Anna Bell")."""
    return set(text.casefold().strip('"').split()) <= set(old.casefold().replace('"', " ").split())
