"""A program that is evaluated: it reads one line of JSON, prints one reply as JSON, and can fail a case, never the run.

It gets no target. What it does wrong, a crash, silence, another shape, is said with the case. It runs in a group of
its own, which ends with its time, so that nothing it starts goes on; what it prints goes to a file, and is bounded.
"""

import hashlib
import json
import os
import shlex
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import IO, Any

from pydantic import ValidationError

from agent.evals.suites.agent import Fault
from agent.evals.suites.places import Place
from agent.evals.suites.reading import is_file, strict_json
from agent.evals.suites.suite import Case
from agent.reply import Reply
from store.errors import UsageError
from tools.sanitize import one_line

MAX_BYTES = 4_000_000
SECONDS = 60.0
_SHOWN = 160


@dataclass(frozen=True)
class Program:
    """A command with its arguments; `seconds` is how long it may take for one case, `seed` a number it is given."""

    command: tuple[str, ...]
    seconds: float = SECONDS
    seed: int = 0
    stopped: Event = field(default_factory=Event, compare=False)

    @classmethod
    def of(cls, line: str, seconds: float = SECONDS, seed: int = 0) -> "Program":
        """Read a command as a shell would, without running one; UsageError when there is none."""
        try:
            words = tuple(shlex.split(line))
        except ValueError as error:
            raise UsageError(f"--agent {line!r} is no command: {error}") from error
        if not words:
            raise UsageError("--agent takes a command, such as 'python my_agent.py'")
        return cls(words, seconds, seed)

    @property
    def name(self) -> str:
        """The command."""
        return shlex.join(self.command)

    @property
    def identity(self) -> str:
        """The command, and the bytes of each file that it names; what those load is not known."""
        files = [Path(word) for word in self.command]
        held = [hashlib.sha256(path.read_bytes()).hexdigest()[:12] for path in files if is_file(path)]
        return f"{self.name} {' '.join(held)} {self.seed}"

    def answer(self, case: Case, place: Place) -> Reply | Fault:
        """Run the program for one case."""
        with tempfile.TemporaryFile() as asked, tempfile.TemporaryFile() as said, tempfile.TemporaryFile() as told:
            asked.write((json.dumps(question(case, place, self.seed), ensure_ascii=False) + "\n").encode())
            asked.seek(0)
            try:
                process = subprocess.Popen(
                    self.command, stdin=asked, stdout=said, stderr=told, start_new_session=True
                )  # fmt: skip
            except (OSError, ValueError) as error:
                return Fault("crash", f"{self.command[0]!r} cannot be run: {getattr(error, 'strerror', None) or error}")
            fault = self._wait(process, said, told)
            return fault or _reply(_text(said), process.returncode, _last_line(told))

    def stop(self) -> None:
        """End the program, wherever it is answering."""
        self.stopped.set()

    def _wait(self, process: "subprocess.Popen[bytes]", said: IO[bytes], told: IO[bytes]) -> Fault | None:
        until, pause = time.monotonic() + self.seconds, 0.002
        try:
            while process.poll() is None:
                if self.stopped.is_set():
                    return Fault("crash", "stopped")
                if time.monotonic() > until:
                    return Fault("timeout", f"no reply within {self.seconds:g} s")
                if max(os.fstat(said.fileno()).st_size, os.fstat(told.fileno()).st_size) > MAX_BYTES:
                    return Fault("shape", f"printed more than {MAX_BYTES // 1_000_000} MB")
                time.sleep(pause)
                pause = min(0.05, pause * 1.5)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return None


def question(case: Case, place: Place, seed: int) -> dict[str, Any]:
    """Give what a program is told of a case: never what is right."""
    files = place.files.model_dump(exclude_none=True, exclude={"title", "names"}) if place.files else {}
    return {
        "question": case.question,
        "recording": place.recording,
        "messages": [{"role": one.role, "content": one.content} for one in case.messages],
        "library": str(place.library.folder),
        "files": files,
        "audio": place.audio,
        "seed": seed,
    }


def _reply(text: str, code: int, last: str) -> Reply | Fault:
    try:
        given = strict_json(text)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        if code:
            return Fault("crash", f"ended with code {code}" + (f": {last}" if last else ""))
        return Fault("not_json", f"printed no reply in JSON but {_cut(text)!r}" if text.strip() else "printed nothing")
    try:
        reply = Reply.model_validate(given, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        named = ".".join(map(str, first["loc"])) or "the reply"
        return Fault("shape", f"the reply has another shape: {named}: {first['msg'].lower()}")
    # `overheard ask` itself ends with the code that its reply stands for
    if code not in (0, int(reply.exit)):
        return Fault("crash", f"ended with code {code} after its reply" + (f": {last}" if last else ""))
    return reply


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read(MAX_BYTES).decode("utf-8", "replace")


def _last_line(file: IO[bytes]) -> str:
    lines = [line for line in _text(file).splitlines() if line.strip()]
    return _cut(lines[-1]) if lines else ""


def _cut(text: str) -> str:
    line = one_line(text)
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}..."
