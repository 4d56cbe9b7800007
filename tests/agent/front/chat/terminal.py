"""A real terminal around a real chat: what a person types and sees, Ctrl-C and Ctrl-D included."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[=>]|\][^\x07]*\x07)")
_WHERE = "\x1b[6n"  # the program asks where the cursor is; every real terminal answers


class Terminal:
    """The far end of a terminal: `see` waits for a text, `type` sends keys."""

    def __init__(self, process: "subprocess.Popen[bytes]", master: int) -> None:
        self._process, self._master = process, master
        self.seen = ""

    def see(self, text: str, seconds: float = 60.0) -> str:
        """Wait until a text has been shown since the last look, and give all that was."""
        deadline = time.monotonic() + seconds
        while text not in self.plain:
            ready, _, _ = select.select([self._master], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise AssertionError(f"{text!r} was not shown within {seconds} s, but: {self.plain!r}")
            try:
                shown = os.read(self._master, 4096).decode("utf-8", "replace")
            except OSError as error:
                raise AssertionError(f"{text!r} was not shown before the end, but: {self.plain!r}") from error
            self.seen += shown
            if _WHERE in shown:
                self.type("\x1b[1;1R")
        shown, self.seen = self.plain, ""
        return shown

    @property
    def plain(self) -> str:
        return _SEQUENCE.sub("", self.seen)

    def type(self, keys: str) -> None:
        """Type keys; control keys by their character."""
        os.write(self._master, keys.encode())

    def left(self, seconds: float = 30.0) -> int:
        """Give the exit code once the program has left."""
        deadline = time.monotonic() + seconds
        while self._process.poll() is None and time.monotonic() < deadline:
            if select.select([self._master], [], [], 0.05)[0]:
                try:
                    os.read(self._master, 4096)
                except OSError:
                    break
        return self._process.wait(max(0.1, deadline - time.monotonic()))


def _at_a_keyboard() -> None:
    """Take the terminal, and hear its Ctrl-C: whoever runs the tests in the background has it ignored."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def terminal(arguments: list[str], environ: Mapping[str, str]) -> Iterator[Terminal]:
    """Run Overheard in a terminal of its own."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 140, 0, 0))
    process = subprocess.Popen(
        [sys.executable, "-m", "agent.front", *arguments],
        cwd=ROOT,
        env={**os.environ, "TERM": "xterm", **environ},
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        preexec_fn=_at_a_keyboard,
    )
    os.close(slave)
    try:
        yield Terminal(process, master)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.wait()
        os.close(master)
