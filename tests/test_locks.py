"""What is locked is all that is needed, and is installed as it is locked, whatever is published later."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def test_nothing_beside_a_lock_is_looked_for() -> None:
    lines = [line for line in (ROOT / "Makefile").read_text(encoding="utf-8").splitlines() if "-r locks/" in line]
    assert len(lines) == 3
    assert all("--no-deps" in line and "--require-hashes" in line for line in lines)


def test_a_lock_lacks_nothing() -> None:
    checked = subprocess.run([sys.executable, "-m", "pip", "check"], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout
