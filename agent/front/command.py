"""A command: its word, its line in --help, its arguments and what it does; one small file each in `commands`."""

import math
import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from store.errors import UsageError

if TYPE_CHECKING:
    from store.database import Database


@dataclass(frozen=True, slots=True)
class Command:
    """`run` gives the exit code; what it needs beyond the standard library it imports when it runs."""

    name: str
    summary: str
    arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]


def folder(options: Namespace) -> Path:
    """Give the library's folder: --library, else OVERHEARD_LIBRARY, else the platform's data directory."""
    chosen = getattr(options, "library", None) or os.environ.get("OVERHEARD_LIBRARY")
    if not chosen:
        import platformdirs

        chosen = Path(platformdirs.user_data_dir("overheard")) / "library"
    try:
        return Path(chosen).expanduser()
    except RuntimeError as error:
        raise UsageError(f"{chosen}: there is no such home directory; name the library with --library DIR") from error


def database(options: Namespace) -> "Database":
    """Open the library; StoreError when it cannot be used."""
    from store.database import Database

    return Database.open(folder(options).resolve())


def counted(text: str) -> int:
    """Read how many, at least one; ArgumentTypeError."""
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise ArgumentTypeError(f"{text!r} is no number of them; give 1 or more")
    return number


def lasting(text: str) -> float:
    """Read how many seconds something may take, more than none; ArgumentTypeError."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise ArgumentTypeError(f"{text!r} is no length of time; give seconds above 0")
    return seconds


def recording_argument(parser: ArgumentParser) -> None:
    """Add the argument that names one recording."""
    parser.add_argument("recording", metavar="ID", help="a recording: its id, a unique beginning of it, or its title")


def json_argument(parser: ArgumentParser) -> None:
    """Add --json."""
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
