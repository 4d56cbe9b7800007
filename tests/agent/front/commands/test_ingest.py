"""ingest in a terminal asks who is who; where nobody can be asked, or the result is for a program, it does not."""

from pathlib import Path
from typing import Any

import pytest

from agent.front.commands import ingest
from store.database import Database
from tests.agent.front.shell import run
from tests.agent.front.test_who import MADE
from tests.tools.made import made
from tools.listening.ingest import Result


def heard(
    folder: Path, monkeypatch: pytest.MonkeyPatch, *options: str, terminal: bool = True, fresh: bool = True
) -> Any:
    """Run ingest with the listening itself left out: a made recording is what was heard."""
    database = Database.open(folder / "lib")
    recording = made(database, MADE).recordings[0].recording
    monkeypatch.setattr("tools.listening.listener.load", lambda choice: None)
    monkeypatch.setattr(ingest, "hear", lambda *given, **named: Result(recording, fresh))
    monkeypatch.setattr(ingest, "interactive", lambda: terminal)
    return run(folder / "lib", "ingest", "a.wav", *options, stdin="Diane\n")


def test_a_terminal_asks_and_what_is_typed_is_the_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done = heard(tmp_path, monkeypatch)
    assert (done.code, "3 voices. Who is who?" in done.err) == (0, True)
    assert run(tmp_path / "lib", "speakers", "talk", "--json").json[0]["speaker"] == "Diane"


@pytest.mark.parametrize(
    ("options", "terminal", "fresh"), [((), False, True), (("--json",), True, True), ((), True, False)]
)
def test_nobody_is_asked_without_need(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, options: tuple[str, ...], terminal: bool, fresh: bool
) -> None:
    done = heard(tmp_path, monkeypatch, *options, terminal=terminal, fresh=fresh)
    assert (done.code, "Who is who" in done.err) == (0, False)
