"""A question that is traced as it is made, and saved whatever happens."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from store.database import Database
from store.trace import AGENT, TraceLog


@contextmanager
def tracing(
    database: Database, question: str, recordings: Sequence[str], stream_versions: Mapping[str, int] | None = None
) -> Iterator[TraceLog]:
    log = TraceLog(question, recordings, stream_versions)
    try:
        with log.span(f"invoke_agent {AGENT}"):
            yield log
    finally:
        log.save(database)
