"""How the speaker stream is asked: whose turns, with how much talk time."""

from typing import ClassVar

from pydantic import Field

from store.record import StreamKind
from tools.stream import StreamQuery


class SpeakerQuery(StreamQuery):
    """Find who spoke when: turns of the named speakers, or of everybody."""

    stream: ClassVar[StreamKind] = "speaker"

    names: list[str] = Field(default_factory=list, max_length=24, description="only these people; empty: everybody")
    min_talk: float | None = Field(default=None, ge=0, description="only speakers with at least this many seconds")
