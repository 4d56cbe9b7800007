"""A conversation lies on disk: another process goes on with it, whatever ended the one before, and it goes with rm."""

import json
import os
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agent.ask import ask, resume
from agent.brains.openai import OpenAIBrain
from agent.brains.rules.brain import RulesBrain
from agent.dialogue import Dialogue
from agent.library import Library
from agent.threads.conversation import conversation
from agent.threads.turns import STOPPED
from store import recordings
from store.errors import NotFound, StoreError, UsageError
from store.removal import remove
from store.threads import FILE, Threads
from store.trace import show
from tests.agent.graph.talk import LINES, talk
from tools.endpoint import Endpoint

JOHNS = ("John Carter", "John Reyes", "Anna")
TRAIN = "How often did John mention the train?"


def _other_process(folder: Path, code: str) -> str:
    """Run code in a fresh process; `library` and `talk` (the conversation named talk) are there."""
    begin = (
        "from pathlib import Path; from agent.ask import ask, resume; from agent.library import Library;"
        "from agent.threads.conversation import conversation;"
        f"library = Library(Path({str(folder)!r})); talk = conversation(library.folder, 'talk');"
    )
    done = subprocess.run([sys.executable, "-c", begin + code], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def _bytes(folder: Path) -> bytes:
    """Read what lies on disk in another process: to close a file here would drop SQLite's locks on it."""
    paths = sorted(folder.glob(f"{FILE}*"))
    assert paths
    return subprocess.run(["cat", *paths], capture_output=True, check=True).stdout


def test_another_process_goes_on_with_the_turns(tmp_path: Path) -> None:
    library = talk(tmp_path)
    ask(library, "What did Anna say about the budget?", dialogue=conversation(tmp_path, "talk"))
    shown = _other_process(tmp_path, "r = ask(library, 'how often?', dialogue=talk); print(r.value, r.caveats)")
    assert shown == "2 ['read as: How often did Anna mention the budget?']"
    turns = conversation(tmp_path, "talk").turns
    assert [turn["asked"] for turn in turns] == ["What did Anna say about the budget?", "how often?"]
    assert {turn["status"] for turn in turns} == {"answered"}


def test_what_was_asked_back_is_answered_in_another_process(tmp_path: Path) -> None:
    first = conversation(tmp_path, "talk")
    ask(talk(tmp_path, JOHNS), TRAIN, dialogue=first)
    assert first.inquiry is not None
    assert _other_process(tmp_path, "print(resume(library, talk, 'John Reyes').value)") == "2"
    shown = _other_process(tmp_path, "print(ask(library, 'and the budget?', dialogue=talk).caveats[0])")
    assert shown == "read as: How often did John Reyes mention the budget?"


def test_who_is_meant_by_a_pronoun_is_asked_back_and_the_same_question_goes_on(tmp_path: Path) -> None:
    library, dialogue = talk(tmp_path), Dialogue()
    ask(library, "How often did Anna or Ben mention the train?", dialogue=dialogue)
    reply = ask(library, "What did she say about the orchard?", dialogue=dialogue)
    assert (reply.status, reply.refusal and reply.refusal.reason) == ("refused", "ambiguous_speaker")
    assert "“she” can be 2 people" in reply.answer
    assert dialogue.inquiry is not None
    assert [choice.key for choice in dialogue.inquiry.choices] == ["Ben", "Anna"]
    done = resume(library, dialogue, "Anna")
    assert done.caveats == ["read as: What did Anna say about the orchard?"]
    assert done.citations[0].speaker == "Anna"
    assert dialogue.turns[-1]["read_as"] == "What did Anna say about the orchard?"


def test_a_question_asked_back_and_not_answered_does_not_hold_up_the_next(tmp_path: Path) -> None:
    library, dialogue = talk(tmp_path, JOHNS), Dialogue()
    ask(library, TRAIN, dialogue=dialogue)
    reply = ask(library, "How often did Anna mention the contracts?", dialogue=dialogue)
    assert (reply.value, dialogue.inquiry) == (1, None)
    assert [turn["status"] for turn in dialogue.turns] == ["refused", "answered"]


def test_the_state_is_json_and_one_checkpoint_a_conversation_is_kept(tmp_path: Path) -> None:
    library, dialogue = talk(tmp_path), conversation(tmp_path, "talk")
    for question in ("What did Anna say about the budget?", "and Ben?", "when?"):
        ask(library, question, dialogue=dialogue)
        assert json.loads(json.dumps(dialogue.state)) == dialogue.state
    with sqlite3.connect(tmp_path / FILE) as connection:
        assert connection.execute("SELECT count(*) FROM checkpoints").fetchone() == (1,)
    connection.close()


def test_only_the_user_can_read_it(tmp_path: Path) -> None:
    ask(talk(tmp_path), "Who speaks most?", dialogue=conversation(tmp_path, "talk"))
    kept = list(tmp_path.glob(f"{FILE}*"))
    assert kept
    assert {stat.S_IMODE(path.stat().st_mode) for path in kept} == {0o600}


def test_two_processes_cannot_take_a_turn_at_once(tmp_path: Path) -> None:
    library = talk(tmp_path)
    with Threads(tmp_path).held("talk"), pytest.raises(StoreError, match=f"continued by pid {os.getpid()}"):
        ask(library, "Who speaks most?", dialogue=conversation(tmp_path, "talk"))
    assert conversation(tmp_path, "talk").turns == []
    assert ask(library, "Who speaks most?", dialogue=conversation(tmp_path, "talk")).status == "answered"


def test_different_conversations_do_not_know_each_other(tmp_path: Path) -> None:
    library = talk(tmp_path)
    one, other = conversation(tmp_path, "one"), conversation(tmp_path, "other")
    ask(library, "What did Anna say about the budget?", dialogue=one)
    assert "not understood" in ask(library, "how often?", dialogue=other).answer
    assert [thread.id for thread in Threads(tmp_path).every()] == ["other", "one"]


def test_a_stopped_turn_is_kept_and_the_next_question_follows_it(tmp_path: Path) -> None:
    library, dialogue = talk(tmp_path), conversation(tmp_path, "talk")

    def stop(stage: Any) -> None:
        if stage.name == "retrieve":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ask(library, "What did Anna say about the budget?", dialogue=dialogue, on_event=stop)
    assert [(turn["asked"], turn["status"]) for turn in dialogue.turns] == [
        ("What did Anna say about the budget?", STOPPED)
    ]
    reply = ask(library, "how often?", dialogue=dialogue)
    assert (reply.value, reply.caveats) == (2, ["read as: How often did Anna mention the budget?"])


def test_a_failed_turn_is_a_turn_and_the_conversation_takes_the_next_question(tmp_path: Path) -> None:
    library, dialogue = talk(tmp_path), conversation(tmp_path, "talk")
    away = OpenAIBrain(Endpoint("http://127.0.0.1:9/v1", "sk-x", "m"), RulesBrain())
    failed = ask(library, "What did Anna say about the budget?", dialogue=dialogue, brain=away)
    assert failed.status == "failed"
    assert [turn["asked"] for turn in dialogue.turns] == ["What did Anna say about the budget?"]
    assert ask(library, "How often did Anna mention the budget?", dialogue=dialogue).value == 2
    assert ask(library, "and Ben?", dialogue=dialogue).value == 0


def test_the_trace_shows_what_a_question_was_read_as(tmp_path: Path) -> None:
    library, dialogue = talk(tmp_path), conversation(tmp_path, "talk")
    ask(library, "What did Anna say about the budget?", dialogue=dialogue)
    reply = ask(library, "how often?", dialogue=dialogue)
    with library.database.reader() as connection:
        kept = show(connection, reply.trace)
    assert kept.question == "how often?"
    steps = {span.args.get("step"): span.result_ref for span in kept.spans}
    assert steps["follow"] == "read as: How often did Anna mention the budget?"
    assert dialogue.turns[-1]["trace"] == reply.trace


def test_secrets_in_a_question_are_not_kept(tmp_path: Path) -> None:
    ask(talk(tmp_path), "Who said sk-abcdefghijklmnopqrstuvwx?", dialogue=conversation(tmp_path, "talk"))
    kept = _bytes(tmp_path)
    assert b"abcdefghijklmnopqrstuvwx" not in kept


def test_a_conversation_goes_with_a_recording_it_could_read(tmp_path: Path) -> None:
    library = talk(tmp_path, title="Monday")
    talk(tmp_path, title="Tuesday")
    ask(library, "What did Anna say about the budget?", recording="Monday", dialogue=conversation(tmp_path, "monday"))
    ask(library, "What did Ben say about the train?", recording="Tuesday", dialogue=conversation(tmp_path, "tuesday"))
    ask(library, "Who mentioned the orchard?", dialogue=conversation(tmp_path, "both"))
    with library.database.reader() as connection:
        monday = recordings.find(connection, "Monday")
    remove(library.database, monday)
    assert [thread.id for thread in Threads(tmp_path).every()] == ["tuesday"]
    kept = _bytes(tmp_path)
    assert LINES[0][3].encode() not in kept
    assert b"What did Anna say" not in kept
    assert b"monday" not in kept
    assert LINES[3][3].encode() in kept


def test_a_recording_stays_while_a_conversation_about_it_goes_on(tmp_path: Path) -> None:
    library = talk(tmp_path)
    ask(library, "Who speaks most?", dialogue=conversation(tmp_path, "talk"))
    with Threads(tmp_path).held("talk"), pytest.raises(StoreError, match="this conversation is being continued"):
        remove(library.database, library.recordings()[0])
    assert len(library.recordings()) == 1


def test_conversations_are_found_by_the_beginning_of_their_name(tmp_path: Path) -> None:
    library, threads = talk(tmp_path), Threads(tmp_path)
    with pytest.raises(NotFound, match="none was held yet"):
        threads.find("a")
    for name in ("alpha", "alto"):
        ask(library, "Who speaks most?", dialogue=conversation(tmp_path, name))
    assert threads.find("alp").question == "Who speaks most?"
    with pytest.raises(NotFound, match="beginning of several; there are: alto, alpha"):
        threads.find("al")
    with pytest.raises(NotFound, match="no conversation 'beta'"):
        threads.find("beta")


@pytest.mark.parametrize("name", ["", "../x", "a b", "x" * 65, "-rf", "a\nb"])
def test_a_name_is_a_plain_word(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError):
        conversation(tmp_path, name)


def test_a_planted_checkpoint_runs_no_code(tmp_path: Path) -> None:
    """Strict: a type that is not plain is not made, wherever it comes from."""
    import ormsgpack

    library, dialogue = talk(tmp_path), conversation(tmp_path, "talk")
    ask(library, "Who speaks most?", dialogue=dialogue)
    inner = ormsgpack.packb(("os", "system", f"touch {tmp_path}/planted"))
    blob = ormsgpack.packb({"question": ormsgpack.Ext(0, inner)})
    connection = sqlite3.connect(tmp_path / FILE)
    with connection:
        kept = connection.execute("SELECT checkpoint FROM checkpoints").fetchone()[0]
        planted = ormsgpack.unpackb(kept, ext_hook=lambda code, data: None)
        planted["channel_values"]["question"] = ormsgpack.Ext(0, inner)
        connection.execute("UPDATE checkpoints SET checkpoint = ?", (ormsgpack.packb(planted),))
    connection.close()
    assert blob
    _other_process(tmp_path, "print(talk.turns)")
    assert not (tmp_path / "planted").exists()


def test_many_turns_and_readers_in_one_process_leave_the_file_whole(tmp_path: Path) -> None:
    library, threads = talk(tmp_path), Threads(tmp_path)
    for n in range(12):
        ask(library, "Who speaks most?", dialogue=conversation(tmp_path, f"talk{n % 3}"))
        assert len(threads.every()) == min(n + 1, 3)
    check = "print(talk.threads.connect().execute('PRAGMA integrity_check').fetchall())"
    assert _other_process(tmp_path, check) == "[('ok',)]"


def test_the_library_itself_is_what_it_was(tmp_path: Path) -> None:
    library = talk(tmp_path)
    with library.database.reader() as connection:
        before = connection.execute("SELECT count(*) FROM segment").fetchone()[0]
    ask(Library(tmp_path), "Who speaks most?", dialogue=conversation(tmp_path, "talk"))
    with library.database.reader() as connection:
        assert connection.execute("SELECT count(*) FROM segment").fetchone()[0] == before
