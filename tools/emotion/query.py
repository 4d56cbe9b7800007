"""How the emotion stream is asked: which emotions, of whom, how sure."""

from typing import ClassVar

from pydantic import Field

from store.record import StreamKind
from tools.stream import StreamQuery


class EmotionQuery(StreamQuery):
    """Find how people sounded: emotions by label, by speaker, in a range."""

    stream: ClassVar[StreamKind] = "emotion"

    labels: list[str] = Field(default_factory=list, max_length=16, description="only these emotions; empty: all")
    min_score: float | None = Field(default=None, ge=0, le=1, description="only with at least this score")
    speaker: str | None = Field(default=None, description="only how this person sounded")
