"""Whether what a reply cites is in the store: by its time, its voice and its words, not by the agent's own check."""

import sqlite3

from agent.library import Library
from agent.reply import Citation, Reply
from store.recordings import find
from store.streams import TABLES

ELLIPSIS = " …"


def untrue(reply: Reply, library: Library) -> list[Citation]:
    """Give the citations that no row of an active stream bears out."""
    if not reply.citations:
        return []
    with library.database.reader() as connection:
        return [citation for citation in reply.citations if not _held(citation, connection)]


def precision(reply: Reply, library: Library) -> float | None:
    """Give the share of citations that rows bear out; None where nothing is cited."""
    cited = len(reply.citations)
    return 1 - len(untrue(reply, library)) / cited if cited else None


def _held(citation: Citation, connection: sqlite3.Connection) -> bool:
    recording = find(connection, citation.recording)
    place = (recording.id, citation.stream, round(citation.start * 1000), round(citation.end * 1000))
    voiced = citation.stream != "events"
    rows = connection.execute(
        f"SELECT r.*{', COALESCE(v.name, v.label) AS voice' if voiced else ', NULL AS voice'}"
        f" FROM {TABLES[citation.stream]} r JOIN stream s ON s.id = r.stream_id AND s.active = 1"
        + (" LEFT JOIN speaker v ON v.id = r.speaker_id" if voiced else "")
        + " WHERE r.rec_id = ? AND s.kind = ? AND r.t0 = ? AND r.t1 = ?",
        place,
    )
    return any(row["voice"] == citation.speaker and _said(citation, row) for row in rows)


def _said(citation: Citation, row: sqlite3.Row) -> bool:
    if citation.quote is None or citation.stream == "speaker":
        return True
    if citation.stream == "transcript":
        return citation.quote.removesuffix(ELLIPSIS) in row["text"].strip()
    return bool(citation.quote == row["label"])
