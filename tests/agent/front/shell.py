"""Running the command line inside a test: exit code, stdout, stderr; the environment is put back afterwards."""

import contextlib
import io
import json
import os
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from agent.front.cli import main


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def run(library: Path, *arguments: str, stdin: str = "") -> Done:
    out, err = io.StringIO(), io.StringIO()
    with (
        mock.patch.dict(os.environ),
        mock.patch("sys.stdin", io.StringIO(stdin)),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            code = main(["--library", str(library), *arguments])
        except SystemExit as ended:
            code = int(ended.code or 0)
    return Done(code, out.getvalue(), err.getvalue())


def fresh_python(code: str, *arguments: str, environ: dict[str, str] | None = None) -> Sequence[str]:
    """Run code in a fresh interpreter and give its lines of output."""
    import subprocess
    import sys

    root = Path(__file__).resolve().parents[3]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": str(root), **(environ or {})},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


def stoppable() -> None:
    """Let Ctrl-C end a process although whoever runs the tests ignores it, as a shell's background jobs do."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
