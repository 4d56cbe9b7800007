"""Listening while a chat goes on: a process of its own, so that answers never wait for it and its end is not ours.

What it has published can be asked at once. Leaving the chat stops it, because a listener that nobody sees would keep
both cores busy for hours; so does its being killed (`listening`). What was heard stays, and the next `chat FILE` or
`ingest FILE` goes on from there.
"""

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from store import recordings
from store.clock import clock
from store.database import Database
from store.errors import DataError
from store.recordings import Recording
from tools.media import audio

NICE = 5  # answers come first
LOOK_S = 0.1
PATIENCE_S = 10
_ELSEWHERE = "is being ingested by"


class Background:
    """One file being heard into a library by another process."""

    def __init__(self, database: Database, path: Path, command: Sequence[str] = ()) -> None:
        self._database, self._path, self._told = database, path, False
        audio.probe(path)
        self._sha256 = audio.content_id([path])
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - it lives as long as the process that writes to it
        here = [
            sys.executable,
            "-P",
            "-m",
            "agent.front.chat.listening",
            "--library",
            str(database.folder),
            "ingest",
            "--",
        ]
        self._command = [*(command or here), str(path.resolve())]
        self._process: subprocess.Popen[bytes] | None = None

    def begin(self, note: Callable[[str], None]) -> str:
        """Begin to listen where something is left to hear; give the recording's id when it can first be asked.

        DataError says why nothing can be heard.
        """
        known = self._recording()
        if known is not None and known.state == "ready":
            return known.public_id
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=self._said, start_new_session=True,
        )  # fmt: skip
        os.setpriority(os.PRIO_PROCESS, self._process.pid, NICE)
        note(f"listening to {self._path.name}; what was heard can be asked from the first minute on")
        try:
            return self._first().public_id
        except KeyboardInterrupt:
            known = self._recording()
            if known is None:
                raise
            return known.public_id

    def trouble(self) -> str | None:
        """Say, once, why the listening ended before its end."""
        ended = self._process is not None and self._process.poll() not in (None, 0)
        if not ended or self._told:
            return None
        self._told = True
        return self._reason()

    def leave(self, note: Callable[[str], None]) -> None:
        """Stop listening, and say how it goes on."""
        self._said.close()
        if self._process is None:
            return
        try:
            self._stop(self._process, note)
        finally:
            self._process.communicate()

    def _stop(self, process: "subprocess.Popen[bytes]", note: Callable[[str], None]) -> None:
        if process.poll() is not None:
            return
        known = self._recording()
        if known is not None and known.state == "ready":  # what is left takes seconds
            with suppress(subprocess.TimeoutExpired):
                process.wait(PATIENCE_S)
                return
        process.terminate()
        process.wait()
        known = self._recording()
        heard = f" at {clock(known.heard_ms)} of {clock(known.duration_ms)}" if known else ""
        note(f"listening stopped{heard}; it goes on with: overheard ingest {self._path.name}")

    def _first(self) -> Recording:
        """Wait until something can be asked."""
        assert self._process is not None
        while True:
            ended, known = self._process.poll(), self._recording()
            if known is not None and (known.heard_ms > 0 or known.state == "ready"):
                return known
            if ended is not None and known is not None and _ELSEWHERE in self._reason():
                return known
            if ended is not None:
                raise DataError(self._reason())
            time.sleep(LOOK_S)

    def _recording(self) -> Recording | None:
        with self._database.reader() as connection:
            return recordings.by_hash(connection, self._sha256)

    def _reason(self) -> str:
        """Give the last line that the listening said, or what ended it before it could."""
        code = self._process.poll() if self._process else None
        if code is not None and code < 0:
            return f"it was ended by {signal.Signals(-code).name}; `overheard ingest` goes on with the file"
        self._said.seek(0)
        lines = self._said.read().decode("utf-8", "replace").strip().splitlines() or ["listening ended without a word"]
        return lines[-1].removeprefix("overheard: ")
