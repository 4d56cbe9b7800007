"""A scorer: what one expectation wants, and how a reply is held against it; a share from 0 to 1, and why not 1.

In a suite it is written `name: target`, or with more said of it `name: {target: ..., tolerance: 1.5}`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from agent.reply import Reply

SLACK = 1e-9
_SHOWN = 160


@dataclass(frozen=True, slots=True)
class Grade:
    """What a model made of an answer; `right` is None when it made nothing of it, and `why` says so."""

    right: bool | None
    why: str


@dataclass(frozen=True, slots=True)
class Seen:
    """A reply with what scorers may look up: rows of a gold statement, and a model's grade where there is a model."""

    reply: Reply
    question: str = ""
    rows: Callable[[str], Sequence[Sequence[Any]]] | None = None
    grade: Callable[[str, str, str], Grade] | None = None


@dataclass(frozen=True, slots=True)
class Mark:
    """How much of an expectation holds, from 0 to 1, and what is missing."""

    share: float
    why: str = ""


RIGHT = Mark(1.0)


class Scorer(BaseModel, ABC):
    """One expectation: `target` is what is right."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    target: Any
    at_least: float = Field(default=1.0, gt=0, le=1)

    @model_validator(mode="before")
    @classmethod
    def _written_short(cls, given: Any) -> Any:
        return given if isinstance(given, dict) else {"target": given}

    @abstractmethod
    def mark(self, seen: Seen) -> Mark:
        """Hold a reply against the target."""

    def passes(self, mark: Mark) -> bool:
        """Say whether a share is enough: all of it, unless `at_least` says less."""
        return mark.share >= self.at_least - SLACK


def shown(value: Any) -> str:
    """Give a value as a complaint names it, cut where it is long."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def instead(given: Any, wanted: Any) -> Mark:
    """Give the mark of a wrong value."""
    return Mark(0.0, f"{shown(given)} instead of {shown(wanted)}")


def _said(text: str) -> str:
    if not any(map(str.isalnum, text)):
        raise ValueError("a text without a letter or figure asserts nothing")
    return text


def _named(text: str) -> str:
    if not text.strip():
        raise ValueError("an empty name is nobody's")
    return text


Words = Annotated[str, AfterValidator(_said)]
Name = Annotated[str, AfterValidator(_named)]
OneOrMore = Words | Annotated[list[Words], Field(min_length=1)]


def several(given: str | list[str]) -> list[str]:
    """Give one text as a list of one."""
    return [given] if isinstance(given, str) else given
