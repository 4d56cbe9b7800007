import sqlite3
from pathlib import Path

import pytest

from agent.front import doctor
from store.database import Database
from store.errors import Exit
from tests.sleeping import cut_short
from tests.tools.loopback import message, script, serving, whole


def _checks(library: Path, environ: dict[str, str] | None = None) -> dict[str, doctor.Check]:
    return {check.name: check for check in doctor.examine(library, environ or {})}


def test_a_machine_is_described_line_by_line(database: Database) -> None:
    checks = _checks(database.folder)
    assert [checks[name].state for name in ("python", "sqlite", "library", "disk")] == ["ok"] * 4
    assert checks["library"].text == f"0 recordings at {database.folder}"
    assert checks["endpoint"].state == "without"
    assert any(name.startswith("weights ") for name in checks)
    assert all("\n" not in doctor.line(check) for check in checks.values())


def test_looking_makes_no_library(tmp_path: Path) -> None:
    assert _checks(tmp_path / "none" / "yet")["library"].state == "without"
    assert list(tmp_path.iterdir()) == []


def test_weights_that_are_missing_name_the_command_that_brings_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OVERHEARD_MODELS", str(tmp_path))
    missing = _checks(tmp_path)["weights yamnet"]
    assert missing.state == "without"
    assert "overheard models pull yamnet" in missing.text


def test_a_library_of_a_newer_version_is_bad(database: Database) -> None:
    with database.maintenance() as connection:
        connection.execute("PRAGMA user_version=999")
    check = _checks(database.folder)["library"]
    assert (check.state, check.exit) == ("bad", Exit.DATA)
    assert "newer" in check.text


def test_a_damaged_library_is_bad(database: Database) -> None:
    with sqlite3.connect(database.path) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    content = bytearray(database.path.read_bytes())
    content[8192:16384] = b"\xff" * 8192
    database.path.write_bytes(content)
    lines: list[str] = []
    assert doctor.report(database.folder, lines.append) == Exit.DATA
    assert any(line.startswith("!!  library") for line in lines)


def test_an_endpoint_that_was_chosen_is_asked_for_its_models() -> None:
    with serving(script(whole(message("ok"))), offers=("a", "b")) as server:
        environ = {"OPENAI_BASE_URL": server.url}
        several = _checks(Path("/nowhere/at/all"), environ)["endpoint"]
        named = _checks(Path("/nowhere/at/all"), environ | {"OPENAI_MODEL": "b"})["endpoint"]
    assert several.state == "without"
    assert "a, b" in several.text
    assert named.state == "ok"
    assert server.requests == []


def test_an_endpoint_that_is_not_there_is_bad(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_short(monkeypatch)
    check = _checks(Path("/nowhere/at/all"), {"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"})["endpoint"]
    assert (check.state, check.exit) == ("bad", Exit.ENDPOINT)
    assert "cannot be reached" in check.text
