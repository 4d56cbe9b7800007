"""Hearing a moment: a player that is on this machine is started with a list of arguments, never through a shell."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from store.clock import clock, end_ms, parse_time, start_ms
from store.database import Database
from store.errors import DataError, UsageError
from store.record import Span
from store.recordings import Recording, find

PLAYERS = ("mpv", "ffplay")
LENGTH_MS = 15_000


def moment(text: str) -> Span:
    """Read `12:34` (fifteen seconds from there) or `12:34-12:50`; UsageError when it is neither."""
    first, _, last = text.replace("–", "-").partition("-")
    try:
        start = start_ms(parse_time(first))
        end = end_ms(parse_time(last)) if last else start + LENGTH_MS
    except ValueError:
        raise UsageError(f"'{text}' is no moment; write 12:34 or 12:34-12:50") from None
    if not 0 <= start < end:
        raise UsageError(f"'{text}' ends before it begins; write the earlier time first")
    return Span(start, end)


def player() -> str:
    """Give the path of the first player that is installed; DataError names those that would do."""
    found = next(filter(None, map(shutil.which, PLAYERS)), None)
    if found is None:
        raise DataError(f"no player is installed; install one of: {', '.join(PLAYERS)}")
    return found


def audio(recording: Recording) -> Path:
    """Give the file that a recording was made from; DataError when there was none or it is gone."""
    if recording.path is None:
        raise DataError(f"'{recording.public_id}' was imported without audio; import it with --audio FILE to play it")
    path = Path(recording.path).expanduser().absolute()
    if not path.is_file():
        raise DataError(f"the audio of '{recording.public_id}' is no longer at {path}; put it back to play it")
    return path


def command(program: str, path: Path, span: Span) -> list[str]:
    """Give the arguments that play this stretch of a file without a picture."""
    start, length = f"{span.t0 / 1000:.3f}", f"{span.duration / 1000:.3f}"
    if Path(program).stem == "mpv":
        return [program, "--no-video", "--really-quiet", f"--start={start}", f"--length={length}", "--", str(path)]
    quiet = ["-nodisp", "-autoexit", "-loglevel", "error"]
    return [program, *quiet, "-ss", start, "-t", length, "-i", f"file:{path}"]


def play(database: Database, key: str, text: str) -> str:
    """Play a moment of a recording until it ends or Ctrl-C, and give the line that says what was played."""
    span = moment(text)
    with database.reader() as connection:
        recording = find(connection, key)
    if span.t0 >= recording.duration_ms:
        raise UsageError(
            f"'{recording.public_id}' is {clock(recording.duration_ms)} long; {clock(span.t0)} lies beyond"
        )
    arguments = command(player(), audio(recording), span)
    _run(arguments)
    return f"played {recording.public_id} {clock(span.t0)}-{clock(span.t1)}"


def _run(arguments: Sequence[str]) -> None:
    done = subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode != 0:
        told = " ".join(done.stderr.decode("utf-8", "replace").split())[:120]
        raise DataError(f"{Path(arguments[0]).name} could not play the file" + (f": {told}" if told else ""))
