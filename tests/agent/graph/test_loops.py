"""Planning again: with the diagnosis, never around what the question names, and never for ever."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from agent.ask import ask
from agent.brains.protocol import Feedback, Planned, Question
from agent.brains.scripted import ScriptedBrain
from agent.graph.budget import Budget
from store.catalog import Catalog
from store.errors import Exit
from tests.agent.graph.talk import UNNAMED, talk


@dataclass
class Listening(ScriptedBrain):
    """A scripted brain that keeps what it was told."""

    told: list[str] = field(default_factory=list)

    def plan(self, question: Question, catalog: Catalog, feedback: Feedback | None) -> Planned:
        self.told += [feedback.text] if feedback else []
        return super().plan(question, catalog, feedback)


def plans(*given: dict[str, Any], **fuse: Any) -> list[Planned]:
    """Give plans of one transcript call each; a value under `fuse` is that plan's own."""
    made = []
    for args in given:
        own = {"anchor": "t", "answer_schema": "quote"} | fuse | args.pop("fuse", {})
        made.append(Planned([_call("transcript", args, "t"), _call("fuse", own, "f")]))
    return made


def _call(name: str, args: dict[str, Any], call_id: str) -> dict[str, Any]:
    return {"name": name, "args": args, "id": call_id, "type": "tool_call"}


def test_a_plan_that_finds_nothing_is_planned_again_with_the_diagnosis(tmp_path: Path) -> None:
    brain = Listening(script=plans({"keywords": ["submarine"]}, {"keywords": ["train"]}))
    reply = ask(talk(tmp_path), "What was said about the railway?", brain=brain)
    assert reply.status == "answered"
    assert {citation.speaker for citation in reply.citations} == {"Ben"}
    assert reply.plan[0]["args"]["keywords"] == ["train"]
    (told,) = brain.told
    assert "Rows found: all 0, without keywords 7" in told
    assert "What cannot hold together: keywords." in told


def test_the_diagnosis_tells_words_that_are_near(tmp_path: Path) -> None:
    brain = Listening(script=plans({"keywords": ["train", "contrects"]}, {"keywords": ["train"]}), fault="loops")
    ask(talk(tmp_path), "What about the contrects?", brain=brain)
    assert "The transcript holds no “contrects”, but: contracts." in brain.told[0]
    assert "contrects" not in brain.told[1]


def test_the_diagnosis_tells_labels_that_are_present(tmp_path: Path) -> None:
    fuse = {"anchor": "e", "answer_schema": "when"}
    script = [Planned([_call("events", {"labels": ["thunder"]}, "e"), _call("fuse", fuse, "f")])]
    brain = Listening(script=script)
    reply = ask(talk(tmp_path), "When was there a storm?", brain=brain)
    assert reply.status == "not_found"
    assert "Labels of events that are present: Applause, Siren." in brain.told[0]


def test_a_new_plan_may_not_drop_who_the_question_names(tmp_path: Path) -> None:
    script = plans({"keywords": ["submarine"], "speaker": "Anna"}, {"keywords": ["train"]})
    brain = Listening(script=script)
    reply = ask(talk(tmp_path), "What did Anna say about the submarine?", brain=brain)
    assert (reply.status, reply.citations) == ("not_found", [])
    assert "the question is about anna" in brain.told[-1]
    assert reply.plan[0]["args"]["speaker"] == "Anna"


def test_what_others_said_is_refused_and_not_planned_away(tmp_path: Path) -> None:
    brain = Listening(script=plans({"keywords": ["train"], "speaker": "Anna"}, {"keywords": ["train"]}))
    reply = ask(talk(tmp_path), "What did Anna say about the train?", brain=brain)
    assert (reply.refusal and reply.refusal.reason) == "not_said_by_speaker"
    assert brain.told == []


@pytest.mark.parametrize("people", [("Anna", "Ben", "Carla"), UNNAMED])
def test_the_same_call_three_times_ends_with_what_is_known(tmp_path: Path, people: tuple[str, ...]) -> None:
    script = plans(*({"keywords": ["train"], "fuse": {"limit": n}} for n in range(3, 9)))
    reply = ask(talk(tmp_path, people), "What about trains?", brain=ScriptedBrain(script=script, fault="loops"))
    assert reply.status == "answered"
    assert "same_call_thrice" in reply.caveats
    assert reply.usage.model_calls <= 7


def test_the_best_rows_found_answer_when_the_budget_is_spent(tmp_path: Path) -> None:
    script = plans({"keywords": ["train"]}, *({"keywords": [f"nothing{n}"]} for n in range(9)))
    brain = ScriptedBrain(script=script, fault="loops")
    reply = ask(talk(tmp_path), "What about trains?", brain=brain, budget=Budget(rounds=3))
    assert "train" in reply.answer
    assert {citation.speaker for citation in reply.citations} == {"Ben"}
    assert reply.plan[0]["args"]["keywords"] == ["train"]


def test_a_budget_that_is_spent_shows_what_was_found_before(tmp_path: Path) -> None:
    script = plans({"keywords": ["train"]}, *({"keywords": [f"the{n}", "budget"]} for n in range(9)))
    brain = ScriptedBrain(script=script, fault="loops")
    reply = ask(talk(tmp_path), "What about trains?", brain=brain, budget=Budget(rounds=2))
    assert "budget_spent" in reply.caveats
    assert reply.exit == Exit.BUDGET
    assert reply.citations


def test_the_fifth_of_two_is_not_found_though_others_have_more(tmp_path: Path) -> None:
    lines = tuple((n * 1000, n * 1000 + 900, n % 2, "The train again.") for n in range(10))
    brain = ScriptedBrain(script=plans({"keywords": ["train"], "speaker": "Carla", "nth": 5}))
    given = ((20_000, 21_000, 2, "A train."), (22_000, 23_000, 2, "The train."))
    reply = ask(
        talk(tmp_path, lines=(*lines, *given)), "What did Carla say about the train the fifth time?", brain=brain
    )
    assert (reply.status, reply.refusal) == ("not_found", None)


@pytest.mark.parametrize(
    ("fuse", "told"),
    [
        ({"min_value": 60}, "Nothing keeps to that bound; the most is 17.4 s (Ben)."),
        ({"max_value": 2}, "Nothing keeps to that bound; the least is 5.5 s (Carla)."),
    ],
)
def test_a_bound_that_nobody_keeps_is_told_with_what_comes_closest(
    tmp_path: Path, fuse: dict[str, Any], told: str
) -> None:
    whole = {"anchor": "s", "aggregate": "total_duration", "group": "speaker", "answer_schema": "who"} | fuse
    brain = ScriptedBrain(script=[Planned([_call("speaker", {}, "s"), _call("fuse", whole, "f")])])
    reply = ask(talk(tmp_path), "Who spoke for so long?", brain=brain)
    assert (reply.status, reply.answer) == ("not_found", told)
