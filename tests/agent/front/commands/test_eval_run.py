"""`eval run`: real runs over an imported recording, of Overheard and of programs, with each form of report."""

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

import pytest

from agent.evals.suites.scorers import SCORERS
from agent.front.commands.eval_run import HELP
from tests.agent.evals.suites.made import talk
from tests.agent.front.shell import Done, run, stoppable
from tests.conftest import ROOT
from tests.tools.loopback import message, script, serving, whole

SUITE = """
name: Talk <b>
files: {transcript: talk.vtt, title: talk}
cases:
  - id: count
    input: How many people speak?
    expect: {value: 3, tools: [speaker, fuse], max_tool_calls: 4}
    metadata: {group: count}
  - id: count-2
    input: How many speakers are there?
    expect: {value: 3, sql: SELECT count(DISTINCT speaker) FROM speaker}
    metadata: {group: count}
  - id: budget
    input: What did Ben say about the budget?
    expect: {must_include: ["40,000"], cites: [[1, 3]], must_not_include: [deadline]}
  - id: refused
    input: What did Ben say about the deadline?
    expect: {reason: not_said_by_speaker, names: [Oliver]}
  - id: goes-on
    messages:
      - {role: user, content: "What did Ben say about the budget?"}
      - {role: user, content: "And about the deadline?"}
    expect: {reason: not_said_by_speaker}
"""
# Answers what its argument file says, by question; what is not there it does not know.
PROGRAM = """
import json, pathlib, sys
asked = json.loads(sys.stdin.readline())
pathlib.Path(sys.argv[0] + ".asked").open("a").write(asked["question"] + "\\n")
known = json.loads(pathlib.Path(sys.argv[1]).read_text())
reply = known.get(asked["question"], {"status": "not_found", "answer": "I do not know"})
print(json.dumps(reply) if isinstance(reply, dict) else reply)
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    talk(tmp_path)
    path = tmp_path / "suite.yaml"
    path.write_text(SUITE, encoding="utf-8")
    return path


def _eval(folder: Path, *more: str) -> Done:
    return run(folder / "library", "eval", "run", *more)


def _program(folder: Path, name: str, known: Mapping[str, object]) -> str:
    (folder / "agent.py").write_text(PROGRAM, encoding="utf-8")
    (folder / name).write_text(json.dumps(known), encoding="utf-8")
    return f"{sys.executable} {folder / 'agent.py'} {folder / name}"


def _outcomes(done: Done) -> dict[str, str]:
    return {case["id"]: case["outcome"] for case in done.json["cases"]}


def test_a_suite_over_files_passes_and_leaves_the_library_alone(suite: Path, tmp_path: Path) -> None:
    done = _eval(tmp_path, str(suite), "--out", str(tmp_path / "out"), "--seed", "5", "--parallel", "2")
    assert done.code == 0, done.out + done.err
    assert "Talk <b>: PASSED: 5 of 5 cases passed (100 %); 100 % needed" in done.out
    assert re.search(r"paraphrase\^k +1\b", done.out)
    assert run(tmp_path / "library", "list", "--json").json == []
    report = json.loads((tmp_path / "out" / "report.json").read_text())
    assert (report["seed"], report["agent"], report["verdict"]["met"]) == (5, "rules", True)
    assert [case["id"] for case in report["cases"]] == ["count", "count-2", "budget", "refused", "goes-on"]
    assert report["figures"]["paraphrase_groups"] == 1
    assert ElementTree.parse(tmp_path / "out" / "junit.xml").getroot().get("tests") == "5"
    assert "<title>Talk &lt;b&gt;</title>" in (tmp_path / "out" / "report.html").read_text()
    assert "**PASSED" in (tmp_path / "out" / "report.md").read_text()
    assert {path.stat().st_mode & 0o777 for path in (tmp_path / "out").iterdir()} == {0o600}


def test_a_recording_of_the_library_is_asked_by_its_name(suite: Path, tmp_path: Path) -> None:
    run(tmp_path / "library", "import", str(tmp_path / "talk.vtt"), "--title", "talk")
    for text in (
        SUITE.replace("files: {transcript: talk.vtt, title: talk}", "recording: talk"),
        SUITE.replace("files:", "#"),
    ):
        suite.write_text(text, encoding="utf-8")
        assert _eval(tmp_path, str(suite), "--recording", "talk").code == 0
    suite.write_text(SUITE.replace("files: {transcript: talk.vtt, title: talk}", "recording: gone"), encoding="utf-8")
    done = _eval(tmp_path, str(suite))
    assert (done.code, done.out) == (6, "")
    assert done.err.startswith("overheard: line 5, case 'count': no recording 'gone'; the library holds talk-")


def test_one_wrong_case_misses_and_the_share_decides(suite: Path, tmp_path: Path) -> None:
    suite.write_text(SUITE.replace("value: 3, tools", "value: 4, tools"), encoding="utf-8")
    shares = (("1", 1), ("0.8", 0), ("80%", 0), ("0.81", 1), ("0", 0))
    for share, code in shares:
        done = _eval(tmp_path, str(suite), "--fail-under", share)
        assert done.code == code
        assert ("MISSED: " if code else "PASSED: ") + "4 of 5 cases passed (80 %)" in done.out
        assert "value: 3 instead of 4" in done.out
    done = _eval(tmp_path, str(suite), "--json")
    assert done.json["figures"]["paraphrase^k"] == 0


def test_a_run_in_which_all_is_skipped_is_no_pass(suite: Path, tmp_path: Path) -> None:
    text = re.sub(r"    (input|messages):", r"    skip: later\n    \1:", SUITE)
    suite.write_text(text, encoding="utf-8")
    done = _eval(tmp_path, str(suite), "--fail-under", "0")
    assert done.code == 1
    assert "MISSED: no case was asked, 5 skipped" in done.out


def test_a_program_is_evaluated_and_each_of_its_failures_is_a_case(suite: Path, tmp_path: Path) -> None:
    plan = [{"name": "speaker", "args": {}}, {"name": "fuse", "args": {}}]
    known = {
        "How many people speak?": {"status": "answered", "answer": "3", "value": 3, "plan": plan},
        "How many speakers are there?": {"status": "answered", "answer": "3", "value": "3"},
        "What did Ben say about the budget?": "I think it was 40,000!",
    }
    done = _eval(tmp_path, str(suite), "--agent", _program(tmp_path, "one.json", known), "--json")
    assert done.code == 1
    assert _outcomes(done) == {
        "count": "passed", "count-2": "failed", "budget": "failed", "refused": "failed", "goes-on": "failed",
    }  # fmt: skip
    reasons = {case["id"]: case["reasons"] for case in done.json["cases"]}
    assert reasons["count-2"] == ["value: '3' instead of 3", "sql: '3' instead of 3"]
    assert reasons["budget"] == ["not_json: printed no reply in JSON but 'I think it was 40,000!'"]
    assert reasons["refused"] == [
        "reason: not_found instead of refused not_said_by_speaker",
        "names: does not name Oliver",
    ]


def test_a_planted_regression_is_named_exactly(suite: Path, tmp_path: Path) -> None:
    good = {"status": "answered", "answer": "3", "value": 3, "plan": [{"name": "speaker"}, {"name": "fuse"}]}
    before = {"How many people speak?": good, "How many speakers are there?": good | {"value": 2}}
    after = {"How many people speak?": good | {"value": 2}, "How many speakers are there?": good}
    for name, known in (("before", before), ("after", after)):
        agent = _program(tmp_path, f"{name}.json", known)
        _eval(tmp_path, str(suite), "--agent", agent, "--out", str(tmp_path / name))
    done = run(tmp_path, "eval", "diff", str(tmp_path / "before"), str(tmp_path / "after" / "report.json"))
    assert done.code == 1
    named = [line for line in done.out.splitlines() if "newly" in line]
    assert named == ["  newly failing  count: value: 2 instead of 3", "  newly passing  count-2"]
    back = run(tmp_path, "eval", "diff", str(tmp_path / "after"), str(tmp_path / "after"))
    assert (back.code, back.out) == (0, "  nothing differs\n")


def test_replies_that_are_kept_are_not_asked_for_again(suite: Path, tmp_path: Path) -> None:
    agent, asked = _program(tmp_path, "one.json", {}), tmp_path / "agent.py.asked"
    more = (str(suite), "--agent", agent, "--recorded", str(tmp_path / "kept"))
    first, second = (_eval(tmp_path, *more) for _ in range(2))
    assert len(asked.read_text().splitlines()) == 5
    assert first.code == second.code == 1
    suite.write_text(SUITE.replace("How many people speak?", "How many people talk?"), encoding="utf-8")
    assert _eval(tmp_path, *more, "--json").json["figures"]["replies_kept"] == 4
    assert asked.read_text().splitlines()[5:] == ["How many people talk?"]
    _program(tmp_path, "one.json", {"x": 1})
    assert _eval(tmp_path, *more, "--json").json["figures"]["replies_kept"] == 0


GRADED = """
files: {transcript: talk.vtt}
cases:
  - id: a
    input: What did Ben say about the budget?
    expect: {model_graded: It says how large the budget is.}
