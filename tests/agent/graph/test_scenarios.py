"""Every loop and every ending of the graph, each by a brain that brings it about; one row a scenario."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from agent.ask import ask
from agent.brains.faults import INVENTIONS, Fault
from agent.brains.protocol import Answered, Brain, Planned
from agent.brains.rules.brain import RulesBrain
from agent.brains.scripted import ScriptedBrain
from agent.evals.worlds.faulty import invented
from agent.graph.budget import Budget
from agent.library import Library
from agent.reply import ErrorKind, Reply
from store.errors import EndpointError
from tests.agent.graph.talk import UNNAMED, talk

BUDGET = "Who mentioned the budget?"
OPEN = "What did Ben say about the train?"


def call(name: str, **args: Any) -> dict[str, Any]:
    return {"name": name, "args": args, "id": f"{name}_1", "type": "tool_call"}


def plan(*words: str, family: Any = "who", **more: Any) -> Planned:
    """Give a plan that looks for words."""
    grouped = {"aggregate": "count", "group": "speaker"} if family == "who" else {}
    return Planned(
        [
            call("transcript", keywords=list(words), **more),
            call("fuse", anchor="transcript", answer_schema=family, **grouped),
        ]
    )


def says(text: str, *cited: int, value: Any = None, found: bool = True) -> Answered:
    return Answered(text, value, cited, "generated", found=found)


@dataclass(frozen=True)
class Scenario:
    """One way through the graph: how it is brought about, how it ends, which steps and caveats it must show."""

    name: str
    question: str
    status: str
    brain: Callable[[], Brain] = ScriptedBrain
    library: Callable[[Path], Library] = talk
    value: Any = None
    reason: str | None = None
    kind: ErrorKind | None = None
    caveat: str | None = None
    passes: Sequence[str] = ()
    budget: Budget = field(default_factory=Budget)


def faulty(fault: Fault, rounds: int = 1) -> Callable[[], Brain]:
    return lambda: ScriptedBrain(fault=fault, faulty_rounds=rounds)


def scripted(*plans: Planned, answers: Sequence[Answered] = (), fault: Fault | None = None) -> Callable[[], Brain]:
    return lambda: ScriptedBrain(script=plans, answers=answers, fault=fault)


def fails(kind: ErrorKind, at: str) -> Callable[[], Brain]:
    return lambda: ScriptedBrain(error=EndpointError(f"the endpoint fails: {kind}", kind), fails=at)


def unnamed(folder: Path) -> Library:
    return talk(folder, UNNAMED)


def words_only(folder: Path) -> Library:
    return talk(folder, kinds=("transcript", "speaker"))


def half_heard(folder: Path) -> Library:
    return talk(folder, heard_ms=20_000)


def hardly_heard(folder: Path) -> Library:
    library = talk(folder)
    with library.database.writing() as connection:
        connection.execute("UPDATE stream SET health = 0.05, note = 'noise' WHERE kind = 'emotion'")
    return library


def two_johns(folder: Path) -> Library:
    return talk(folder, ("John Carter", "John Reyes", "Carla"))


HALF_READ = Planned(plan("train", family="quote").tool_calls, understood=False)
ANSWERED = [
    Scenario(
        "straight",
        BUDGET,
        "answered",
        value="Anna",
        passes=("plan", "validate", "retrieve", "judge", "answer", "verify"),
    ),
    Scenario(
        "nothing is the answer", "How often did Carla mention the budget?", "answered", value=0, caveat="searched"
    ),
    Scenario(
        "repaired: malformed",
        BUDGET,
        "answered",
        faulty("malformed"),
        value="Anna",
        passes=("plan", "validate", "plan"),
    ),
    Scenario("repaired: wrong stream", BUDGET, "answered", faulty("wrong_stream"), value="Anna"),
    Scenario("repaired: invented speaker", BUDGET, "answered", faulty("invented_speaker"), value="Anna"),
    Scenario("repaired: prose", BUDGET, "answered", faulty("prose"), value="Anna"),
    Scenario("repaired: cut off", BUDGET, "answered", faulty("truncated"), value="Anna"),
    Scenario("repaired: empty", BUDGET, "answered", faulty("empty"), value="Anna"),
    Scenario(
        "repaired: dropped limits", "How often did Ben mention the train?", "answered", faulty("drops_limits"), value=2
    ),
    Scenario(
        "widened",
        "Who mentioned the contract?",
        "answered",
        value="Carla",
        caveat="widened: other forms",
        passes=("judge", "widen", "validate"),
    ),
    Scenario(
        "planned again after NOT FOUND",
        OPEN,
        "answered",
        scripted(
            plan("late", family="text", speaker="Ben"),
            plan("train", family="text", speaker="Ben"),
            answers=(says("NOT FOUND", found=False), says("The train to Paris leaves at noon [1].", 0)),
        ),
        value="The train to Paris leaves at noon.",
        passes=("answer", "plan", "validate"),
    ),
    Scenario("never content", BUDGET, "answered", faulty("never_content"), value="Anna"),
    Scenario(
        "the same plan twice",
        BUDGET,
        "answered",
        faulty("loops"),
        value="Anna",
        caveat="same_plan_twice",
        passes=("judge", "plan", "answer"),
    ),
    Scenario("alternating plans", BUDGET, "answered", faulty("alternates"), value="Anna"),
    Scenario(
        "spent with rows",
        BUDGET,
        "answered",
        faulty("never_content"),
        value="Anna",
        caveat="budget_spent",
        budget=Budget(rounds=1),
    ),
    Scenario("not understood", "Paris?", "answered", scripted(HALF_READ), caveat="not_understood"),
    Scenario("a slow brain", BUDGET, "answered", lambda: ScriptedBrain(slow=0.02), value="Anna"),
]
REFUSED = [
    Scenario("unknown speaker", "What did Marie say about the train?", "refused", reason="unknown_speaker"),
    Scenario(
        "an unnamed voice",
        "What did Anna say about the train?",
        "refused",
        library=unnamed,
        reason="speaker_unidentified",
    ),
    Scenario(
        "two Johns", "What did John say about the train?", "refused", library=two_johns, reason="ambiguous_speaker"
    ),
    Scenario("silent there", "What did Carla say between 0:00 and 0:10?", "refused", reason="speaker_absent_in_range"),
    Scenario("said by others", "What did Carla say about the budget?", "refused", reason="not_said_by_speaker"),
    Scenario("beyond the end", "Who spoke between 5:00 and 6:00?", "refused", reason="out_of_range"),
    Scenario(
        "not heard yet", "Who spoke between 0:30 and 0:40?", "refused", library=half_heard, reason="not_heard_yet"
    ),
    Scenario("no such stream", "Was there a siren?", "refused", library=words_only, reason="stream_missing"),
    Scenario(
        "backwards", "Who spoke between 0:40 and 0:20?", "refused", RulesBrain, reason="contradictory_constraints"
    ),
    Scenario("hardly heard", "How did Ben sound?", "refused", library=hardly_heard, reason="stream_unreliable"),
    Scenario("not about a recording", "What's the weather like today?", "refused", reason="out_of_scope"),
    Scenario(
        "a dropped name is asked for",
        "What did Marie say about the train?",
        "refused",
        faulty("drops_limits"),
        reason="unknown_speaker",
    ),
    Scenario(
        "gullible, but said by others",
        "What did Carla say about the budget?",
        "refused",
        faulty("gullible"),
        reason="not_said_by_speaker",
    ),
]
NOT_FOUND = [
    Scenario("nobody said it", "What was said about wasps?", "not_found", RulesBrain, caveat="searched"),
    Scenario(
        "rows that do not answer",
        OPEN,
        "not_found",
        scripted(plan("train", family="text", speaker="Ben"), answers=(says("NOT FOUND", found=False),)),
        caveat="searched",
        passes=("answer", "plan", "answer"),
    ),
    Scenario(
        "nothing of the answer is supported",
        OPEN,
        "not_found",
        scripted(plan("train", family="text", speaker="Ben"), answers=(says("It takes 4711 days [1].", 0),)),
        caveat="searched",
    ),
    Scenario("always without its limit", OPEN, "not_found", scripted(plan("train", family="quote"))),
    Scenario(
        "cites what is not there",
        OPEN,
        "not_found",
        scripted(plan("train", family="text", speaker="Ben"), answers=(says("All is well [3].", 90, -4),)),
    ),
]
KINDS: tuple[ErrorKind, ...] = (
    "endpoint_unreachable",
    "endpoint_fault",
    "truncated",
    "empty",
    "content_filter",
    "model_refused",
)
FAILED = [
    *(
        Scenario(f"{kind} at {at}", BUDGET, "failed", fails(kind, at), kind=kind)
        for kind in KINDS
        for at in ("plan", "judge", "answer")
    ),
    Scenario(
        "spent without rows", BUDGET, "failed", faulty("malformed", 99), kind="budget_spent", budget=Budget(rounds=0)
    ),
    Scenario(
        "spent by time",
        BUDGET,
        "failed",
        lambda: ScriptedBrain(slow=0.06),
        kind="budget_spent",
        budget=Budget(seconds=0.05),
    ),
    Scenario("spent by tokens", BUDGET, "failed", kind="budget_spent", budget=Budget(tokens=100)),
    Scenario("spent by calls", BUDGET, "failed", kind="budget_spent", budget=Budget(tool_calls=1)),
]


def run(scenario: Scenario, folder: Path) -> tuple[Reply, list[str]]:
    """Ask a scenario's question, and give the reply and the steps on the way."""
    steps: list[str] = []
    reply = ask(
        scenario.library(folder),
        scenario.question,
        brain=scenario.brain(),
        budget=scenario.budget,
        on_event=lambda stage: steps.append(stage.name),
    )
    return reply, steps


