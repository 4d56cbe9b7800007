"""What this machine can do: each check is one line that says what is there, and what to do about what is not.

Nothing is loaded and nothing is sent, save one question for the list of models to an endpoint that was configured.
"""

import os
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

from agent.brains.choose import choose
from agent.front.play import PLAYERS
from store.database import Database
from store.errors import EndpointError, Exit, OverheardError
from store.listing import listed
from tools import models

State = Literal["ok", "without", "bad"]
EXTRA = ("whisperx", "pyannote.audio", "panns-inference", "torch")
_ROOM = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the doctor: `without` is something optional that is not there, `bad` keeps Overheard from working."""

    name: str
    state: State
    text: str
    exit: Exit = Exit.DONE


def examine(library: Path, environ: Mapping[str, str] | None = None) -> Iterator[Check]:
    """Give the checks one after the other."""
    environ = os.environ if environ is None else environ
    yield _python()
    yield _sqlite()
    yield _library(library)
    yield _disk(library)
    yield from _weights()
    yield _extra()
    yield _player()
    yield _endpoint(library, environ)


def outcome(checks: Sequence[Check]) -> Exit:
    """Give the exit code: of the first check that is bad."""
    return next((check.exit for check in checks if check.state == "bad"), Exit.DONE)


def _python() -> Check:
    version = sys.version_info
    text = f"{version.major}.{version.minor}.{version.micro} at {sys.executable}"
    if (3, 11) <= version < (3, 14):
        return Check("python", "ok", text)
    return Check("python", "bad", f"{text}; Overheard needs 3.11, 3.12 or 3.13", Exit.DATA)


def _sqlite() -> Check:
    with closing(sqlite3.connect(":memory:")) as connection:
        found = {row[0] for row in connection.execute("PRAGMA compile_options")}
    if "ENABLE_FTS5" in found:
        return Check("sqlite", "ok", f"{sqlite3.sqlite_version} with FTS5")
    return Check("sqlite", "bad", f"{sqlite3.sqlite_version} lacks FTS5; use a Python that has it", Exit.DATA)


def _library(folder: Path) -> Check:
    if not folder.exists():
        return Check("library", "without", f"none yet at {folder}; the first ingest or import makes it")
    try:
        with Database.open(folder).reader() as connection:
            (count,) = connection.execute("SELECT COUNT(*) FROM recording").fetchone()
            (whole,) = connection.execute("PRAGMA quick_check(1)").fetchone()
    except OverheardError as error:
        return Check("library", "bad", str(error), error.exit)
    except sqlite3.DatabaseError as error:
        whole = str(error)
    if whole != "ok":
        return Check("library", "bad", f"{folder} is damaged: {whole}; restore it from a copy", Exit.DATA)
    return Check("library", "ok", f"{count} recording{'' if count == 1 else 's'} at {folder}")


def _disk(folder: Path) -> Check:
    there = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(there).free
    text = f"{free / 1e9:.1f} GB free at {there}"
    if not os.access(there, os.W_OK):
        return Check("disk", "bad", f"{there} cannot be written; choose another with --library DIR", Exit.DATA)
    return Check("disk", "ok" if free > _ROOM else "without", text if free > _ROOM else f"only {text}")


def _weights() -> Iterator[Check]:
    for row in models.table():
        if row.model.kind == "source":
            continue
        name = f"weights {row.model.name}"
        if row.state == "ready":
            yield Check(name, "ok", f"{row.model.stream}, {row.model.size / 1e6:.0f} MB")
        elif row.model.kind == "shipped":
            yield Check(name, "bad", f"{row.state} at {row.path}; install Overheard again", Exit.DATA)
        else:
            yield Check(name, "without", f"{row.state}: overheard models pull {row.model.name}; {row.model.without}")


def _extra() -> Check:
    found = [f"{name} {version}" for name in EXTRA if (version := _version(name))]
    if found:
        return Check("extra audio", "ok", ", ".join(found))
    return Check("extra audio", "without", "not installed: in a clone, pip install '.[audio]' brings it")


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _player() -> Check:
    found = [path for path in map(shutil.which, PLAYERS) if path]
    if found:
        return Check("player", "ok", ", ".join(found))
    return Check("player", "without", f"none; to hear citations install one of: {', '.join(PLAYERS)}")


def _endpoint(library: Path, environ: Mapping[str, str]) -> Check:
    try:
        endpoint = choose(library, None, environ).endpoint
        if endpoint is None:
            return Check("endpoint", "without", "none chosen; the rules answer (OPENAI_BASE_URL chooses one)")
        offered = endpoint.models()
    except EndpointError as error:
        return Check("endpoint", "bad", str(error), Exit.ENDPOINT)
    except OverheardError as error:
        return Check("endpoint", "bad", str(error), error.exit)
    return Check("endpoint", *_model(endpoint.host, offered, environ.get("OPENAI_MODEL")))


def _model(host: str, offered: Sequence[str], wanted: str | None) -> tuple[State, str]:
    names = listed(offered, 6)
    if wanted in offered or (wanted is None and len(offered) == 1):
        return "ok", f"{host} answers; model {wanted or offered[0]}"
    if wanted is not None:
        return "without", f"{host} answers but does not list {wanted}; it lists {names or 'none'}"
    return "without", f"{host} answers; name one of its models in OPENAI_MODEL: {names or 'none'}"


def line(check: Check) -> str:
    """Write a check as one line."""
    mark = {"ok": "ok", "without": "--", "bad": "!!"}[check.state]
    return f"{mark}  {check.name:<24} {check.text}"


def report(library: Path, say: Callable[[str], None]) -> Exit:
    """Say all checks as they are done, and give the exit code."""
    checks = []
    for check in examine(library):
        say(line(check))
        checks.append(check)
    return outcome(checks)
