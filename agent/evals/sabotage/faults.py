"""Seven faults, each one function of the agent replaced for the length of a question, in the real graph.

Planting is for one thread at a time: what is replaced is replaced for the whole process.
"""

import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from agent.ask import ask
from agent.brains.protocol import Brain, Feedback, Planned, Question
from agent.brains.rules.brain import RulesBrain
from agent.graph import answer, validate, verify
from agent.library import Library
from agent.reply import Reply
from store.catalog import Catalog
from store.errors import ToolError
from tools.call import Session
from tools.canonical import to_json
from tools.evidence import Evidence, EvidenceRow
from tools.plan import Plan

Planning = Callable[[RulesBrain, Question, Catalog, Feedback | None], Planned]
SAID = "and everybody agreed"
MOST_GUESSED = 9


@dataclass(frozen=True, slots=True)
class Sabotaged:
    """The agent with a fault: `name` of `owner` becomes what `fault` makes of it while a question is asked."""

    fault: str
    owner: object
    name: str
    spoil: Callable[[Any], Any]
    brain: Callable[[], Brain] = field(default=RulesBrain)

    def __call__(self, library: Library, recording_id: str, question: str) -> Reply:
        """Ask with the fault in place."""
        with self.planted():
            return ask(library, question, recording=recording_id, brain=self.brain())

    @contextmanager
    def planted(self) -> Iterator[None]:
        """Put the fault in its place, and take it out again whatever happens."""
        sound = getattr(self.owner, self.name)
        setattr(self.owner, self.name, self.spoil(sound))
        try:
            yield
        finally:
            setattr(self.owner, self.name, sound)


class Misspelling(RulesBrain):
    """Misspells what it limits a search by, as a model may, until it is told that there is no such argument."""

    name = "misspelling"

    def plan(self, question: Question, catalog: Catalog, feedback: Feedback | None) -> Planned:
        """Plan, with every argument of a stream misspelt until told."""
        planned = super().plan(question, catalog, None)
        if feedback is not None and "not permitted" in feedback.text:
            return planned
        calls = [call if call["name"] == "fuse" else _misspelt(call) for call in planned.tool_calls]
        return replace(planned, tool_calls=calls)


def _misspelt(call: dict[str, Any]) -> dict[str, Any]:
    return call | {"args": {f"{name}_": found for name, found in call["args"].items()}}


def _without(*names: str) -> Callable[[Planning], Planning]:
    """Leave arguments out of every call of a plan."""

    def spoil(sound: Planning) -> Planning:
        def plan(brain: RulesBrain, question: Question, catalog: Catalog, feedback: Feedback | None) -> Planned:
            planned = sound(brain, question, catalog, feedback)
            calls = [call | {"args": _left(call["args"], names)} for call in planned.tool_calls]
            return replace(planned, tool_calls=calls)

        return plan

    return spoil


def _left(args: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {key: found for key, found in args.items() if key not in names}


def _shuffled(sound: Callable[..., Evidence]) -> Callable[..., Evidence]:
    """Bring rows and groups in any order but that of time."""

    def run(session: Session, plan: Plan, most: int | None = None) -> Evidence:
        evidence = sound(session, plan, most)
        rng, rows, groups = random.Random(to_json(plan.tool_calls())), list(evidence.rows), list(evidence.groups)
        rng.shuffle(rows)
        rng.shuffle(groups)
        return replace(evidence, rows=tuple(rows), groups=tuple(groups))

    return run


def _invented(sound: Callable[..., dict[str, Any]]) -> Callable[..., dict[str, Any]]:
    """Cite more than was said."""

    def citation(n: int, row: EvidenceRow, verified: bool = True) -> dict[str, Any]:
        made = sound(n, row, verified)
        return made | {"quote": f"{made['quote']} {SAID}", "start": made["start"] + 1, "end": made["end"] + 1}

    return citation


def _guessed(sound: Callable[[Plan, Evidence], Any]) -> Callable[[Plan, Evidence], Any]:
    """Say a number that looks likely where one is asked for."""

    def value(plan: Plan, evidence: Evidence) -> Any:
        if plan.fuse.answer_schema != "count" or not evidence.total:
            return sound(plan, evidence)
        return random.Random(to_json(plan.tool_calls())).randint(1, MOST_GUESSED)

    return value


def _swallowed(sound: Callable[[list[dict[str, Any]]], Plan]) -> Callable[[list[dict[str, Any]]], Plan]:
    """Go on with what is left of a plan that cannot be read, as if that had been asked."""

    def parse_plan(calls: list[dict[str, Any]]) -> Plan:
        try:
            return sound(calls)
        except ToolError:
            return sound([call if call["name"] == "fuse" else call | {"args": {}} for call in calls])

    return parse_plan


def _refusing(sound: Planning) -> Planning:
    def plan(brain: RulesBrain, question: Question, catalog: Catalog, feedback: Feedback | None) -> Planned:
        return Planned([], out_of_scope=True)

    return plan


FAULTS: tuple[Sabotaged, ...] = (
    Sabotaged("drop a filter", RulesBrain, "plan", _without("keywords", "start", "end")),
    Sabotaged("ignore the speaker", RulesBrain, "plan", _without("speaker", "names")),
    Sabotaged("shuffle time", Session, "run", _shuffled),
    Sabotaged("invent a citation", verify, "citation", _invented),
    Sabotaged("count by guess", answer, "value", _guessed),
    Sabotaged("swallow a parse error", validate, "parse_plan", _swallowed, Misspelling),
    Sabotaged("refuse everything", RulesBrain, "plan", _refusing),
)