@pytest.mark.parametrize("scenario", [*ANSWERED, *REFUSED, *NOT_FOUND, *FAILED], ids=lambda scenario: scenario.name)
def test_the_graph_ends_as_the_table_says(scenario: Scenario, tmp_path: Path) -> None:
    reply, steps = run(scenario, tmp_path)
    assert reply.status == scenario.status, reply
    assert (reply.refusal.reason if reply.refusal else None) == scenario.reason
    assert (reply.error.kind if reply.error else None) == scenario.kind
    assert scenario.value is None or reply.value == scenario.value
    assert scenario.caveat is None or any(caveat.startswith(scenario.caveat) for caveat in reply.caveats), reply.caveats
    assert " ".join(scenario.passes) in " ".join(steps)
    assert reply.answer.strip()
    assert reply.trace
    assert (reply.confidence == 0) == (reply.status == "failed")
    assert not invented(reply)


def test_a_partial_answer_says_that_it_is_partial(tmp_path: Path) -> None:
    (scenario,) = [scenario for scenario in ANSWERED if scenario.name == "spent with rows"]
    reply, _ = run(scenario, tmp_path)
    assert reply.answer.startswith("This is partial")
    assert reply.citations


@pytest.mark.parametrize(
    "fault", ["gullible", "false_quotes", "invents_numbers", "obeys", "truncated", "empty", "prose"]
)
@pytest.mark.parametrize("question", [BUDGET, OPEN, "How often did Ben mention the train?", "Summarize what was said."])
def test_what_a_fault_invents_reaches_nobody(tmp_path: Path, fault: Fault, question: str) -> None:
    reply = ask(talk(tmp_path), question, brain=ScriptedBrain(fault=fault))
    assert reply.status == "answered"
    assert not invented(reply)
    assert not any(word in str(reply.value) for word in INVENTIONS)
    assert all(citation.verified for citation in reply.citations)


