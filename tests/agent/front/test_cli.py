"""The command line: light, honest about faults, its exit codes those of the page."""

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.front import cli
from agent.front.command import Command
from agent.front.commands import COMMANDS
from store.errors import BudgetSpent, DataError, EndpointError, Exit, NotFound, OverheardError, StoreError, UsageError
from tests.agent.front.meeting import vtt
from tests.agent.front.shell import fresh_python, run

ROOT = Path(__file__).resolve().parents[3]
HEAVY = "torch numpy ctranslate2 faster_whisper onnxruntime openai chromadb av langgraph pydantic sqlglot rich sqlite3"
HELP = """
import sys
from agent.front.cli import parser, main
try:
    main(["--help"])
except SystemExit:
    pass
print("LOADED", *sorted({name.partition(".")[0] for name in sys.modules}))
"""


def test_help_imports_nothing_heavy_and_names_only_what_is_there() -> None:
    lines = fresh_python(HELP)
    loaded = set(lines[-1].split()[1:])
    assert not loaded & set(HEAVY.split())
    for command in COMMANDS:
        assert any(line.split()[:1] == [command.name] for line in lines), command.name


def test_help_takes_at_most_a_third_of_a_second() -> None:
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    took = []
    for _ in range(5):
        began = time.monotonic()
        subprocess.run([sys.executable, "-m", "agent.front", "--help"], env=environ, capture_output=True, check=True)
        took.append(time.monotonic() - began)
    assert min(took) <= 0.3


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_explains_itself(command: Command, tmp_path: Path) -> None:
    done = run(tmp_path, command.name, "--help")
    assert done.code == 0
    assert "--library DIR" in done.out


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (DataError("x"), 1),
        (StoreError("x"), 1),
        (UsageError("x"), 2),
        (EndpointError("x"), 3),
        (BudgetSpent("x"), 4),
        (NotFound("x"), 6),
    ],
)
def test_a_known_error_is_one_plain_line(
    error: OverheardError, code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(options: object) -> int:
        raise type(error)("what\n\x1b[2Jfailed")

    monkeypatch.setattr(cli.parser, "__defaults__", ((Command("boom", "fail", lambda parser: None, fail),),))
    done = run(tmp_path, "boom")
    assert (done.code, done.out, done.err) == (code, "", "overheard: what failed\n")


def test_an_interrupt_is_130(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(options: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(cli.parser, "__defaults__", ((Command("stop", "stop", lambda parser: None, stop),),))
    assert run(tmp_path, "stop").code == 130


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    run(tmp_path / "lib", "import", str(vtt(tmp_path)))
    code = "import sys; from agent.front.cli import main; sys.exit(main())"
    script = f"for i in 1 2 3; do {sys.executable} -c '{code}' export meeting -f json; done | head -c 1"
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "OVERHEARD_LIBRARY": str(tmp_path / "lib")}
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", script], env=environ, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "{", "")


@pytest.mark.parametrize("arguments", [[], ["nothing"], ["list", "--nothing"], ["import"], ["sql"], ["export", "x"]])
def test_usage_errors_are_2(arguments: list[str], tmp_path: Path) -> None:
    done = run(tmp_path, *arguments)
    assert (done.code, done.out) == (2, "")


def test_flags_may_be_spelt_with_underscores() -> None:
    assert cli.hyphened(["ingest", "--min_speakers", "2", "--hf_token=a_b", "a_b", "--", "--x_y"]) == [
        "ingest", "--min-speakers", "2", "--hf-token=a_b", "a_b", "--", "--x_y"
    ]  # fmt: skip


def test_the_library_may_be_named_before_after_or_by_the_environment(tmp_path: Path) -> None:
    library = tmp_path / "lib"
    assert run(library, "import", str(vtt(tmp_path))).code == 0
    code = "import sys; from agent.front.cli import main; main(sys.argv[1:])"
    after = fresh_python(code, "list", "--json", "--library", str(library))
    named = fresh_python(code, "list", "--json", environ={"OVERHEARD_LIBRARY": str(library)})
    assert after == named == run(library, "list", "--json").out.splitlines()
    assert "meeting" in after[0]


def test_a_foreign_package_of_our_name_is_named(tmp_path: Path) -> None:
    (tmp_path / "prompts.py").write_text("", encoding="utf-8")
    environ = {**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "agent.front", "list"],
        env=environ, capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert f"{tmp_path}/prompts.py" in done.stderr


def test_an_unusable_library_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = run(tmp_path / "file", "list")
    assert done.code == 1
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("ask", "talk", "--json", "Who speaks?"),
        ("ask", "--json", "talk", "Who speaks?"),
        ("ask", "talk", "Who speaks?", "--json"),
    ],
)
def test_flags_may_stand_between_an_id_and_a_question(arguments: tuple[str, ...]) -> None:
    options = cli.parser().parse_args(arguments)
    assert (options.words, options.json) == (["talk", "Who speaks?"], True)


def test_a_statement_may_follow_a_flag() -> None:
    options = cli.parser().parse_args(["sql", "talk", "--keyword", "budget", "SELECT 1"])
    assert (options.recording, options.keyword, options.statement) == ("talk", ["budget"], "SELECT 1")


@pytest.mark.parametrize(
    ("arguments", "name", "value"),
    [
        (["ingest", "--json", "--", "-x.wav", "--json"], "files", ["-x.wav", "--json"]),
        (["import", "--names", "open", "--", "-x.vtt"], "files", ["-x.vtt"]),
        (["check", "talk", "--", "-x.md"], "recording", "-x.md"),
        (["chat", "--brain", "rules", "--", "-x.wav"], "recording", "-x.wav"),
        (["ask", "talk", "--json", "--", "-1 or +1?"], "words", ["talk", "-1 or +1?"]),
        (["models", "pull", "--", "-x"], "names", ["-x"]),
        (["trace", "show", "--", "-x"], "trace", "-x"),
        (["show", "--", "--aside"], "recording", "--aside"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_nothing_after_two_hyphens_is_a_flag(arguments: list[str], name: str, value: object) -> None:
    found = vars(cli.parser().parse_args(arguments))[name]
    assert found == value
    assert {type(word) for word in (found if isinstance(found, list) else [found])} == {str}


def test_a_file_may_begin_with_a_hyphen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    vtt(tmp_path).rename("-meeting.vtt")
    Path("-minutes.md").write_text("Select said: “We ship on Friday”\n", encoding="utf-8")
    for files in (["--", "-meeting.vtt"], ["--transcript=-meeting.vtt"], ["./-meeting.vtt"]):
        assert run(tmp_path / "lib", "import", *files).out.startswith("meeting-")
    assert run(tmp_path / "lib", "check", "--json", "--", "-minutes.md", "meeting").json["claims"]
    for command in ("ingest", "chat"):
        assert "'-nowhere.wav'" in run(tmp_path / "lib", command, "--", "-nowhere.wav").err


def explained(parser: argparse.ArgumentParser) -> Iterator[tuple[str, str | None]]:
    """Give every option and argument of a parser and of its actions, with what is said of it."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for own in action.choices.values():
                yield own.prog, own.description
                yield from explained(own)
        else:
            yield f"{parser.prog} {action.option_strings or action.dest}", action.help


def test_every_command_action_option_and_argument_is_explained() -> None:
    found = list(explained(cli.parser()))
    assert len(found) > 100
    assert [name for name, told in found if not told] == []


def test_help_says_what_the_exit_codes_are() -> None:
    for code in Exit:
        assert f" {int(code)} " in cli.CODES


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["ask", "meeting", "  "], 2, "the question is empty"),
        (["ask", "meeting", "Who spoke?", "more"], 2, "one question in quotes"),
        (["trace", "list", "--most", "0"], 2, "'0' is no number of them"),
        (["eval", "model", "--limit", "-1"], 2, "'-1' is no number of them"),
        (["eval", "run", "s.yaml", "--parallel", "x"], 2, "'x' is no number of them"),
        (["eval", "run", "s.yaml", "--timeout", "nan"], 2, "'nan' is no length of time"),
        (["eval", "model", "--recorded", "meeting.vtt"], 2, "--recorded is a folder, and meeting.vtt is none"),
        (["eval", "diff", "nowhere", "nowhere"], 1, "nowhere holds no report (No such file or directory)"),
        (["serve-brain", "--port", "65536"], 2, "'65536' is no port"),
        (["serve-brain", "--port", "-1"], 2, "'-1' is no port"),
        (["import", "nowhere.vtt"], 1, "there is no file 'nowhere.vtt'"),
        (["import", "nowhere"], 1, "there is no file 'nowhere'"),
        (["import", "."], 2, "say what it is"),
        (["import", "--transcript", "sub.vtt"], 1, "'sub.vtt' is no file"),
        (["check", ".", "meeting"], 1, "'.' is no file"),
        (["ingest", "."], 1, "'.' is no regular file"),
        (["export", "meeting", "-f", "srt", "-o", ""], 1, "'' cannot be written"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_cannot_be_done_ends_with_one_line(
    arguments: list[str], code: int, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub.vtt").mkdir()
    run(tmp_path / "lib", "import", str(vtt(tmp_path)))
    done = run(tmp_path / "lib", *arguments)
    assert (done.code, done.out) == (code, "")
    last = done.err.splitlines()[-1]
    assert said in last
    assert "Traceback" not in done.err
    assert done.err.count("\n") == 1 or done.err.startswith("usage: ")
