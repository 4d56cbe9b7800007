"""Measure listening: wall, audio/wall, CPU, peak memory, bytes a stream; then kill it and compare every row.

    python -m scripts.make_recording long.flac --minutes 540 --seed 1
    python -m scripts.measure_listening long.flac --kills 10

Each listening is a process of its own (`overheard ingest`), so that its peak memory is its own. With --kills the file
is heard once more into another library, killed with SIGKILL as often, gone on with, and at the end its rows must equal
those of the uninterrupted listening. The kills are spread over the recording: each comes at a random moment after a
further share of it has been heard, the first before anything, the last while all is settled at the end. Other
options go to `overheard ingest`.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from store import ledger, recordings, streams
from store import rows as stored
from store.clock import clock
from store.database import Database
from store.recordings import Recording


def rows(database: Database) -> dict[str, list[str]]:
    """Give everything that can be asked, by kind, without the ids that count attempts."""
    with database.reader() as connection:
        return {
            kind: sorted(map(repr, stored.rows(connection, stream, kind)))
            for recording in recordings.every(connection)
            for kind, stream in streams.active(connection, recording.id).items()
        }


def command(path: Path, folder: Path, options: list[str]) -> list[str]:
    """Give what hears a file into a library."""
    return [sys.executable, "-m", "agent.front", "--library", str(folder), "ingest", str(path), *options]


def heard(path: Path, folder: Path, options: list[str]) -> tuple[float, float, float]:
    """Hear a file to its end: seconds of wall, seconds of CPU, megabytes of peak memory."""
    began = time.monotonic()
    process = subprocess.Popen(command(path, folder, options), stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status):
        raise SystemExit(f"listening ended with {os.waitstatus_to_exitcode(status)}")
    cpu = used.ru_utime + used.ru_stime
    return time.monotonic() - began, cpu, used.ru_maxrss / 1024


def killed(path: Path, folder: Path, options: list[str], mark: int, after: float) -> bool:
    """Hear a file and kill it so many seconds after `mark` ms of it are heard; False when it had ended before."""
    process = subprocess.Popen(command(path, folder, options), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while reached(folder) < mark and process.poll() is None:
        time.sleep(0.2)
    try:
        process.wait(after)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return True
    return False


def kill(path: Path, folder: Path, options: list[str], marks: Sequence[int], chance: random.Random) -> None:
    """Hear a file and kill the listening a random while after each of these milliseconds of it are heard."""
    for number, mark in enumerate(marks):
        after = chance.uniform(0, marks[-1] / len(marks) / (100_000 if mark == marks[-1] else 40_000))
        stopped = killed(path, folder, options, mark, after)
        print(f"kill {number + 1}: {'killed' if stopped else 'ended before'} {after:.1f} s after {clock(mark)}, "
              f"heard to {clock(reached(folder))}", flush=True)  # fmt: skip


def reached(folder: Path) -> int:
    """Give how many milliseconds of a library's only recording are heard."""
    recording = only(Database.open(folder)) if (folder / "overheard.sqlite3").exists() else None
    return recording.heard_ms if recording else 0


def only(database: Database) -> Recording | None:
    """Give the library's only recording."""
    with database.reader() as connection:
        every = recordings.every(connection)
    return every[0] if every else None


def measured(path: Path, folder: Path, options: list[str]) -> None:
    """Hear a file and print what that took."""
    print("load:", *(f"{load:.1f}" for load in os.getloadavg()))
    wall, cpu, peak = heard(path, folder, options)
    recording = only(Database.open(folder))
    assert recording is not None
    seconds = recording.duration_ms / 1000
    print(
        f"heard {clock(recording.duration_ms)} in {wall:.1f} s: {seconds / wall:.1f} times faster than it lasts, CPU "
        f"{cpu:.1f} s ({seconds / cpu * 2:.1f} with two cores to itself), peak {peak:.0f} MB",
        flush=True,
    )


def show(database: Database) -> None:
    """Print what became of the streams, and the bytes that each holds."""
    recording = only(database)
    assert recording is not None
    hours = recording.duration_ms / 3_600_000
    found = rows(database)
    print("rows: " + ", ".join(f"{table} {len(each):,}" for table, each in found.items()))
    with database.reader() as connection:
        kept = sum(len(chunk.voices or b"") for chunk in ledger.chunks(connection, recording.id))
        versions = connection.execute("SELECT kind, version, active, model, health, note FROM stream ORDER BY id")
        for row in versions.fetchall():
            print("stream:", *row)
        voices = connection.execute("SELECT COUNT(*) FROM speaker WHERE rec_id = ?", (recording.id,)).fetchone()[0]
    size = database.path.stat().st_size
    print(f"voices {voices}; database {size / 1e6 / hours:.2f} MB an hour, of which voices in the ledger "
          f"{kept / 1e6 / hours:.2f} MB")  # fmt: skip


def compare(whole: Database, broken: Database) -> bool:
    """Print whether two libraries say the same."""
    one, two = rows(whole), rows(broken)
    for table in one:
        differing = len(set(one[table]) ^ set(two[table]))
        print(f"{table}: {len(one[table]):,} and {len(two[table]):,} rows, {differing} differ")
    return one == two


def main() -> int:
    """Print the figures; 1 when a row differs after the kills."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recording", type=Path)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--library", type=Path, help="where the uninterrupted listening is, or is kept")
    asked, options = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as folder:
        first = asked.library or Path(folder) / "whole"
        whole = Database.open(first)
        if only(whole) is None:
            measured(asked.recording, first, options)
        show(whole)
        if not asked.kills:
            return 0
        broken = Path(folder) / "broken"
        recording = only(whole)
        assert recording is not None
        marks = [round(recording.duration_ms * share / max(1, asked.kills - 1)) for share in range(asked.kills)]
        kill(asked.recording, broken, options, marks, random.Random(asked.seed))
        _, _, peak = heard(asked.recording, broken, options)
        print(f"the last listening: peak {peak:.0f} MB", flush=True)
        same = compare(whole, Database.open(broken))
    print("the rows are the same" if same else "THE ROWS DIFFER")
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