SCHEMA = {
    "type": "object",
    "properties": {"who": {"type": "string"}, "share": {"type": "integer"}},
    "required": ["who"],
}
VALUES = [
    ({"who": "Anna", "share": 10}, True),
    ({"who": "Anna", "share": 12}, False),
    ({"who": "Zebulon"}, False),
    ({"share": 10}, False),
    ("Anna", False),
    ([[[[{"who": "Anna"}]]]], False),
]


@pytest.mark.parametrize(("value", "kept"), VALUES)
def test_a_value_by_a_models_own_schema_must_fit_it_and_be_in_the_rows(tmp_path: Path, value: Any, kept: bool) -> None:
    answers = (says("The budget is cut by ten percent [1].", 0, value=value),)
    brain = ScriptedBrain(script=[plan("budget", family=SCHEMA)], answers=answers)
    reply = ask(talk(tmp_path), "Whose budget is cut by what?", brain=brain)
    assert reply.status == "answered"
    assert reply.value == (value if kept else None)
    assert kept or any("value" in caveat for caveat in reply.caveats)


def test_an_option_that_the_cited_rows_speak_against_is_not_chosen(tmp_path: Path) -> None:
    question = "When does the train leave? (A) at ten (B) at noon (C) at dawn (D) at dusk"
    options = Planned(
        [call("transcript", keywords=["train"]), call("fuse", anchor="transcript", answer_schema="options")]
    )
    for letter, value in (("A", "B"), ("B", "B"), ("C", "B")):
        answers = (says(f"{letter}. The train to Paris leaves then [1].", 0, value=letter),)
        reply = ask(talk(tmp_path / letter), question, brain=ScriptedBrain(script=[options], answers=answers))
        assert (reply.status, reply.value) == ("answered", value)


@pytest.mark.parametrize("options", ["(A) 12 euros (B) 35 euros", "(A) walnut (B) pebble"])
def test_an_option_of_which_the_cited_rows_hold_nothing_is_not_chosen(tmp_path: Path, options: str) -> None:
    answers = (says("A. The train to Paris leaves at noon [1].", 0, value="A"),)
    brain = ScriptedBrain(script=[plan("train", family="options")], answers=answers)
    reply = ask(talk(tmp_path), f"What is the password? {options} (C) saddle (D) magnet", brain=brain)
    assert (reply.status, reply.value) == ("not_found", None)