"""


def test_what_a_model_must_grade_does_not_pass_without_one(
    suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite.write_text(GRADED, encoding="utf-8")
    done = _eval(tmp_path, str(suite), "--brain", "rules")
    assert (done.code, "needs a model: set OPENAI_BASE_URL" in done.out) == (1, True)
    with serving(script(whole(message("It does.\nGRADE: C")))) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_MODEL", "m")
        done = _eval(tmp_path, str(suite), "--brain", "rules")
        assert len(server.requests) == 1
    assert done.code == 0
    assert "to be graded" in done.err


@pytest.mark.parametrize(
    ("more", "code", "words"),
    [
        (("gone.yaml",), 1, "the suite gone.yaml cannot be read: No such file or directory"),
        (("SUITE", "--fail-under", "90"), 2, "'90' is no share"),
        (("SUITE", "--fail-under", "nan"), 2, "'nan' is no share"),
        (("SUITE", "--agent", ""), 2, "--agent takes a command"),
        (("SUITE", "--agent", "x", "--brain", "rules"), 2, "give one of them"),
        (("SUITE", "--brain", "clever"), 2, "no brain is named 'clever'"),
        (("SUITE", "--recorded", "SUITE"), 2, "--recorded is a folder"),
        (("SUITE", "--out", "SUITE"), 1, "cannot be made a folder"),
        (("SUITE", "--seed", "x"), 2, "invalid int value"),
    ],
    ids=range(9),
)
def test_what_cannot_be_run_is_one_line(
    more: tuple[str, ...], code: int, words: str, suite: Path, tmp_path: Path
) -> None:
    done = _eval(tmp_path, *(word.replace("SUITE", str(suite)) for word in more))
    assert (done.code, done.out) == (code, "")
    assert words in done.err
    assert "Traceback" not in done.err


def test_help_names_every_scorer_and_its_example_is_a_suite(tmp_path: Path) -> None:
    from agent.evals.suites.reading import yaml_text
    from agent.evals.suites.suite import checked

    table = HELP[HELP.index("  of the end") : HELP.index("Those that measure")]
    assert set(SCORERS) <= set(re.findall(r"\w+", table))
    example = HELP[HELP.index("    name: Our") : HELP.index("A case has id")]
    assert len(checked(yaml_text(example), tmp_path / "s.yaml").cases) == 3
    shown = _eval(tmp_path, "--help").out
    (path,) = (line for line in shown.splitlines() if line.endswith("suite.yaml"))
    assert Path(path).is_file()


def _started(suite: Path, folder: Path, agent: str, stderr: int) -> "subprocess.Popen[str]":
    command = [
        sys.executable,
        "-m",
        "agent.front",
        "--library",
        str(folder / "library"),
        "eval",
        "run",
        str(suite),
        "--agent",
        agent,
        "--parallel",
        "1",
    ]
    environ = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        command, env=environ, stdout=subprocess.PIPE, stderr=stderr, text=True, preexec_fn=stoppable
    )


def test_an_interrupt_ends_the_program_too(suite: Path, tmp_path: Path) -> None:
    agent = tmp_path / "slow.py"
    agent.write_text("import pathlib, time\npathlib.Path(__file__ + '.on').touch()\ntime.sleep(300)", encoding="utf-8")
    with _started(suite, tmp_path, f"{sys.executable} {agent}", subprocess.PIPE) as running:
        while not agent.with_name("slow.py.on").exists() and running.poll() is None:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert (running.returncode, out, err) == (130, "", "interrupted\n")


def test_progress_is_shown_on_a_terminal_and_only_there(suite: Path, tmp_path: Path) -> None:
    main, own = pty.openpty()
    with _started(suite, tmp_path, _program(tmp_path, "one.json", {}), own) as running:
        os.close(own)
        shown = b""
        with contextlib.suppress(OSError):  # the terminal's end
            while piece := os.read(main, 4096):
                shown += piece
        out = running.stdout.read() if running.stdout else ""
    os.close(main)
    assert b"cases" in shown
    assert b"5/5" in shown
    assert "\x1b" not in out
    assert "MISSED: 0 of 5" in out


def test_the_sample_runs_at_once(tmp_path: Path) -> None:
    done = _eval(tmp_path, "sample", "--json")
    assert done.code == 0
    assert len(done.json["cases"]) >= 55
