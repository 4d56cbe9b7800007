"""A model's reply as rows: `Diarization Speaker_1:Ada\\Speaker_2:Bob`, then voice, start, stop and text between tabs.

Models wrap it in fences and labels, write times in other forms and break lines. What can be read without guessing is
read; a line that cannot is a problem that somebody is told of, never dropped in silence.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from store.clock import end_ms, parse_time, start_ms
from store.record import is_generic
from tools.sanitize import one_line

COLUMNS = 4
LONGEST_NAME = 120
_DECORATION = " \t*`_[]()|\"'“”"
_HEADER = re.compile(r"\W*diari[sz]ation\b\W*", re.IGNORECASE)
_BETWEEN = re.compile(r"[\\\t;|]+|,\s*(?=[^,:]*\d+\s*:)")
_TIME = r"[\[(]?\d{1,3}(?::\d{1,3}){1,2}(?:[.,]\d+)?(?![\d:])[\])]?"
_LOOSE = re.compile(
    rf"(?P<voice>\S.{{0,60}}?):?[\s|;,]+(?P<start>{_TIME})[\s|;,–-]+(?P<stop>{_TIME})[\s|;:]+(?P<text>.+)"
)
_RULE = re.compile(r"[\s|:=*_~-]*")


@dataclass(frozen=True, slots=True)
class Said:
    """What one voice says from t0 to t1; `voice` is the chunk's own id of it, or the name that the model gave."""

    t0: int
    t1: int
    voice: str
    text: str
    chunk: int = 0

    @property
    def who(self) -> tuple[int, str]:
        """The voice among the voices of all chunks."""
        return self.chunk, self.voice


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that is no row, and where the row before it ends."""

    line: str
    at: int


@dataclass(frozen=True, slots=True)
class Table:
    """A reply as it was read; `names` has the proper names of its voices by id."""

    names: Mapping[str, str] = field(default_factory=dict)
    rows: Sequence[Said] = ()
    problems: Sequence[Problem] = ()


def read(reply: str, length_ms: int) -> Table:
    """Read a reply about audio of this length; times are milliseconds from the audio's start.

    A row may end before it begins. A line before the first row that holds no row is taken for a label and left out.
    """
    names: dict[str, str] = {}
    rows: list[Said] = []
    problems: list[Problem] = []
    begun = False
    for line in (line.strip(" ") for line in reply.replace("\r", "\n").split("\n")):
        if _RULE.fullmatch(line) or line.startswith("```") or _titles(line):
            continue
        if header := _HEADER.match(line):
            names |= _names(line[header.end() :])
            begun = True
        elif (row := _row(line, names)) is not None:
            rows.append(row)
            begun = True
        elif begun or "\t" in line:
            problems.append(Problem(one_line(line), rows[-1].t1 if rows else 0))
    names |= {row.voice: row.voice for row in rows if row.voice not in names and _proper(row.voice)}
    return Table(names, _scaled(rows, length_ms), problems)


def written(rows: Sequence[Said], numbers: Mapping[str, str]) -> str:
    """Write rows as a reply has them, their voices by number, for a model to read."""
    lines = (f"{numbers[row.voice]}\t{_clock(row.t0)}\t{_clock(row.t1)}\t{row.text}" for row in rows)
    return "\n".join(lines)


def _titles(line: str) -> bool:
    cells = {cell.strip(_DECORATION).casefold() for cell in re.split(r"\t|\\t|\|", line)}
    return "start" in cells and bool(cells & {"stop", "end"})


def _names(header: str) -> dict[str, str]:
    pairs = (entry.partition(":") for entry in _BETWEEN.split(header.replace("=", ":")))
    named = ((_id(voice, {}), one_line(name.strip(_DECORATION))) for voice, colon, name in pairs if colon)
    return {voice: name for voice, name in named if voice and _proper(name)}


def _proper(name: str) -> bool:
    return bool(name) and len(name) <= LONGEST_NAME and any(map(str.isalpha, name)) and not is_generic(name)


def _id(voice: str, names: Mapping[str, str]) -> str:
    """Give a voice's number out of `Speaker_1`, the id of a name that the header gave, else the voice as written."""
    plain = one_line(voice.strip(_DECORATION))
    known = {name.casefold(): number for number, name in names.items()}
    if plain.casefold() in known:
        return known[plain.casefold()]
    number = re.search(r"\d+$", plain)
    return str(int(number[0])) if number and is_generic(plain) else plain


def _row(line: str, names: Mapping[str, str]) -> Said | None:
    cells = [cell.strip() for cell in re.split(r"\t|\\t(?![a-z])", line.lstrip("-*•|").rstrip("|"))]
    cells = cells[1:] if len(cells) > COLUMNS and not cells[0] else cells
    if len(cells) < COLUMNS:
        loose = _LOOSE.fullmatch(line.lstrip("-*•| ").rstrip("| "))
        cells = list(loose.groups()) if loose else []
    if len(cells) < COLUMNS:
        return None
    voice, text = _id(cells[0], names), one_line(" ".join(cells[3:]))
    try:
        start, stop = (_time(cell) for cell in cells[1:3])
    except ValueError:
        return None
    return Said(start_ms(start), end_ms(stop), voice, text) if voice and text and min(start, stop) >= 0 else None


def _time(cell: str) -> Decimal:
    return parse_time(cell.strip(_DECORATION))


def _scaled(rows: Sequence[Said], length_ms: int) -> list[Said]:
    """Give rows whose minutes were written as hours (05:30:00 for 5:30) their times back, where most are."""
    late = sum(row.t0 > 2 * length_ms for row in rows)
    if 2 * late <= len(rows) or any(row.t0 % 60_000 and row.t0 > 2 * length_ms * 60 for row in rows):
        return list(rows)
    return [replace(row, t0=row.t0 // 60, t1=row.t1 // 60) for row in rows]


def _clock(ms: int) -> str:
    seconds = ms // 1000
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
