"""A question of a conversation as a model restates it, where the rules cannot; the earlier turns are data to it.

What it writes counts only when it names nothing that was not spoken of, and keeps what the question itself names, and
some word of it: else an earlier answer could put a question of its own in its place.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import prompts
from agent.brains.fence import fenced
from agent.brains.planner import Bill
from agent.brains.protocol import Cost
from agent.brains.rules.language import Language

TURNS, LONGEST = 4, 200
LONGEST_QUESTION = 600
_WORD = re.compile(r"\d+(?::\d\d)+|[^\W_]+")


@dataclass(frozen=True, slots=True)
class Said:
    """An earlier turn: the question as it stands alone, and the answer to it."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Restated:
    """The question that a model wrote, None where it could not tell, and what it cost."""

    text: str | None
    cost: Cost = Cost()


@runtime_checkable
class Restates(Protocol):
    """A brain that can read the turns of a conversation."""

    def restate(self, question: str, turns: Sequence[Said]) -> Restated:
        """Write a question so that it stands alone."""
        ...


def restate(bill: Bill, question: str, turns: Sequence[Said]) -> Restated:
    """Ask a model for the question that stands alone; EndpointError as ever."""
    from langchain_core.messages import HumanMessage, SystemMessage

    lines = [f"{fenced(t.question)[:LONGEST]} -> {fenced(t.answer)[:LONGEST]}" for t in turns[-TURNS:]]
    asked = prompts.load("follow_question", turns="\n".join(lines), question=fenced(question))
    text = str(bill.ask([SystemMessage(prompts.load("follow")), HumanMessage(asked)]).content).strip()
    return Restated(text if text and text.strip(" .").upper() != "UNCLEAR" else None, bill.cost)


def stands(text: str, question: str, turns: Sequence[Said], roster: Sequence[str], language: Language) -> bool:
    """Say whether a restated question is one line, holds what the question names, and else only what was spoken of."""
    if len(text) > LONGEST_QUESTION or "\n" in text:
        return False
    told = " ".join([question, *(part for turn in turns[-TURNS:] for part in (turn.question, turn.answer[:LONGEST]))])
    plain = {word for phrase in language.lexicon for word in phrase} | language.stop
    spoken = _words(told)
    kept = [name for name in roster if _words(name) <= _words(question)]
    times = {word for word in _words(question) if word[0].isdigit()}
    own = _words(question) - language.stop
    held = not own or bool(kept) or bool(own & _words(text))
    named = all(_words(name) <= _words(text) for name in kept) and times <= _words(text)
    return held and named and _words(text) <= spoken | plain


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
