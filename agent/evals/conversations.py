"""Conversations held on worlds: a turn is right when its reply equals the one to the question that stands alone.

`gold` names that question; a turn without it stands alone itself and must be left as it is; `asks` are those who could
be meant, where the right reply asks back.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agent.ask import ask
from agent.brains.protocol import Brain
from agent.dialogue import Dialogue
from agent.evals.plans.filling import Filling, filled
from agent.library import Library
from agent.reply import Reply

READ_AS = "read as: "
_ASIDE = {"usage", "trace", "plan", "sql", "caveats", "brain", "confidence"}


@dataclass(frozen=True, slots=True)
class Spoken:
    """One conversation: its turns as written, with placeholders; `people` makes it one of the small talk."""

    turns: tuple[Mapping[str, Any], ...]
    language: str = "en"
    aside: bool = False
    people: tuple[str, ...] = ()


@dataclass
class Marks:
    """How many turns were right, by kind, and what was said in those that were not."""

    right: dict[str, int] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The share of turns that were right."""
        return sum(self.right.values()) / max(1, sum(self.asked.values()))

    def note(self, kind: str, wrong: str | None) -> None:
        """Note one turn and what is wrong with it, if anything is."""
        self.asked[kind] = self.asked.get(kind, 0) + 1
        self.right[kind] = self.right.get(kind, 0) + (wrong is None)
        self.wrong += [] if wrong is None else [f"{kind}: {wrong}"]


def read(path: Path) -> list[Spoken]:
    """Read the conversations of a file."""
    rows = tomllib.loads(path.read_text(encoding="utf-8"))["conversation"]
    return [
        Spoken(tuple(r["turns"]), r.get("language", "en"), r.get("aside", False), tuple(r.get("people", ())))
        for r in rows
    ]


def hold(
    spoken: Spoken, words: Filling, library: Library, recording: str, marks: Marks, brain: Brain | None = None
) -> None:
    """Hold one conversation about a recording and mark its turns."""
    dialogue = Dialogue()
    for turn in spoken.turns:
        question = filled(turn["ask"], words, spoken.language)
        reply = ask(library, question, recording=recording, dialogue=dialogue, brain=brain)
        gold = filled(turn.get("gold", turn["ask"]), words, spoken.language)
        if "asks" in turn:
            wrong = _asked(reply, {filled(name, words) for name in turn["asks"]})
        else:
            wrong = _other(reply, ask(library, gold, recording=recording, brain=brain), gold, question)
        marks.note(turn.get("kind", "alone"), wrong and f"“{question}” {wrong}")


def _asked(reply: Reply, names: set[str]) -> str | None:
    found = {one["speaker"] for one in reply.refusal.alternatives} if reply.refusal else set()
    return None if names <= found else f"asked back {sorted(found)} and not {sorted(names)}"


def _other(reply: Reply, plain: Reply, gold: str, question: str) -> str | None:
    said = [caveat.removeprefix(READ_AS) for caveat in reply.caveats if caveat.startswith(READ_AS)]
    if gold == question and said and READ_AS + said[0] not in plain.caveats:
        return f"stands alone and was read as “{said[0]}”"
    if reply.model_dump(exclude=_ASIDE) != plain.model_dump(exclude=_ASIDE):
        return f"was read as “{said[0] if said else question}” and not as “{gold}”"
    if gold != question and not said:
        return f"was answered without saying that it was read as “{gold}”"
    return None
