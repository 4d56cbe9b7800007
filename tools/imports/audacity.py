"""Audacity's labels: start, end and label between tabs; a point has two equal times, in old files one.

Lines of frequencies (`\\`, low, high) belong to the label above and are not kept. A transcript may mark its voices,
`[[Name]] text` as WhisperX does, or `Name: text` where the whole file does.
"""

import re
from collections.abc import Sequence
from decimal import Decimal

from store.clock import parse_time
from store.errors import DataError
from store.record import StreamKind
from tools.imports import marks
from tools.imports.parsed import Parsed, Placed, span, within
from tools.imports.voices import prefixed, unified
from tools.sanitize import one_line

_MARKED = re.compile(r"\[\[(.*?)\]\](?!\])\s*")

Label = tuple[int, int, int, str]


def read(text: str, kind: StreamKind) -> Parsed:
    """Read the labels as rows of one stream; empty ones are set aside by line; DataError when no line is one."""
    labels: list[Label] = []
    lost: list[int] = []
    ranges = 0
    for number, line in enumerate(text.split("\n"), 1):
        cells = line.strip("\r\n ").split("\t", 2)
        if cells[0].strip() == "\\":
            ranges += 1
        elif line.strip():
            try:
                labels.append((number, *_label(cells)))
            except ValueError:
                lost.append(number)
    if not labels:
        raise DataError("no label in it: a line is start, end and label between tabs, times in seconds")
    rows = _rows(labels, kind, lost)
    notes = [f"{ranges} lines hold frequencies, which are not kept"] if ranges else []
    return Parsed("aud", within(rows, "the file of labels"), tuple(sorted(lost)), tuple(notes))


def _label(cells: Sequence[str]) -> tuple[int, int, str]:
    start = parse_time(cells[0])
    if len(cells) < 2:
        raise ValueError("a time without a label")
    end = _time(cells[1])
    if end is None and len(cells) > 2:
        raise ValueError(f"{cells[1]!r} is no time")
    label = (cells[2] if len(cells) > 2 else "") if end is not None else cells[1]
    return *span(start, start if end is None else end), label


def _time(cell: str) -> Decimal | None:
    try:
        return parse_time(cell)
    except ValueError:
        return None


def _rows(labels: Sequence[Label], kind: StreamKind, lost: list[int]) -> list[Placed]:
    pairs = _voiced([one_line(label) for *_, label in labels]) if kind == "transcript" else _unvoiced(labels)
    voices = unified([voice for voice, _ in pairs])
    found: list[Placed] = []
    for (number, t0, t1, _), voice, (_, said) in zip(labels, voices, pairs, strict=True):
        try:
            found.append(Placed(number, marks.row(kind, t0, t1, said, voice)))
        except ValueError:
            lost.append(number)
    return found


def _unvoiced(labels: Sequence[Label]) -> list[tuple[str | None, str]]:
    return [(None, label) for *_, label in labels]


def _voiced(texts: Sequence[str]) -> list[tuple[str | None, str]]:
    found = [_MARKED.match(text) for text in texts]
    if not any(found):
        return prefixed(texts)
    return [
        (one_line(match[1]) or None, text[match.end() :]) if match else (None, text)
        for match, text in zip(found, texts, strict=True)
    ]
