"""What stands behind a citation: the stored row itself, read again from the library and held against what is cited."""

import sqlite3
from collections.abc import Iterable, Mapping

from store.catalog import Catalog
from store.keywords import normalise
from store.streams import TABLES
from tools.evidence import EvidenceRow

_BATCH = 200


def confirmed(connection: sqlite3.Connection, catalog: Catalog, rows: Iterable[EvidenceRow]) -> set[int]:
    """Give the positions of the rows that exist as cited: in scope, active, same times, the text really theirs."""
    wanted = list(rows)
    scope = set(catalog.stream_ids)
    found: dict[tuple[str, int], sqlite3.Row] = {}
    for stream in {row.stream for row in wanted}:
        ids = sorted({row.id for row in wanted if row.stream == stream})
        for start in range(0, len(ids), _BATCH):
            batch = ids[start : start + _BATCH]
            marks = ",".join("?" * len(batch))
            query = f"SELECT * FROM {TABLES[stream]} WHERE id IN ({marks})"
            found |= {(stream, row["id"]): row for row in connection.execute(query, batch)}
    return {
        place
        for place, row in enumerate(wanted)
        if (stored := found.get((row.stream, row.id))) is not None
        and stored["stream_id"] in scope
        and _same(row, stored)
    }


def quoted_in(quote: str, text: str) -> bool:
    """Say whether a text holds a quote, both normalised; an ellipsis stands for anything."""
    rest = normalise(text)
    for part in quote.split("…"):
        wanted = normalise(part)
        place = rest.find(wanted)
        if place < 0:
            return False
        rest = rest[place + len(wanted) :]
    return bool(normalise(quote.replace("…", "")))


def _same(row: EvidenceRow, stored: Mapping[str, object] | sqlite3.Row) -> bool:
    if (stored["t0"], stored["t1"]) != (row.t0, row.t1):
        return False
    if row.stream == "transcript":
        return row.text is not None and (row.text == stored["text"] or quoted_in(row.text, str(stored["text"])))
    return row.stream == "speaker" or row.label == stored["label"]
