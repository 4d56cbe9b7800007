"""ask: one reply, its exit code, and as many replies as questions in a batch."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent.front.asking import Asker
from agent.reply import Reply
from tests.agent.front import meeting
from tests.agent.front.commands.test_recordings import bring
from tests.agent.front.shell import Done, run


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ask")
    bring(folder / "lib", folder)
    return folder / "lib"


def ask(library: Path, *words: str, stdin: str = "") -> Done:
    return run(library, "ask", *words, "--brain", "rules", stdin=stdin)


@pytest.mark.parametrize("length", ["-1", "nan", "-inf"])
def test_a_second_listen_of_no_length_is_a_usage_error(length: str, library: Path) -> None:
    done = run(library, "ask", "m1", "Who speaks?", f"--listen-again={length}")
    assert done.code == 2
    assert "give seconds, or 0 to listen never again" in done.err


def test_an_answer_is_0_with_its_citation(library: Path) -> None:
    done = ask(library, "drop.table", "Who said drop it?")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[1] == '  [0:03 O\'Brien; --] "drop it"'


@pytest.mark.parametrize(
    ("question", "code", "status"),
    [
        ("How many people speak?", 0, "answered"),
        ("What did Zoe say about pizza?", 5, "refused"),
        ("What's the weather like?", 5, "refused"),
        ("Who mentioned pineapple?", 6, "not_found"),
    ],
)
def test_exit_codes_follow_the_status(question: str, code: int, status: str, library: Path) -> None:
    done = ask(library, "drop.table", question, "--json")
    assert (done.code, done.json["status"]) == (code, status)
    assert done.out.count("\n") == 1
    assert list(done.json) == sorted(done.json)


def test_a_refusal_names_who_does_speak(library: Path) -> None:
    done = ask(library, "drop.table", "What did Zoe say about pizza?")
    assert "rows found: all 0" in done.out
    assert "who speaks: Select" in done.out
    assert "Select" in done.out


def test_a_batch_gives_one_reply_a_line_and_is_0(library: Path) -> None:
    questions = "How many people speak?\n\n  What did Zoe say about pizza?  \nWho said drop it?"
    done = ask(library, "drop.table", "-", stdin=questions)
    replies = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 0
    assert [reply["status"] for reply in replies] == ["answered", "refused", "answered"]
    assert replies[0]["value"] == len(meeting.NAMES)
    assert len({reply["trace"] for reply in replies}) == 3


def test_without_an_id_the_whole_library_is_asked(library: Path) -> None:
    assert ask(library, "Who said drop it?", "--json").json["value"] == "O'Brien; --"


@pytest.mark.parametrize("words", [("nope", "Who?"), ("nope", "-")])
def test_an_unknown_recording_is_6(words: tuple[str, ...], library: Path) -> None:
    done = ask(library, *words)
    assert (done.code, done.out, done.err.count("\n")) == (6, "", 1)


def test_an_empty_library_is_6_alone_and_a_reply_in_a_batch(tmp_path: Path) -> None:
    assert ask(tmp_path, "Who said it?").code == 6
    done = ask(tmp_path, "-", stdin="Who said it?\n")
    assert (done.code, done.json["status"]) == (0, "failed")


def test_a_recording_without_a_question_is_a_usage_error(library: Path) -> None:
    done = ask(library, "drop.table")
    assert (done.code, done.out) == (2, "")
    assert 'ask drop.table "..."' in done.err


def test_unquoted_questions_are_a_usage_error(library: Path) -> None:
    assert ask(library, "drop.table", "who", "said", "it").code == 2


def test_sounds_that_others_label_are_found_under_any_word_for_them(tmp_path: Path) -> None:
    (tmp_path / "e.csv").write_text("1,2,crying_baby,1\n3,4,Dog,1\n5,6,xyzzy,1\n", encoding="utf-8")
    run(tmp_path / "lib", "import", "--events", str(tmp_path / "e.csv"), "--title", "t")
    for question, heard in (
        ("Was a crying baby heard?", True),
        ("Was there a baby cry?", True),
        ("Was a dog heard?", True),
        ("Was a cat heard?", False),
    ):
        assert ask(tmp_path / "lib", "t", question, "--json").json["value"] is heard, question


def test_a_fault_of_ours_in_a_batch_costs_one_line_and_keeps_its_traceback(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def ask_once(asker: Asker, question: str, *rest: Any) -> Reply:
        asked.append(question)
        return whole(asker, question, *rest) if len(asked) != 2 else list[Reply]()[0]

    whole = Asker.__call__
    monkeypatch.setattr(Asker, "__call__", ask_once)
    done = ask(library, "drop.table", "-", stdin="How many people speak?\nboom\nWho said drop it?\n")
    replies = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 0
    assert [reply["status"] for reply in replies] == ["answered", "failed", "answered"]
    assert replies[1]["error"]["kind"] == "internal"
    assert "IndexError" in done.err
