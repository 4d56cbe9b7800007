"""What an endpoint answered about a recording, kept as it came, so that nothing that was paid for is asked again.

A request is known by its fingerprint (model, prompts, options): another one finds none of these replies. They go with
their recording.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from store.record import Span

Finish = Literal["stop", "length", "content_filter", "refused", "empty"]


@dataclass(frozen=True, slots=True)
class Reply:
    """One answer, how it ended, and the endpoint's own figures, None where it gave none."""

    text: str
    finish: Finish = "stop"
    input_tokens: int | None = None
    output_tokens: int | None = None


def known(connection: sqlite3.Connection, rec_id: int, request: str, span: Span) -> list[Reply]:
    """Give the replies to a request about a span of a recording, in the order they came."""
    rows = connection.execute(
        "SELECT text, finish, input_tokens, output_tokens FROM reply"
        " WHERE rec_id = ? AND request = ? AND t0 = ? AND t1 = ? ORDER BY id",
        (rec_id, request, span.t0, span.t1),
    )
    return [Reply(*row) for row in rows]


def keep(connection: sqlite3.Connection, rec_id: int, request: str, span: Span, reply: Reply) -> None:
    """Keep one more reply."""
    connection.execute(
        "INSERT INTO reply(rec_id, request, t0, t1, finish, text, input_tokens, output_tokens)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
        (rec_id, request, span.t0, span.t1, reply.finish, reply.text, reply.input_tokens, reply.output_tokens),
    )


def forget(connection: sqlite3.Connection, rec_id: int, request: str, spans: Iterable[Span]) -> None:
    """Forget the replies about these spans, so that they are asked for again."""
    connection.executemany(
        "DELETE FROM reply WHERE rec_id = ? AND request = ? AND t0 = ? AND t1 = ?",
        ((rec_id, request, span.t0, span.t1) for span in spans),
    )
