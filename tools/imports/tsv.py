"""Transcripts as tab-separated lines: Whisper's (milliseconds, a header) and the interview pipeline's.

The latter begins `Diarization Speaker_1:Ada\\Speaker_2:Bob` and has id, start, stop, text with clock times.
"""

import re
from decimal import Decimal

from store.clock import parse_time
from store.errors import DataError
from store.record import Segment
from tools.imports.parsed import Parsed, Placed, span, within
from tools.imports.voices import unified
from tools.sanitize import one_line

_WHISPER = ("start", "end", "text")
_INTERVIEW = ("speaker", "start", "end", "text")


def read(text: str) -> Parsed:
    """Read either kind; lines of another form are set aside; DataError when no line is one."""
    rows: list[tuple[int, int, int, str, str | None]] = []
    lost: list[int] = []
    columns: tuple[str, ...] = ()
    names: dict[str, str] = {}
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if lines and lines[0][1].startswith("Diarization"):
        names = _names(lines.pop(0)[1])
        columns = _INTERVIEW
    elif lines and "start" in (cells := [cell.strip().casefold() for cell in lines[0][1].split("\t")]):
        columns = tuple("end" if cell == "stop" else cell for cell in cells)
        lines.pop(0)
    in_ms = _in_milliseconds([line for _, line in lines], columns or _WHISPER)
    for number, line in lines:
        try:
            rows.append((number, *_row(line, columns, in_ms, names)))
        except (ValueError, KeyError):
            lost.append(number)
    if not rows:
        raise DataError("no transcript line in it: start, end and text, or speaker, start, stop and text, between tabs")
    voices = unified([voice for *_, voice in rows])
    placed = [
        Placed(at, Segment(t0, t1, said, voice))
        for (at, t0, t1, said, _), voice in zip(rows, voices, strict=True)
    ]  # fmt: skip
    return Parsed("tsv", within(placed, "the TSV file"), tuple(lost))


def _names(header: str) -> dict[str, str]:
    """Give the names of a `Diarization` line by voice id, with and without the `Speaker_` before the number."""
    pairs = (entry.partition(":") for entry in re.split(r"[\\\t]", header.removeprefix("Diarization")))
    named = {one_line(voice): one_line(name) for voice, colon, name in pairs if colon and name.strip()}
    return named | {voice.rpartition("_")[2]: name for voice, name in named.items()}


def _row(line: str, columns: tuple[str, ...], in_ms: bool, names: dict[str, str]) -> tuple[int, int, str, str | None]:
    cells = [cell.strip() for cell in line.split("\t")]
    columns = columns or (_INTERVIEW if len(cells) >= len(_INTERVIEW) else _WHISPER)
    named = dict(zip(columns, cells, strict=False))
    start, end = _seconds(named["start"], in_ms), _seconds(named["end"], in_ms)
    said = one_line(named["text"])
    if not said:
        raise ValueError("a line without text")
    voice = one_line(named.get("speaker", "")) or None
    t0, t1 = span(start, end)
    return t0, t1, said, names.get(voice, voice) if voice else None


def _seconds(cell: str, in_ms: bool) -> Decimal:
    return Decimal(cell) / 1000 if in_ms and re.fullmatch(r"-?\d{1,15}", cell) else parse_time(cell)


def _in_milliseconds(lines: list[str], columns: tuple[str, ...]) -> bool:
    """Say whether all times are whole numbers, as Whisper writes milliseconds and nobody writes seconds."""
    if "start" not in columns:
        return False
    at = columns.index("start")
    cells = [line.split("\t")[at].strip() for line in lines if line.count("\t") >= at]
    return bool(cells) and sum(bool(re.fullmatch(r"-?\d+", cell)) for cell in cells) * 2 > len(cells)
