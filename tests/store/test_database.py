"""One writer at a time, readers meanwhile, and nothing half-written: two processes, a reader, a kill, other schemas."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from store import recordings, streams
from store.database import Database
from store.errors import DataError, StoreError
from store.migrations import MAX_SEQ, MIGRATIONS, SCHEMA_VERSION
from store.record import Segment

WRITER = """
import sys
from pathlib import Path
from store import streams
from store.database import Database
from store.record import Segment
database = Database.open(Path(sys.argv[1]))
print("open", flush=True)
for n in range(int(sys.argv[2])):
    with database.writing() as connection:
        rows = [Segment(i, i + 1, f"chunk {n} row {i}") for i in range(50)]
        streams.publish(connection, 1, rows)
        streams.hear_until(connection, 1, n + 1)
    print(n, flush=True)
"""


def _start(folder: Path, count: int) -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(folder), str(count)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "open\n"
    return process


def _prepare(database: Database) -> None:
    with database.writing() as connection:
        recording = recordings.add(connection, recordings.NewRecording("a" * 64, "meeting", "import", 10_000))
        streams.new_version(connection, recording.id, "transcript", streams.Source("test", {}))


def _rows(database: Database) -> tuple[int, int, int]:
    with database.reader() as connection:
        rows = connection.execute("SELECT count(*) FROM segment").fetchone()[0]
        index = connection.execute("SELECT count(*) FROM segment_fts WHERE segment_fts MATCH 'chunk'").fetchone()[0]
        stated = connection.execute("SELECT rows FROM stream").fetchone()[0]
    return rows, index, stated


def test_the_library_is_for_its_owner_alone(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        database = Database.open(tmp_path / "new")
        (tmp_path / "made").mkdir(mode=0o755)
        Database.open(tmp_path / "made")
        with database.writing() as connection:
            connection.execute("DELETE FROM trace")
            modes = {path.name: path.stat().st_mode & 0o777 for path in database.folder.iterdir()}
    finally:
        os.umask(old)
    assert modes == dict.fromkeys(("overheard.sqlite3", "overheard.sqlite3-wal", "overheard.sqlite3-shm"), 0o600)
    assert database.folder.stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "made").stat().st_mode & 0o777 == 0o700


def test_two_processes_write_and_a_reader_sees_whole_publishes(database: Database) -> None:
    _prepare(database)
    writers = [_start(database.folder, 8), _start(database.folder, 8)]
    seen = set()
    while any(writer.poll() is None for writer in writers):
        rows, index, stated = _rows(database)
        assert rows == index == stated
        assert rows % 50 == 0
        seen.add(rows)
    for writer in writers:
        assert writer.stdout is not None
        writer.stdout.close()
        assert writer.returncode == 0
    assert _rows(database) == (800, 800, 800)


def test_a_reader_keeps_its_snapshot(database: Database) -> None:
    _prepare(database)
    with database.reader() as connection:
        before = connection.execute("SELECT count(*) FROM segment").fetchone()[0]
        with database.writing() as writer:
            streams.publish(writer, 1, [Segment(0, 1, "new")])
        assert connection.execute("SELECT count(*) FROM segment").fetchone()[0] == before
    assert _rows(database)[0] == before + 1


def test_a_kill_in_the_middle_leaves_whole_publishes_and_a_true_watermark(database: Database) -> None:
    _prepare(database)
    dice = random.Random(4)
    published = 0
    for _ in range(4):
        writer = _start(database.folder, 10_000)
        time.sleep(dice.uniform(0.05, 0.25))
        writer.send_signal(signal.SIGKILL)
        assert writer.stdout is not None
        acknowledged = len(writer.stdout.read().splitlines())
        writer.wait()
        writer.stdout.close()
        began = time.monotonic()
        rows, index, stated = _rows(Database.open(database.folder))
        assert time.monotonic() - began < 2
        assert rows == index == stated
        assert rows % 50 == 0
        assert published + 50 * acknowledged <= rows <= published + 50 * (acknowledged + 1)
        published = rows
    assert published > 0


def _fill(connection: sqlite3.Connection) -> None:
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count={pages + 2}")
    streams.publish(connection, 1, [Segment(i, i + 1, "chunk " * 100) for i in range(1000)])


def _publish_too_much(connection: sqlite3.Connection) -> None:
    streams.publish(connection, 1, [Segment(0, 1, "chunk")])
    streams.publish(connection, 1, [Segment(0, 1, "chunk")] * (MAX_SEQ + 1))


def test_a_failed_transaction_leaves_nothing(database: Database) -> None:
    _prepare(database)
    with pytest.raises(DataError, match="more than"), database.writing() as connection:
        _publish_too_much(connection)
    assert _rows(database) == (0, 0, 0)


def test_a_newer_schema_is_refused(database: Database) -> None:
    with database.maintenance() as connection:
        connection.execute(f"PRAGMA user_version={SCHEMA_VERSION + 1}")
    with pytest.raises(StoreError, match="newer Overheard"):
        Database.open(database.folder)


def test_an_older_schema_is_backed_up_whole_and_then_migrated(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def step(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE added(x)")

    monkeypatch.setattr("store.database.MIGRATIONS", (*MIGRATIONS, step))
    monkeypatch.setattr("store.database.SCHEMA_VERSION", SCHEMA_VERSION + 1)
    with database.reader():
        _prepare(database)
        Database.open(database.folder)
    backup = database.path.with_suffix(f".schema{SCHEMA_VERSION}.sqlite3")
    assert backup.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(backup)) as copy:
        assert copy.execute("SELECT title FROM recording").fetchall() == [("meeting",)]
        assert copy.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    with database.reader() as connection:
        assert connection.execute("SELECT count(*) FROM added").fetchone()[0] == 0
        assert connection.execute("PRAGMA user_version").fetchone()[0] == SCHEMA_VERSION + 1


def test_a_library_of_the_first_schema_knows_how_far_each_stream_was_heard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.database.MIGRATIONS", MIGRATIONS[:1])
    monkeypatch.setattr("store.database.SCHEMA_VERSION", 1)
    old = Database.open(tmp_path)
    with old.maintenance() as connection:
        connection.execute(
            "INSERT INTO recording(id, public_id, sha256, title, origin, duration_ms, estimated, heard_ms, state,"
            " created_at) VALUES(1, 'a-1', 'x', 'a', 'ingest', 9000, 0, 4000, 'listening', '2026-01-01')"
        )
        connection.execute("INSERT INTO stream(rec_id, kind, version, active, model) VALUES(1, 'speaker', 1, 1, 'm')")
    monkeypatch.undo()
    with Database.open(tmp_path).reader() as connection:
        assert tuple(connection.execute("SELECT heard_ms, checks FROM stream").fetchone()) == (4000, "{}")
        assert connection.execute("SELECT count(*) FROM aside").fetchone()[0] == 0


def test_what_is_no_library_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "overheard.sqlite3").write_bytes(b"this is no database at all" * 100)
    with pytest.raises(StoreError, match="cannot be opened"):
        Database.open(tmp_path)
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError, match="cannot be opened"):
        Database.open(tmp_path / "file")


def test_a_full_disk_is_one_line_and_the_library_stays_whole(database: Database) -> None:
    _prepare(database)
    with pytest.raises(StoreError, match="full"), database.writing() as connection:
        _fill(connection)
    assert _rows(database) == (0, 0, 0)
    with database.reader() as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        assert isinstance(connection, sqlite3.Connection)


def test_damaged_pages_are_one_line_wherever_they_are_met(database: Database) -> None:
    _prepare(database)
    with database.writing() as connection:
        streams.publish(connection, 1, [Segment(i, i + 1, f"chunk {i} " * 20) for i in range(2000)])
    with database.maintenance() as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'segment'").fetchone()
        (size,) = connection.execute("PRAGMA page_size").fetchone()
    with database.path.open("r+b") as file:
        file.seek((root - 1) * size)
        file.write(b"\xff" * size)
    with pytest.raises(StoreError, match="cannot be read .*malformed"), database.reader() as connection:
        connection.execute("SELECT SUM(LENGTH(text)) FROM segment").fetchone()
    with pytest.raises(StoreError, match="cannot be written .*malformed"), database.writing() as connection:
        connection.execute("DELETE FROM segment")


def test_a_statement_that_is_wrong_is_a_bug_and_not_the_disk_s(database: Database) -> None:
    with pytest.raises(sqlite3.OperationalError, match="no such"), database.reader() as connection:
        connection.execute("SELECT * FROM no_table")
    with pytest.raises(sqlite3.OperationalError, match="no such"), database.writing() as connection:
        connection.execute("DELETE FROM no_table")


def test_a_folder_may_be_told_from_where_one_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    database = Database.open(Path("lib"))
    with database.reader() as connection:
        assert connection.execute("SELECT COUNT(*) FROM recording").fetchone()[0] == 0
    assert (tmp_path / "lib").is_dir()
