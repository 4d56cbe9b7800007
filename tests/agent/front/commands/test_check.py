"""check: its exit codes, its forms, and documents that are none or were made to do harm."""

import random
import time
from pathlib import Path

import pytest

from agent.check import checking
from agent.evals.minutes.meeting import Meeting, published
from agent.evals.worlds.world import Spec, make
from agent.front.commands.check import TOLERANCE_S
from store.database import Database
from tests.agent.check.ship import meeting
from tests.agent.front.shell import run

TRUE, FALSE = 'Ben said: "We ship on Friday."', 'Ben said: "We ship on Monday."'


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("check") / "lib"
    published(Database.open(folder), meeting())
    return folder


def test_the_exit_code_says_whether_something_is_false(library: Path, tmp_path: Path) -> None:
    for text, code, word in ((TRUE, 0, "verbatim"), (FALSE, 1, "altered"), ("Nothing.", 0, "nothing to check")):
        path = tmp_path / "minutes.md"
        path.write_text(text, encoding="utf-8")
        done = run(library, "check", str(path), "ship")
        assert (done.code, done.err) == (code, "")
        assert word in done.out


def test_a_document_from_stdin_in_each_form(library: Path) -> None:
    assert run(library, "check", "-", "ship", stdin=FALSE).out.startswith("stdin against ship (ship-")
    assert run(library, "check", "-", "ship", "--format", "md", stdin=FALSE).out.startswith("# stdin against ship\n")
    for flags in (("--json",), ("--format", "json")):
        done = run(library, "check", "-", "ship", *flags, stdin=FALSE)
        assert (done.code, done.json["false"], done.json["counts"]) == (1, 1, {"altered": 1})


def test_the_flags_default_is_that_of_checking() -> None:
    assert TOLERANCE_S == checking.TOLERANCE_S  # written twice, so that --help need not import what checks


def test_the_tolerance_is_a_flag(library: Path) -> None:
    late = '"We ship on Friday" — Ben, 0:20'
    assert run(library, "check", "-", "ship", stdin=late).code == 1
    assert run(library, "check", "-", "ship", "--tolerance", "20", stdin=late).code == 0


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("check", "nowhere.md", "ship"), 1, "there is no file 'nowhere.md'"),
        (("check", "-", "penguins"), 6, "no recording 'penguins'"),
        (("check", "-", "ship", "--tolerance", "-1"), 2, "--tolerance takes seconds"),
        (("check", "-", "ship", "--tolerance", "nan"), 2, "--tolerance takes seconds"),
        (("check", "-", "ship", "--format", "pdf"), 2, "invalid choice"),
        (("check", "-"), 2, "required"),
    ],
)
def test_what_cannot_be_done_is_one_line(arguments: tuple[str, ...], code: int, words: str, library: Path) -> None:
    done = run(library, *arguments, stdin=TRUE)
    assert (done.code, done.out) == (code, "")
    assert words in done.err
    assert "Traceback" not in done.err


NO_TEXT = {
    "nul": b'He said "we\0 ship"',
    "png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9,
    "random": random.Random(4).randbytes(4000) + b"\0",
    "pdf": b"%PDF-1.7\nstream",
    "large": b"word " * 2_000_000,
}


@pytest.mark.parametrize("name", NO_TEXT)
def test_a_document_that_is_no_text_is_one_line(name: str, library: Path, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(NO_TEXT[name])
    done = run(library, "check", str(path), "ship")
    assert (done.code, done.out) == (1, "")
    assert done.err.count("\n") == 1
    assert "is no text" in done.err or "is larger than 1 MB" in done.err


def test_a_folder_is_no_document(library: Path, tmp_path: Path) -> None:
    done = run(library, "check", str(tmp_path), "ship")
    assert (done.code, done.err.count("\n")) == (1, 1)


HOSTILE = {
    "empty": b"",
    "escapes": b'\x1b]0;pwned\x07\x1b[31mBen said "\x1b[2Jwe ship on Friday\x1b[0m" \xe2\x80\xae',
    "unbalanced": 'He said "we ship. Anna said "no". And “never closed'.encode(),
    "marks": b'"' * 50_000,
    "open marks": "“„«‹「".encode() * 5_000,
    "quotes": b'"a ' * 20_000,
    "capitals": b"Aa " * 20_000,
    "one word": b"x" * 100_000,
    "brackets": b"[a]" * 20_000,
    "numbers": b"1 " * 20_000,
    "times": b"1:23 " * 20_000,
    "labels": b"Ben: Ada: " * 5_000,
    "verbs": b"Ben said Ada said " * 3_000,
    "huge": b"Ben said it costs " + b"9" * 5_000 + b" dollars, or 1.2.3.4, or 1e9, or -0",
    "ellipses": b'Ben said "' + b"... " * 700 + b'we ship"',
    "German": "Er sagte: „Wir haben das nicht beschlossen und das ist gut so.“ Es ging um 40 Prozent.".encode(),
    "UTF-16": "Ben said “we ship on Friday”".encode("utf-16"),
    "Windows": b"Ben said \x93we ship on Friday\x94",
    "braces": b"{" * 20_000,
    "list": b"[" * 20_000,
    "half a reply": b'{"answer": "x", "citations": [1, {"stream": "transcript", "quote": 3, "start": "x"}]}',
}


@pytest.mark.parametrize("name", HOSTILE)
def test_any_text_gives_a_report(name: str, library: Path, tmp_path: Path) -> None:
    path = tmp_path / "document"
    path.write_bytes(HOSTILE[name])
    began = time.monotonic()
    done = run(library, "check", str(path), "ship")
    assert time.monotonic() - began < 20
    assert done.err == ""
    assert done.code in (0, 1)
    assert done.out.startswith("document against ship")
    assert "\x1b" not in done.out


def test_three_pages_against_nine_hours_take_seconds(tmp_path: Path) -> None:
    world = Meeting("nine hours", make(Spec(5, 540)).segments)
    published(Database.open(tmp_path / "lib"), world)
    rows = world.said[50::60][:80]
    text = "\n\n".join(f'{r.speaker} said: "{r.text[:-1]}{" indeed" * (n % 2)}"' for n, r in enumerate(rows))
    began = time.monotonic()
    done = run(tmp_path / "lib", "check", "-", "nine", "--json", stdin=text)
    assert time.monotonic() - began < 20
    assert done.json["counts"]["altered"] >= 38
    assert len(world.said) > 8_000
