"""An ingest that is killed, crowded out or out of room: nothing half-visible, at most one stretch heard twice.

One process imports everything once and forks a child for each kill: a child hears with tiny recognisers and dies at its
point, by SIGKILL. Points: every stage of every stretch, before and after each commit, in the middle of transactions,
and random times.
"""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from store import recordings
from store.database import Database
from store.errors import StoreError
from tests.conftest import ROOT
from tests.store import older
from tests.tools import tones
from tests.tools.listening.test_failures import TALK
from tests.tools.listening.test_ingest import rows
from tools.listening.ingest import ingest
from tools.listening.listener import Step
from tools.listening.stretches import stretches
from tools.media.audio import decode

STAGES, COMMITS = (
    16,
    5,
)  # of TALK: three stretches of 4, 5 and 6 steps; a recording added, three published, one finished
POINTS = [
    *(f"step:{n}" for n in range(STAGES)),
    *(f"{when}:{n}" for n in range(COMMITS) for when in ("before", "after")),
    *(f"inside:{n}" for n in (1, 20, 60, 120, 400, 900)),
    *(f"time:{random.Random(5 + n).uniform(0.02, 0.5):.3f}" for n in range(6)),
]

CHILDREN = """
import os, signal, sqlite3, sys, threading
from contextlib import contextmanager
from pathlib import Path
import av
from store.database import Database
from tests.tools import tones
from tools.listening.ingest import ingest

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

class Countdown:
    def __init__(self, left): self.left = left
    def __call__(self, *_):
        self.left -= 1
        if self.left < 0: die()

def child(library, path, kind, value):
    watch = Countdown(int(value)) if kind == "step" else (lambda *_: None)
    if kind == "time":
        threading.Timer(float(value), die).start()
    count = Countdown(int(value)) if kind in ("before", "after") else (lambda: None)
    whole = Database.writing
    @contextmanager
    def writing(self):
        with whole(self) as connection:
            if kind == "inside":
                connection.set_progress_handler(opcodes, 100)
            yield connection
            if kind == "before": count()
        if kind == "after": count()
    opcodes = Countdown(int(value)) if kind == "inside" else None
    Database.writing = writing
    ingest(Database.open(library), path, tones.listener(), progress=watch)

path, base = Path(sys.argv[1]), Path(sys.argv[2])
for place, point in enumerate(sys.argv[3:]):
    pid = os.fork()
    if pid == 0:
        child(base / str(place), path, *point.split(":"))
        os._exit(0)
    _, status = os.waitpid(pid, 0)
    print(point, os.waitstatus_to_exitcode(status), flush=True)
"""


def environ() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tones.write(tmp_path_factory.mktemp("audio") / "talk.wav", TALK)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, talk: Path) -> dict[str, list[tuple[Any, ...]]]:
    database = Database.open(tmp_path_factory.mktemp("whole"))
    ingest(database, talk, tones.listener())
    return rows(database)


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory, talk: Path) -> dict[str, tuple[Path, int]]:
    """What every kill left: the library, and how the child ended."""
    base = tmp_path_factory.mktemp("killed")
    done = subprocess.run(
        [sys.executable, "-c", CHILDREN, str(talk), str(base), *POINTS],
        env=environ(), capture_output=True, text=True, check=True, cwd=ROOT,
    )  # fmt: skip
    ends = [line.split() for line in done.stdout.splitlines()]
    return {point: (base / str(place), int(code)) for place, (point, code) in enumerate(ends)}


def test_there_are_thirty_kills_and_more(killed: dict[str, tuple[Path, int]]) -> None:
    died = [point for point, (_, code) in killed.items() if code == -signal.SIGKILL]
    assert len(died) >= 30
    assert {code for _, code in killed.values()} <= {-signal.SIGKILL, 0}


@pytest.mark.parametrize("point", POINTS)
def test_after_a_kill_nothing_is_half_there_and_the_rest_is_heard_once(
    killed: dict[str, tuple[Path, int]], talk: Path, whole: dict[str, list[tuple[Any, ...]]], point: str
) -> None:
    folder, _ = killed[point]
    began = time.monotonic()
    database = Database.open(folder)
    found = rows(database)
    assert time.monotonic() - began < 2
    with database.reader() as connection:
        known = recordings.every(connection)
        (damage,) = connection.execute("PRAGMA quick_check").fetchone()
    heard_ms = known[0].heard_ms if known else 0
    assert damage == "ok"
    assert heard_ms in (0, *(stretch.t1 for stretch in stretches(decode(talk), 0, 0)))
    for table, each in found.items():
        assert all(row[0] < heard_ms for row in each), table
        done = [row for row in whole[table] if row[1] <= heard_ms - 1_000]
        assert len([row for row in each if row[1] <= heard_ms - 1_000]) == len(done), table
    seen: list[Step] = []
    ingest(database, talk, tones.listener(), progress=lambda step, _: seen.append(step))
    assert all(step.done_ms > heard_ms for step in seen)
    assert rows(database) == whole


WAITING = """
import sys, time
from pathlib import Path
from store.database import Database
from tests.tools import tones
from tools.listening.ingest import ingest
def wait(step, _):
    print("hearing", flush=True)
    time.sleep(60)
ingest(Database.open(Path(sys.argv[1])), Path(sys.argv[2]), tones.listener(), progress=wait)
"""


