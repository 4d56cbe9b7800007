"""RTTM turns. A file id with spaces shifts the columns of a naive reader, so each line must fit in exactly one way."""

import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from urllib.parse import unquote

from store.errors import DataError
from store.record import Turn
from tools.imports.parsed import Parsed, Placed, score, span, within
from tools.sanitize import one_line

_COMMENT = (";;", "#")
_CODED = re.compile("%[0-9A-F]{2}")


def read(text: str) -> Parsed:
    """Read the SPEAKER lines of one recording; DataError when it holds several recordings' or none."""
    rows: list[Placed] = []
    lost: list[int] = []
    uris: dict[str, None] = {}
    others = 0
    for number, line in enumerate(text.split("\n"), 1):
        fields = re.split(r"[ \t]+", line.strip(" \t\ufeff"))
        if not fields[0] or fields[0].startswith(_COMMENT):
            continue
        if fields[0] != "SPEAKER":
            others += 1
            continue
        try:
            uri, turn = _turn(fields)
        except (ValueError, InvalidOperation):
            lost.append(number)
            continue
        uris[uri] = None
        rows.append(Placed(number, turn))
    if len(uris) > 1:
        some = ", ".join(repr(one_line(uri)) for uri in list(uris)[:3])
        raise DataError(f"holds the turns of {len(uris)} recordings ({some}...); give a file with one")
    if not rows and not lost:
        raise DataError("no SPEAKER line in it")
    notes = [f"{others} lines are not SPEAKER lines and were not read"] if others else []
    return Parsed("rttm", within(rows, "the RTTM file"), tuple(lost), tuple(notes))


def _turn(fields: list[str]) -> tuple[str, Turn]:
    """Give the file id and the turn of one line; ValueError when it fits no way, or several."""
    ways = list(_ways(fields)) or ([(2, 8)] if len(fields) in (9, 10) and _numbers(fields[3:5]) else [])
    if len(ways) != 1:
        raise ValueError(f"{len(ways)} ways to read the line")
    (at, end) = ways[0]
    start, duration = Decimal(fields[at + 1]), Decimal(fields[at + 2])
    t0, t1 = span(start, start + duration)
    written = " ".join(fields[at + 5 : end])
    name = "" if written == "<NA>" else one_line(decoded(written))
    if not name:
        raise ValueError("the line names no speaker")
    return " ".join(fields[1:at]), Turn(t0, t1, name, _confidence(fields[end]))


def _ways(fields: list[str]) -> Iterator[tuple[int, int]]:
    """Give (index of the channel, index after the name) for every way to read a line with the usual two <NA>."""
    for at in range(2, len(fields) - 6):
        if fields[at + 3 : at + 5] != ["<NA>", "<NA>"] or not _numbers(fields[at + 1 : at + 3]):
            continue
        for tail in (2, 1):
            end = len(fields) - tail
            if end > at + 5 and all(value == "<NA>" or _numbers([value]) for value in fields[end:]):
                yield at, end
                break


def decoded(name: str) -> str:
    """Undo the percent-coding with which the RTTM export writes blanks in names."""
    return unquote(name) if _CODED.search(name) else name


def _numbers(values: list[str]) -> bool:
    return all(re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,2})?|[-+]?nan|[-+]?inf", v, re.I) for v in values)


def _confidence(value: str) -> float | None:
    try:
        return score(None if value == "<NA>" else value)
    except ValueError:
        return None
