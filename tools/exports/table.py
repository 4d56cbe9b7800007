"""CSV: every row of every stream in order of time, in seconds; words and emotion distributions are in JSON alone.

`import --events F.csv` reads its events back, `--emotions`, `--transcript` and `--speakers` theirs, by `stream`.
"""

import csv
import io

from store.record import STREAMS, Row, Segment, StreamKind, Turn
from tools.exports.content import Content

COLUMNS = ("start", "end", "label", "score", "stream", "speaker", "text", "language")


def write(content: Content) -> str:
    """Give a header and one line a row."""
    names = content.names()
    found = [(row.t0, STREAMS.index(kind), kind, row) for kind in content.rows for row in content.rows[kind]]
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(COLUMNS)
    for _, _, kind, row in sorted(found, key=lambda entry: entry[:2]):
        table.writerow(_cells(kind, row, names))
    return out.getvalue()


def _cells(kind: StreamKind, row: Row, names: dict[str, str]) -> list[str]:
    speaker = getattr(row, "speaker", None)
    said = row if isinstance(row, Segment) else None
    return [
        f"{row.t0 / 1000:.3f}",
        f"{row.t1 / 1000:.3f}",
        "" if isinstance(row, Segment | Turn) else row.label,
        "" if row.score is None else f"{row.score:.6f}",
        kind,
        names[speaker] if speaker else "",
        said.text if said else "",
        said.language or "" if said else "",
    ]
