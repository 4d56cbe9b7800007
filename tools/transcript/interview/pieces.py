"""A chunk in three pieces by where its rows begin: the first minute, the last minute, and what lies between.

Only the end of a chunk and the beginning of the next are fused; everything else is pasted as it is.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from store.record import Span
from tools.transcript.interview.chunks import OVERLAP_MS
from tools.transcript.interview.table import Said

EDGE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Pieces:
    """The rows of a chunk, in order."""

    begin: Sequence[Said] = ()
    main: Sequence[Said] = ()
    end: Sequence[Said] = ()


def split(rows: Sequence[Said], chunk: Span) -> Pieces:
    """Split the rows of a chunk, in order of time."""
    first = sum(row.t0 < chunk.t0 + EDGE_MS for row in rows)
    last = max(first, len(rows) - len(tail(rows, chunk)))
    return Pieces(rows[:first], rows[first:last], rows[last:])


def tail(rows: Sequence[Said], chunk: Span) -> Sequence[Said]:
    """Give the rows from the first on that begins in a chunk's last minute, or that lasts into its last half minute.

    So a long row that reaches into the overlap belongs to the end, wherever it begins.
    """
    late = (n for n, row in enumerate(rows) if row.t0 >= chunk.t1 - EDGE_MS or row.t1 > chunk.t1 - OVERLAP_MS)
    return rows[next(late, len(rows)) :]
