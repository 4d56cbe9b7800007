"""Every hostile string: what it does unfenced, and that no layer alone is all that stands before the secret."""

import hashlib
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from store.catalog import Catalog
from store.database import Database
from store.errors import SqlRefused
from store.fence import Layers, Result, open_fence
from store.guard import MODEL
from tests.store import world
from tests.store.hostile import every

QUICK = replace(MODEL, seconds=0.3)
STRINGS = {hostile.number: hostile for hostile in every()}
FENCES = {
    "all layers": Layers(),
    "without the guard": Layers(guard=False),
    "without the authorizer": Layers(authorizer=False, functions=False),
}


@pytest.fixture(scope="module")
def meetings(tmp_path_factory: pytest.TempPathFactory) -> Database:
    return world.library(tmp_path_factory.mktemp("meetings"))


@pytest.fixture(scope="module")
def scope(meetings: Database) -> Catalog:
    return world.first(meetings)


def test_the_table_covers_the_thirty_strings_and_their_variants() -> None:
    assert {str(number) for number in range(1, 31)} <= set(STRINGS)
    assert len(STRINGS) >= 60


@pytest.mark.parametrize("fence", FENCES)
@pytest.mark.parametrize("number", STRINGS)
def test_nothing_leaks_or_changes(meetings: Database, scope: Catalog, tmp_path: Path, number: str, fence: str) -> None:
    before = _bytes(meetings.folder)
    sql = STRINGS[number].sql(tmp_path)
    outcome, seconds = _ask(meetings, scope, sql, FENCES[fence])
    # what lasts because the machine is busy does not last twice
    assert seconds < 1.5 or _ask(meetings, scope, sql, FENCES[fence])[1] < 1.5
    assert world.CANARY not in outcome
    assert world.OTHER not in outcome
    assert not list(tmp_path.iterdir())
    assert _bytes(meetings.folder) == before


@pytest.mark.parametrize("number", STRINGS)
def test_each_string_is_refused_or_sees_the_question_alone(
    meetings: Database, scope: Catalog, tmp_path: Path, number: str
) -> None:
    hostile = STRINGS[number]
    with open_fence(meetings, scope, world.hits()) as fence:
        if hostile.fenced == "refused":
            with pytest.raises(SqlRefused):
                fence.run(hostile.sql(tmp_path), QUICK)
        else:
            assert fence.run(hostile.sql(tmp_path), QUICK).rows


@pytest.mark.parametrize("number", [n for n, hostile in STRINGS.items() if hostile.unfenced != "nothing"])
def test_unfenced_it_does_what_it_is_for(meetings: Database, tmp_path: Path, number: str) -> None:
    hostile = STRINGS[number]
    sql = hostile.sql(tmp_path / "out")
    (tmp_path / "out").mkdir()
    copy = world.naive(meetings, tmp_path / "naive.sqlite3")
    try:
        match hostile.unfenced:
            case "slow":
                assert _takes_long(copy, sql, tmp_path)
            case "effect":
                before = _state(copy, tmp_path / "out")
                copy.executescript(sql)
                assert _state(copy, tmp_path / "out") != before
            case "oracle":
                other = world.naive(meetings, tmp_path / "other.sqlite3", canary="nothing")
                assert copy.execute(sql).fetchall() != other.execute(sql).fetchall()
                other.close()
            case "runs":
                copy.execute(sql).fetchall()
            case kind:
                shown = str(copy.execute(sql).fetchall())
                assert shown != "[]"
                assert kind == "shown" or world.CANARY in shown or world.OTHER in shown
    finally:
        copy.close()


def _ask(meetings: Database, scope: Catalog, sql: str, layers: Layers) -> tuple[str, float]:
    """Give the rows or the error as text, for a search of what must not be in it, and the seconds it took."""
    with open_fence(meetings, scope, world.hits(), layers=layers) as fence:
        began = time.monotonic()
        try:
            result: Result = fence.run(sql, QUICK)
            shown = f"{result.columns} {result.rows}"
        except SqlRefused as refused:
            shown = f"{refused} {refused.__cause__}"
        return shown, time.monotonic() - began


def _bytes(folder: Path) -> dict[str, str]:
    kept = (path for path in sorted(folder.iterdir()) if not path.name.endswith("-shm"))
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in kept}


def _state(copy: sqlite3.Connection, folder: Path) -> tuple[object, ...]:
    return (
        list(copy.iterdump()),
        copy.execute("SELECT name FROM sqlite_temp_master").fetchall(),
        copy.execute("PRAGMA database_list").fetchall(),
        copy.execute("PRAGMA writable_schema").fetchall(),
        sorted(path.name for path in folder.iterdir()),
    )


def _takes_long(copy: sqlite3.Connection, sql: str, folder: Path) -> bool:
    """Run in a process of its own, which can be stopped whatever SQLite does."""
    script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall()"
    argv = [sys.executable, "-c", script, str(folder / "naive.sqlite3"), sql]
    try:
        subprocess.run(argv, timeout=0.6, check=True, capture_output=True)
    except subprocess.TimeoutExpired:
        return True
    except subprocess.CalledProcessError as error:
        return b"MemoryError" in error.stderr
    return False
