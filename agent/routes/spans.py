"""What was said, cut into stretches that a model can read at once; no sentence is cut off from what led to it."""

from collections.abc import Sequence

from agent.brains.citing import sizes
from tools.evidence import EvidenceRow

OVERLAP = 2
_SHARE = 4

Span = tuple[EvidenceRow, ...]


def spans(rows: Sequence[EvidenceRow], room: int) -> tuple[Span, ...]:
    """Cut rows into stretches of at most `room` tokens, each of one recording, in order of time.

    A stretch begins with the last rows of the one before it, where these take no more than a quarter of the room. A row
    that is larger than the room has a stretch of its own.
    """
    ordered = sorted(rows, key=lambda row: (row.recording, row.t0, row.id))
    found: list[list[tuple[EvidenceRow, int]]] = []
    for row, size in zip(ordered, sizes(ordered), strict=True):
        last = found[-1] if found else []
        if last and last[-1][0].recording == row.recording and _size(last) + size <= room:
            last.append((row, size))
        else:
            found.append([*_led_by(last, row, room - size), (row, size)])
    return tuple(tuple(row for row, _ in span) for span in found)


def _led_by(last: Sequence[tuple[EvidenceRow, int]], row: EvidenceRow, left: int) -> list[tuple[EvidenceRow, int]]:
    before = [pair for pair in last if pair[0].recording == row.recording][-OVERLAP:]
    return before if len(last) > OVERLAP and _size(before) <= left // _SHARE else []


def _size(span: Sequence[tuple[EvidenceRow, int]]) -> int:
    return sum(size for _, size in span)
