import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from store.errors import StoreError
from store.lock import hold, lock_path

HOLDER = """
import sys, time
from pathlib import Path
from store.lock import hold
with hold(Path(sys.argv[1]), "meeting"):
    print("held", flush=True)
    time.sleep(60)
"""


def _holder(folder: Path) -> "subprocess.Popen[str]":
    process = subprocess.Popen([sys.executable, "-c", HOLDER, str(folder)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_the_second_is_told_who_holds_it_and_takes_over_after_a_kill(tmp_path: Path) -> None:
    process = _holder(tmp_path)
    try:
        taken = pytest.raises(StoreError, match=f"this recording is being ingested by pid {process.pid}; wait")
        with taken, hold(tmp_path, "meeting"):
            pass
        with hold(tmp_path, "other"):
            pass
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
    with hold(tmp_path, "meeting"):
        assert lock_path(tmp_path, "meeting").read_text() == str(os.getpid())
    with hold(tmp_path, "meeting"):
        pass


def test_a_lock_tells_nobody_else_what_is_held(tmp_path: Path) -> None:
    with hold(tmp_path, "meeting"):
        path = lock_path(tmp_path, "meeting")
        assert "meeting" not in path.name
        assert path.stat().st_mode & 0o777 == 0o600
        assert path.parent.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_cannot_hold_a_lock_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "locks").write_text("a file where the folder should be", encoding="utf-8")
    with pytest.raises(StoreError, match="cannot be written"), hold(tmp_path, "meeting"):
        pass
