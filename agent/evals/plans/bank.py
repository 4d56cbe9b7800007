"""A bank of questions: wordings by meaning, each meaning with one gold plan, measured over several worlds.

A wording is right when its plan is the gold plan's equal on every world. Wordings hold placeholders, so that a world
lends its own people, topics and sounds.
"""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from agent.brains.protocol import Brain, Planned, Question
from agent.evals.plans.filling import Filling, filled, filled_plan, filling
from agent.evals.plans.sameness import same
from agent.evals.worlds.streams import publish
from agent.evals.worlds.world import Spec, make
from store import recordings
from store.catalog import Catalog, catalog
from store.database import Database
from store.errors import ToolError
from tools.call import Session
from tools.families import SAID
from tools.plan import parse_plan

WORLDS = (Spec(101, 20, 5), Spec(102, 25, 4), Spec(103, 14, 9))
ALL = "recordings."


@dataclass(frozen=True, slots=True)
class Bank:
    """Wordings by the id of their meaning; what to decline; what is about a recording but cannot be computed."""

    language: str
    cases: Mapping[str, Sequence[str]]
    offtopic: Sequence[str] = ()
    open: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Wrong:
    """One wording that was not understood as it means."""

    id: str
    wording: str
    why: str


@dataclass
class Score:
    """How many wordings were right, by family; `whole` are the meanings of which every wording was right."""

    right: dict[str, int] = field(default_factory=dict)
    asked: dict[str, int] = field(default_factory=dict)
    whole: dict[str, bool] = field(default_factory=dict)
    wrong: list[Wrong] = field(default_factory=list)

    def note(self, meaning: str, wording: str, why: str | None) -> None:
        """Note one wording and what is wrong with it, if anything is."""
        family = meaning.partition(".")[0]
        self.asked[family] = self.asked.get(family, 0) + 1
        self.right[family] = self.right.get(family, 0) + (why is None)
        self.whole[meaning] = self.whole.get(meaning, True) and why is None
        if why is not None:
            self.wrong.append(Wrong(meaning, wording, why))

    @property
    def accuracy(self) -> float:
        """The share of wordings that were right."""
        return sum(self.right.values()) / max(1, sum(self.asked.values()))

    @property
    def paraphrase(self) -> float:
        """The share of meanings of which every wording was right."""
        return sum(self.whole.values()) / max(1, len(self.whole))


class Worlds:
    """A library of worlds, one session for each and one for all of them."""

    def __init__(self, folder: Path, specs: Sequence[Spec] = WORLDS) -> None:
        self._database, self._open = Database.open(folder), ExitStack()
        worlds = [make(spec) for spec in specs]
        ids = [publish(self._database, world).public_id for world in worlds]
        scopes = [self._catalog([one]) for one in ids]
        self.fillings: list[Filling] = [filling(world) for world in worlds]
        self.each = [self._open.enter_context(Session(self._database, scope)) for scope in scopes]
        self.all = self._open.enter_context(Session(self._database, self._catalog(ids)))

    def __enter__(self) -> Self:
        """Use the sessions."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the sessions."""
        self._open.close()

    def asked(self, meaning: str) -> Iterator[tuple[Session, Filling]]:
        """Give where a meaning is asked, each with the words that fill its placeholders."""
        for session, words in zip(self.each, self.fillings, strict=True):
            yield (self.all if meaning.startswith(ALL) else session), words

    def _catalog(self, ids: Sequence[str]) -> Catalog:
        with self._database.reader() as connection:
            return catalog(connection, [recordings.find(connection, one) for one in ids])


def read(path: Path) -> list[Bank]:
    """Read the banks of a file: its wordings in the language of its name (bank.fr.toml), and those marked as French."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))
    cases = {case["id"]: case["wordings"] for case in table.get("case", [])}
    for single in table.get("single", []):
        cases.setdefault(single["id"], [single["wording"]])
    aside = [table.get(name, {}).get("wordings", []) for name in ("offtopic", "open")]
    french = {case["id"]: case["wordings"] for case in table.get("french", [])}
    return [Bank(path.name.split(".")[-2], cases, *aside), *([Bank("fr", french)] if french else [])]


def read_gold(path: Path) -> dict[str, list[Any]]:
    """Read the gold plans by meaning, with their placeholders."""
    return {row["id"]: row["plan"] for row in tomllib.loads(path.read_text(encoding="utf-8"))["gold"]}


def measure(bank: Bank, gold: Mapping[str, list[Any]], worlds: Worlds, brain: Brain) -> Score:
    """Put every wording to a brain on every world and count those whose plans are always right."""
    score = Score()
    for meaning, wordings in bank.cases.items():
        for wording in wordings:
            score.note(meaning, wording, _complaint(meaning, wording, bank, gold, worlds, brain))
    return score


def declined(bank: Bank, worlds: Worlds, brain: Brain) -> list[str]:
    """Give the wordings that are not about a recording and were not declined, not even if nobody speaks of it."""
    plans = ((text, list(_planned(text, bank, worlds, brain))) for text in bank.offtopic)
    return [text for text, planned in plans if not all(p.out_of_scope or p.aside for p in planned)]


def admitted(bank: Bank, worlds: Worlds, brain: Brain) -> list[str]:
    """Give the open questions that were declined, or that were taken for a computed one."""
    return [text for text in bank.open if not all(_is_open(p) for p in _planned(text, bank, worlds, brain))]


def _is_open(planned: Planned) -> bool:
    if planned.out_of_scope or planned.aside:
        return False
    fuse: dict[str, Any] = next((call["args"] for call in planned.tool_calls if call["name"] == "fuse"), {})
    return not planned.understood or fuse.get("answer_schema") in SAID


def _planned(text: str, bank: Bank, worlds: Worlds, brain: Brain) -> Iterator[Planned]:
    for session, words in worlds.asked(""):
        yield brain.plan(Question(filled(text, words, bank.language)), session.catalog, None)


def _complaint(
    meaning: str, wording: str, bank: Bank, gold: Mapping[str, list[Any]], worlds: Worlds, brain: Brain
) -> str | None:
    for session, words in worlds.asked(meaning):
        planned = brain.plan(Question(filled(wording, words, bank.language)), session.catalog, None)
        if planned.out_of_scope or not planned.understood:
            return "taken for off-topic" if planned.out_of_scope else "not understood"
        try:
            plan = parse_plan(planned.tool_calls)
        except ToolError as error:
            return f"no plan: {error}"
        if not same(plan, parse_plan(filled_plan(gold[meaning], words)), session):
            return " | ".join(f"{call['name']} {call['args']}" for call in planned.tool_calls)
    return None
