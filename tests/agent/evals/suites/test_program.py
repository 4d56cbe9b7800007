"""Programs that are evaluated: each way to fail is a fault with its reason, and nothing that was started goes on."""

import json
import sys
import time
from pathlib import Path

import pytest

from agent.evals.suites.agent import Fault
from agent.evals.suites.places import Place
from agent.evals.suites.program import Program, question
from agent.evals.suites.suite import Case
from agent.evals.suites.written import Message
from agent.library import Library
from agent.reply import Reply
from store.errors import UsageError

CASE = Case("a", "line 1", (Message(role="user", content="Who “said” it?"),), ())
GOOD = '{"status": "answered", "answer": "Ben", "value": ["Ben"]}'


def _answer(folder: Path, code: str, seconds: float = 20.0) -> Reply | Fault:
    path = folder / "agent.py"
    path.write_text(code, encoding="utf-8")
    return Program((sys.executable, str(path)), seconds, 7).answer(CASE, Place(Library(folder), "talk-1"))


def test_a_program_reads_one_line_and_prints_a_reply(tmp_path: Path) -> None:
    code = (
        "import json, sys\nasked = json.loads(sys.stdin.readline())\n"
        "print(json.dumps({'status': 'answered', 'answer': json.dumps(asked)}))\n"
    )
    given = _answer(tmp_path, code)
    assert isinstance(given, Reply)
    assert json.loads(given.answer) == {
        "question": "Who “said” it?",
        "recording": "talk-1",
        "messages": [{"role": "user", "content": "Who “said” it?"}],
        "library": str(tmp_path),
        "files": {},
        "audio": None,
        "seed": 7,
    }


FAULTS = [
    ("raise SystemExit('no model here')", "crash", "ended with code 1: no model here"),
    ("1 / 0", "crash", "ZeroDivisionError"),
    ("import os; os.kill(os.getpid(), 9)", "crash", "ended with code -9"),
    ("", "not_json", "printed nothing"),
    ("print('Ben said it')", "not_json", "printed no reply in JSON but 'Ben said it'"),
    (f"print('thinking'); print('{GOOD}')", "not_json", "printed no reply in JSON"),
    (f"print('{GOOD}'); print('{GOOD}')", "not_json", "printed no reply in JSON"),
    ("print('[1]')", "not_json", "printed no reply in JSON"),
    ('print(\'{"status": "answered", "answer": "x", "value": NaN}\')', "not_json", "printed no reply in JSON"),
    ('print(\'{"status": "answered", "answer": "x", "answer": "y"}\')', "not_json", "printed no reply in JSON"),
    ("print('[' * 200000)", "not_json", "printed no reply in JSON"),
    ("print('{}')", "shape", "status: field required"),
    ('print(\'{"status": "fine", "answer": "x"}\')', "shape", "status: input should be"),
    ('print(\'{"status": "answered", "answer": 4}\')', "shape", "answer: input should be a valid string"),
    ('print(\'{"status": "answered", "answer": "x", "score": 1}\')', "shape", "score: extra inputs"),
    ('print(\'{"status": "answered", "answer": "x", "confidence": 2}\')', "shape", "confidence"),
    (f"print('{GOOD}'); raise SystemExit(3)", "crash", "ended with code 3 after its reply"),
    ("import time; time.sleep(60)", "timeout", "no reply within 1 s"),
    ("while True: print('x' * 65536)", "shape", "printed more than 4 MB"),
]


@pytest.mark.parametrize(("code", "kind", "words"), FAULTS, ids=range(len(FAULTS)))
def test_what_a_program_does_wrong_is_a_fault(code: str, kind: str, words: str, tmp_path: Path) -> None:
    given = _answer(tmp_path, code, 1.0 if kind == "timeout" else 60.0)
    assert isinstance(given, Fault)
    assert given.kind == kind
    assert words in given.message
    assert "\n" not in given.message


def test_a_refusal_may_end_with_its_own_exit_code(tmp_path: Path) -> None:
    code = 'print(\'{"status": "refused", "answer": "no"}\'); raise SystemExit(5)'
    assert isinstance(_answer(tmp_path, code), Reply)


def test_a_command_that_is_none_is_a_fault_and_one_that_cannot_be_read_is_usage(tmp_path: Path) -> None:
    given = Program(("/nowhere/agent",)).answer(CASE, Place(Library(tmp_path), None))
    assert isinstance(given, Fault)
    assert given.message == "'/nowhere/agent' cannot be run: No such file or directory"
    for line in ("", "  ", "python 'x"):
        with pytest.raises(UsageError):
            Program.of(line)


def test_what_it_started_ends_with_it(tmp_path: Path) -> None:
    beat = tmp_path / "beat"
    child = (
        f"import time, pathlib\nwhile True: pathlib.Path({str(beat)!r}).write_text(str(time.time())); time.sleep(0.05)"
    )
    code = f"import subprocess, sys, time\nsubprocess.Popen([sys.executable, '-c', {child!r}])\ntime.sleep(60)"
    assert isinstance(_answer(tmp_path, code, 3.0), Fault)
    time.sleep(0.3)
    last = beat.read_text() if beat.exists() else ""
    time.sleep(0.5)
    assert (beat.read_text() if beat.exists() else "") == last


def test_a_program_is_never_told_what_is_right(tmp_path: Path) -> None:
    from agent.evals.suites.scorers.values import Value

    case = Case(
        "a",
        "line 1",
        CASE.messages,
        (
            (
                "value",
                Value(target="secret"),
            ),
        ),
        {"note": "secret"},
    )
    assert "secret" not in json.dumps(question(case, Place(Library(tmp_path), None), 0))


def test_another_program_in_the_same_file_is_another_agent(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text("1", encoding="utf-8")
    one = Program(("python", str(path))).identity
    path.write_text("2", encoding="utf-8")
    assert Program(("python", str(path))).identity != one
