"""Labelled time as a table (CSV): start, end, label, score in seconds; the header is optional, the order then fixed.

A header may name more columns: our own CSV export says in `stream` which rows belong to whom.
"""

import csv
from collections.abc import Iterator, Sequence

from store.clock import parse_time
from store.errors import DataError
from store.record import STREAMS, Emotion, Event, Row, Segment, StreamKind, Turn
from tools.imports.parsed import Parsed, Placed, score, span, within
from tools.sanitize import one_line

ORDER = ("start", "end", "label", "score")
_SYNONYMS = {"begin": "start", "onset": "start", "offset": "end", "stop": "end", "event_label": "label"}


def read(text: str, kind: StreamKind) -> Parsed:
    """Read the rows of one stream; DataError when there is no table in the file."""
    rows: list[Placed] = []
    lost: list[int] = []
    columns: tuple[str, ...] = ()
    for number, cells in _table(text):
        if not columns:
            columns = _header(cells)
            if columns:
                continue
            columns = ORDER
        named = dict(zip(columns, (cell.strip() for cell in cells), strict=False))
        if named.get("stream") in STREAMS and named["stream"] != kind:
            continue
        try:
            rows.append(Placed(number, _row(named, kind)))
        except (ValueError, KeyError):
            lost.append(number)
    if not rows and not columns:
        raise DataError(f"no table in it: one row is {','.join(ORDER)}")
    return Parsed("csv", within(rows, "the CSV file"), tuple(lost))


def _table(text: str) -> Iterator[tuple[int, list[str]]]:
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(text.split("\n"), delimiter=delimiter)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells) and not cells[0].startswith("#"):
                yield reader.line_num, cells
    except csv.Error as error:
        raise DataError(f"line {reader.line_num} is no CSV: {error}") from error


def _header(cells: Sequence[str]) -> tuple[str, ...]:
    """Give the columns when the first row names them: it holds `start` or `label` and no time."""
    names = [one_line(cell).casefold() for cell in cells]
    named = tuple(_SYNONYMS.get(name, name) for name in names)
    return named if {"start", "label"} & set(named) else ()


def _row(cells: dict[str, str], kind: StreamKind) -> Row:
    t0, t1 = span(parse_time(cells["start"]), parse_time(cells["end"]))
    speaker = one_line(cells.get("speaker", "")) or None
    if kind == "transcript":
        text = _filled(cells["text"])
        return Segment(t0, t1, text, speaker, language=cells.get("language") or None, score=score(cells.get("score")))
    if kind == "speaker":
        return Turn(t0, t1, _filled(cells.get("speaker") or cells["label"]), score(cells.get("score")))
    label, sure = _filled(cells["label"]), score(cells.get("score"))
    sure = 1.0 if sure is None else sure
    return Event(t0, t1, label, sure) if kind == "events" else Emotion(t0, t1, label, sure, speaker)


def _filled(cell: str) -> str:
    text = one_line(cell)
    if not text:
        raise ValueError("an empty cell")
    return text
