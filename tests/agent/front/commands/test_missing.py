"""A file that is not there: the same exit code and one plain line, whichever command it is given to."""

from pathlib import Path

import pytest

from agent.evals.minutes.meeting import published
from store.database import Database
from store.errors import Exit
from tests.agent.check.ship import meeting
from tests.agent.front.shell import run


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("missing") / "lib"
    published(Database.open(folder), meeting())
    return folder


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A folder of kept replies, with a transcript in it."""
    (tmp_path / "there.vtt").write_text("WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n", encoding="utf-8")
    (tmp_path / "reply.json").write_text("{}", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ("ingest", "GONE.wav"),
        ("ingest", "GONE.wav", "GONE.mp3"),
        ("import", "GONE.vtt"),
        ("import", "GONE"),
        *(("import", flag, "GONE.csv") for flag in ("--transcript", "--speakers", "--events", "--emotions")),
        ("import", "KEPT/there.vtt", "--audio", "GONE.wav"),
        ("import", "--into", "ship", "GONE.vtt"),
        ("check", "GONE.md", "ship"),
        ("check", "GONE/", "ship"),
        ("export", "ship", "-f", "srt", "-o", "GONE/there.srt"),
        ("eval", "model", "--recorded", "KEPT", "--set", "GONE.toml"),
        ("eval", "run", "GONE.yaml"),
        ("eval", "diff", "GONE", "KEPT"),
    ],
    ids=" ".join,
)
def test_a_file_that_is_not_there_is_bad_data(arguments: tuple[str, ...], library: Path, kept: Path) -> None:
    given = [word.replace("GONE", str(kept / "gone")).replace("KEPT", str(kept)) for word in arguments]
    done = run(library, *given)
    assert (done.code, done.out) == (Exit.DATA, "")
    assert "gone" in done.err
    assert done.err.startswith("overheard: ")
    assert "Traceback" not in done.err


@pytest.mark.parametrize(
    "name", ["long" * 1500, "nul\0.wav", "\udcff.wav", "a" * 300 + ".vtt"], ids=["long", "nul", "odd", "a"]
)
@pytest.mark.parametrize(
    "arguments",
    [
        ("ingest", "NAME"),
        ("import", "NAME"),
        ("import", "--transcript", "NAME.vtt"),
        ("check", "NAME", "ship"),
        ("export", "ship", "-f", "srt", "-o", "gone/NAME"),
        ("eval", "model", "--recorded", "KEPT", "--set", "NAME"),
        ("eval", "run", "NAME"),
        ("eval", "diff", "NAME", "NAME"),
    ],
    ids=" ".join,
)
def test_a_name_that_no_file_can_have_is_bad_data(
    arguments: tuple[str, ...], name: str, library: Path, kept: Path
) -> None:
    done = run(library, *(word.replace("NAME", name).replace("KEPT", str(kept)) for word in arguments))
    assert (done.code, done.out) == (Exit.DATA, "")
    assert done.err.startswith("overheard: ")
    assert "Traceback" not in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize("arguments", [("chat", "gone.wav"), ("show", "gone"), ("check", "-", "gone")], ids=" ".join)
def test_what_may_be_a_recording_is_not_found(arguments: tuple[str, ...], library: Path) -> None:
    done = run(library, *arguments, stdin="Nothing.")
    assert (done.code, done.out) == (Exit.NOT_FOUND, "")
    assert "no recording 'gone" in done.err
