"""How the events stream is asked: which sounds, how sure."""

from typing import ClassVar

from pydantic import Field

from store.record import StreamKind
from tools.stream import StreamQuery


class EventsQuery(StreamQuery):
    """Find what was heard besides words: sound events by label, in a range; Speech and Silence only when named."""

    stream: ClassVar[StreamKind] = "events"

    labels: list[str] = Field(default_factory=list, max_length=24, description="only these; empty: all sounds")
    min_score: float | None = Field(default=None, ge=0, le=1, description="only with at least this score")
