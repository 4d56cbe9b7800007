"""What a question means, once read: what it names, the form it is asked in, how it lies to other things."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agent.brains.rules.language import Form, Token
from agent.brains.rules.ranges import Stretch
from agent.brains.rules.topics import Topic


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

    @property
    def topics(self) -> tuple[Topic, ...]:
        """What it and its clauses look for in what was said."""
        return sum((clause.topics for _, clause in self.clauses), self.fact.topics)


@dataclass(frozen=True, slots=True)
class Scene:
    """What a question is read against: names of the roster, known sounds, the length in seconds."""

    roster: tuple[str, ...]
    sounds: Mapping[tuple[str, ...], Token]
    is_sound: Callable[[str], bool]
    duration: float | None