def test_two_processes_do_not_hear_one_recording_at_once_and_the_second_goes_on_after_a_kill(
    tmp_path: Path, talk: Path, whole: dict[str, Any]
) -> None:
    command = [sys.executable, "-c", WAITING, str(tmp_path / "lib"), str(talk)]
    with subprocess.Popen(command, env=environ(), stdout=subprocess.PIPE, text=True, cwd=ROOT) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "hearing\n"
        database = Database.open(tmp_path / "lib")
        with pytest.raises(
            StoreError, match=f"this recording is being ingested by pid {first.pid}; wait until it ends"
        ):
            ingest(database, talk, tones.listener())
        first.kill()
        first.wait()
    ingest(database, talk, tones.listener())
    assert rows(database) == whole


LIMITED = """
import resource, sys
from agent.front.commands import ingest as command
from agent.front.cli import main
from tests.tools import tones
import tools.listening.listener
tools.listening.listener.load = lambda choice: tones.listener(choice)
import tools.embedding
tools.embedding.remember = lambda *_: None
if sys.argv[1] != "0":
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
if sys.argv[2] == "interrupt":
    import os, signal
    signal.signal(signal.SIGINT, signal.default_int_handler)
    import agent.front.progress as progress
    whole = progress._lines
    def lines(name):
        watch = whole(name)
        def stop(step, total):
            watch(step, total)
            if step.stage == "events":
                os.kill(os.getpid(), signal.SIGINT)
        return stop
    progress._lines = lines
sys.exit(main(["--library", sys.argv[3], "ingest", sys.argv[4]]))
"""


def command(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-c", LIMITED, *arguments],
        env=environ(),
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )


@pytest.mark.parametrize("room", [90_000, 140_000])
def test_a_full_disk_is_one_line_and_the_rest_is_heard_later(
    tmp_path: Path, talk: Path, whole: dict[str, Any], room: int
) -> None:
    Database.open(tmp_path / "lib")
    done = command(str(room), "-", str(tmp_path / "lib"), str(talk))
    assert done.returncode == 1
    (line,) = [line for line in done.stderr.splitlines() if ": heard " not in line]
    assert line.startswith("overheard: the library ")
    assert "cannot be written" in line
    database = Database.open(tmp_path / "lib")
    with database.reader() as connection:
        assert connection.execute("PRAGMA quick_check").fetchone()[0] == "ok"
    ingest(database, talk, tones.listener())
    assert rows(database) == whole


def test_ctrl_c_is_one_line_at_once_and_keeps_what_was_heard(tmp_path: Path, talk: Path, whole: dict[str, Any]) -> None:
    done = command("0", "interrupt", str(tmp_path / "lib"), str(talk))
    assert done.returncode == 130
    lines = [line for line in done.stderr.splitlines() if ": heard " not in line]
    assert len(lines) == 1
    assert lines[0].startswith("interrupted; the same command goes on with ")
    database = Database.open(tmp_path / "lib")
    ingest(database, talk, tones.listener())
    assert rows(database) == whole


# Root may write everywhere, but for what it gives up before it runs a program.
BOUND = ["setpriv", "--bounding-set=-dac_override,-dac_read_search,-fowner"] if os.geteuid() == 0 else []


@pytest.mark.skipif(bool(BOUND) and shutil.which("setpriv") is None, reason="root cannot give up its rights here")
@pytest.mark.parametrize("made", [True, False])
def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path, talk: Path, made: bool) -> None:
    folder = tmp_path / "kept"
    library = folder / "lib"
    if made:
        Database.open(library)
        (library / "overheard.sqlite3").chmod(0o444)
        library.chmod(0o555)
    else:
        folder.mkdir(0o555)
    done = subprocess.run(
        [*BOUND, sys.executable, "-c", LIMITED, "0", "-", str(library), str(talk)],
        env=environ(), capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    library.chmod(0o755) if made else folder.chmod(0o755)
    assert done.returncode == 1, done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert last.startswith(f"overheard: the library {library} cannot be ")
    assert "Traceback" not in done.stderr


def test_a_library_of_the_first_schema_is_gone_on_with(tmp_path: Path, talk: Path, whole: dict[str, Any]) -> None:
    class Enough(BaseException):
        pass

    def stop(step: Step, _: int) -> None:
        if step.done_ms > 95_000:
            raise Enough

    database = Database.open(tmp_path / "lib")
    with pytest.raises(Enough):
        ingest(database, talk, tones.listener(), progress=stop)
    older.fourth(database)
    with sqlite3.connect(database.path) as connection:
        for statement in (
            "ALTER TABLE stream DROP COLUMN heard_ms", "ALTER TABLE stream DROP COLUMN checks", "DROP TABLE aside",
            "ALTER TABLE speaker_edit DROP COLUMN through", "DROP TABLE moved", "DROP TABLE voiceprint",
            "DROP TABLE reply", "PRAGMA user_version=1",
        ):  # fmt: skip
            connection.execute(statement)
    connection.close()
    database = Database.open(tmp_path / "lib")
    ingest(database, talk, tones.listener())
    assert rows(database) == whole
    assert not ingest(database, talk, tones.listener()).fresh
