"""Questions that are asked back: they stop, they wait, and the same question goes on."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agent.ask import ask, resume
from agent.brains.protocol import Planned
from agent.brains.scripted import ScriptedBrain
from agent.dialogue import Dialogue
from agent.graph.budget import Budget
from agent.library import Library
from agent.reply import Reply
from store import edits, recordings
from store.errors import NotFound
from tests.agent.graph.talk import UNNAMED, talk

JOHNS = ("John Carter", "John Reyes", "Anna")
TRAIN = "How often did John mention the train?"


def _plain(reply: Reply) -> dict[str, Any]:
    return reply.model_dump(exclude={"usage", "trace", "plan"})


def _name(library: Library, label: str, name: str) -> None:
    with library.database.writing() as connection:
        edits.rename(connection, recordings.every(connection)[0].id, label, name)


def test_two_of_one_name_are_asked_about_with_talk_time_and_an_excerpt_each(tmp_path: Path) -> None:
    dialogue = Dialogue()
    reply = ask(talk(tmp_path, JOHNS), TRAIN, dialogue=dialogue)
    assert (reply.status, reply.refusal and reply.refusal.reason) == ("refused", "ambiguous_speaker")
    inquiry = dialogue.inquiry
    assert inquiry is not None
    assert (inquiry.reason, inquiry.name) == ("ambiguous_speaker", "John")
    assert [(choice.key, choice.talk_s) for choice in inquiry.choices] == [("John Reyes", 17.4), ("John Carter", 15.8)]
    assert [choice.quote for choice in inquiry.choices] == [
        "I am Ben and I think the orchard will bloom, Marie told me so.",
        "Good morning, the budget is cut by ten percent.",
    ]
    assert "“Good morning, the budget is cut by ten percent.” at 0:00" in inquiry.message


@pytest.mark.parametrize("chosen", ["John Reyes", "John Carter"])
def test_the_same_question_goes_on_with_who_was_chosen(tmp_path: Path, chosen: str) -> None:
    library, dialogue = talk(tmp_path, JOHNS), Dialogue()
    ask(library, TRAIN, dialogue=dialogue)
    reply = resume(library, dialogue, chosen)
    assert dialogue.inquiry is None
    assert _plain(reply) == _plain(ask(library, TRAIN.replace("John", chosen)))
    assert reply.value == {"John Reyes": 2, "John Carter": 0}[chosen]


def test_two_who_are_called_just_the_same_are_told_apart_by_label(tmp_path: Path) -> None:
    library, dialogue = talk(tmp_path, ("S1", "S2", "Anna")), Dialogue()
    with library.database.writing() as connection:
        connection.execute("UPDATE speaker SET name = 'John' WHERE label IN ('S1', 'S2')")
    ask(library, TRAIN, dialogue=dialogue)
    assert dialogue.inquiry is not None
    assert {choice.key for choice in dialogue.inquiry.choices} == {"S1", "S2"}
    assert resume(library, dialogue, "S2").value == 2


def test_a_voice_without_a_name_is_asked_for_and_goes_on_by_its_name(tmp_path: Path) -> None:
    library, dialogue = talk(tmp_path, UNNAMED), Dialogue()
    question = "What did Ben say about the train?"
    refused = ask(library, question, dialogue=dialogue)
    assert (refused.refusal and refused.refusal.reason) == "speaker_unidentified"
    assert dialogue.inquiry is not None
    assert [choice.key for choice in dialogue.inquiry.choices] == ["SPEAKER_01", "SPEAKER_00", "SPEAKER_02"]
    _name(library, "SPEAKER_01", "Ben")
    reply = resume(library, dialogue, "SPEAKER_01")
    assert {citation.speaker for citation in reply.citations} == {"Ben"}
    assert _plain(reply) == _plain(ask(library, question))


def test_a_near_name_is_proposed_and_never_taken(tmp_path: Path) -> None:
    library, dialogue = talk(tmp_path, ("Maria", "Ben", "Carla")), Dialogue()
    refused = ask(library, "How often did Marie mention the budget?", dialogue=dialogue)
    assert (refused.refusal and refused.refusal.reason) == "unknown_speaker"
    assert "Did you mean Maria?" in refused.answer
    assert dialogue.inquiry is not None
    assert [choice.key for choice in dialogue.inquiry.choices] == ["Maria"]
    assert resume(library, dialogue, "Maria").value == 2


def test_whoever_finds_the_thread_again_can_go_on(tmp_path: Path) -> None:
    """What waits is JSON under the thread's name, so that a checkpointer on disk and another process will do."""
    first = Dialogue()
    ask(talk(tmp_path, JOHNS), TRAIN, dialogue=first)
    assert json.loads(json.dumps(first.state)) == first.state
    later = Dialogue(saver=first.checkpointer, thread=first.thread)
    assert later.inquiry == first.inquiry
    assert resume(Library(tmp_path), later, "John Reyes").value == 2


