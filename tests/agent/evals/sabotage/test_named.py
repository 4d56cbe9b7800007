"""`eval diff` names exactly the cases that a planted fault breaks; which those are, the truth says beforehand."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import yaml

from agent.evals.sabotage.faults import FAULTS
from agent.evals.worlds.streams import publish
from agent.evals.worlds.world import Spec, World, make
from agent.library import Library
from tests.agent.front.shell import run

SPEC = Spec(731, 10, 5)
SPEAKER, FILTER, ALL = "ignore the speaker", "drop a filter", "refuse everything"


@dataclass(frozen=True)
class Known:
    """A question, what is right, and which faults make something else of it."""

    question: str
    expect: Mapping[str, Any]
    breaks: frozenset[str]


def cases(world: World) -> Iterator[Known]:
    """Counts of what one says and what all say, people, sounds, and what is declined with or without a fault."""
    said = Counter((mention.speaker, mention.topic) for mention in world.mentions)
    often = Counter(mention.topic for mention in world.mentions)
    for (who, topic), times in sorted(said.items()):
        broken = {FILTER, ALL} | ({SPEAKER} if times != often[topic] else set())
        yield Known(f"How often did {who} mention the {topic}?", {"value": times}, frozenset(broken))
    for topic, times in sorted(often.items()):
        yield Known(f"How often was the {topic} mentioned?", {"value": times}, frozenset({FILTER, ALL}))
    people = len({segment.speaker for segment in world.segments})
    yield Known("How many speakers are there?", {"value": people}, frozenset({ALL}))
    for label, times in sorted(Counter(event.label for event in world.events).items()):
        yield Known(f"How often was the {label.lower()} heard?", {"value": times}, frozenset({ALL}))
    yield Known("What's the weather like today?", {"reason": "out_of_scope"}, frozenset())


@dataclass(frozen=True)
class Evaluated:
    """A suite over a world, run once with the sound agent."""

    library: Path
    suite: Path
    recording: str
    known: Mapping[str, Known]

    def report(self, name: str) -> Path:
        folder = self.suite.parent / name
        done = run(self.library, "eval", "run", str(self.suite), "--recording", self.recording, "--out", str(folder))
        assert (folder / "report.json").exists(), done.err
        return folder


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> Evaluated:
    folder, world = tmp_path_factory.mktemp("named"), make(SPEC)
    known = {f"case-{number:02}": case for number, case in enumerate(cases(world))}
    written = [{"id": name, "input": case.question, "expect": dict(case.expect)} for name, case in known.items()]
    suite = folder / "suite.yaml"
    suite.write_text(yaml.safe_dump({"name": "planted", "cases": written}, allow_unicode=True), encoding="utf-8")
    recording = publish(Library(folder / "library").database, world).public_id
    return Evaluated(folder / "library", suite, recording, known)


@pytest.fixture(scope="module")
def sound(evaluated: Evaluated) -> Path:
    return evaluated.report("sound")


def test_the_sound_agent_passes_and_differs_from_itself_in_nothing(evaluated: Evaluated, sound: Path) -> None:
    report = json.loads((sound / "report.json").read_text(encoding="utf-8"))
    assert [case["question"] for case in report["cases"] if case["outcome"] != "passed"] == []
    assert run(evaluated.library, "eval", "diff", str(sound), str(evaluated.report("again"))).code == 0


@pytest.mark.parametrize("name", [SPEAKER, FILTER, ALL])
def test_exactly_the_broken_cases_are_named(name: str, evaluated: Evaluated, sound: Path) -> None:
    fault = next(fault for fault in FAULTS if fault.fault == name)
    broken = {case for case, known in evaluated.known.items() if name in known.breaks}
    assert broken
    assert evaluated.known.keys() - broken
    with fault.planted():
        spoilt = evaluated.report(name.replace(" ", "-"))
    done = run(evaluated.library, "eval", "diff", str(sound), str(spoilt))
    assert done.code == 1
    lines = [line.split() for line in done.out.splitlines()]
    assert {line[2].rstrip(":") for line in lines if line[:2] == ["newly", "failing"]} == broken
    assert not [line for line in lines if line[:2] == ["newly", "passing"]]
    mended = run(evaluated.library, "eval", "diff", str(spoilt), str(sound))
    assert mended.code == 0
    assert {line.split()[2] for line in mended.out.splitlines() if "newly passing" in line} == broken