def test_what_was_spent_before_the_answer_is_counted(tmp_path: Path) -> None:
    library, dialogue = talk(tmp_path, JOHNS), Dialogue()
    brain = ScriptedBrain()
    ask(library, TRAIN, dialogue=dialogue, brain=brain, budget=Budget(model_calls=1))
    reply = resume(library, dialogue, "John Reyes", brain=brain, budget=Budget(model_calls=1))
    assert reply.usage.model_calls == 2
    assert reply.exit == 4


def test_an_answer_must_be_one_of_the_voices_asked_about(tmp_path: Path) -> None:
    library, dialogue = talk(tmp_path, JOHNS), Dialogue()
    with pytest.raises(NotFound, match="nothing was asked back"):
        resume(library, dialogue, "John Reyes")
    ask(library, TRAIN, dialogue=dialogue)
    with pytest.raises(NotFound, match="John Reyes"):
        resume(library, dialogue, "Anna")
    assert resume(library, dialogue, "John Reyes").value == 2


@pytest.mark.parametrize(
    "question", ["How often did Anna mention the orchard?", "Who is Marie?", "What did Marie say?"]
)
def test_nothing_is_asked_back_where_it_is_known_who_is_meant(tmp_path: Path, question: str) -> None:
    dialogue = Dialogue()
    reply = ask(talk(tmp_path, JOHNS), question, dialogue=dialogue)
    assert dialogue.inquiry is None
    assert reply.answer


def test_a_name_that_could_be_in_several_recordings_is_refused_and_not_asked(tmp_path: Path) -> None:
    talk(tmp_path, UNNAMED, title="Monday")
    dialogue = Dialogue()
    reply = ask(talk(tmp_path, UNNAMED, title="Tuesday"), "What did Ben say?", dialogue=dialogue)
    assert (reply.refusal and reply.refusal.reason) == "speaker_unidentified"
    assert dialogue.inquiry is None


def test_a_brain_that_invents_names_makes_nobody_be_asked(tmp_path: Path) -> None:
    plan = [
        {"name": "transcript", "args": {"speaker": "John", "keywords": ["train"]}, "id": "t", "type": "tool_call"},
        {"name": "fuse", "args": {"anchor": "t", "answer_schema": "quote"}, "id": "f", "type": "tool_call"},
    ]
    dialogue = Dialogue()
    brain = ScriptedBrain(script=(Planned(plan),))
    reply = ask(talk(tmp_path, JOHNS), "What was said about the train?", dialogue=dialogue, brain=brain)
    assert reply.status == "refused"
    assert dialogue.inquiry is not None  # the plan is all there is to go on with


def test_who_cannot_be_asked_pays_nothing_for_it(tmp_path: Path) -> None:
    talk(tmp_path, JOHNS)
    code = (
        "import sys; from pathlib import Path; from agent.ask import ask; from agent.library import Library;"
        f"print(ask(Library(Path({str(tmp_path)!r})), {TRAIN!r}).refusal.reason);"
        "print([m for m in sys.modules if m.startswith(('langgraph.checkpoint.memory', 'jellyfish'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[0] == "ambiguous_speaker"
    assert "jellyfish" not in done.stdout
