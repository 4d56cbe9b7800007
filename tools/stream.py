"""The contract of a stream's query: one pydantic model in three uses (a model's output, a tool's arguments, the
compiler's input), and the range that every query may carry."""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from store import clock
from store.record import Span, StreamKind

FOREVER = 1 << 40


class Strict(BaseModel):
    """A model that refuses what it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class StreamQuery(Strict):
    """What every stream can be limited by: a stretch of time, in seconds from the start."""

    stream: ClassVar[StreamKind]

    start: float | None = Field(default=None, ge=0, description="only from this second on")
    end: float | None = Field(default=None, ge=0, description="only before this second")

    @property
    def start_ms(self) -> int | None:
        """The first millisecond asked for, None where none is said."""
        return None if self.start is None else clock.start_ms(self.start)

    @property
    def end_ms(self) -> int | None:
        """The millisecond before which is asked, None where none is said."""
        return None if self.end is None else clock.end_ms(self.end)

    @property
    def span(self) -> Span:
        """The stretch asked for; from 0, and for longer than any recording, where nothing is said."""
        return Span(self.start_ms or 0, FOREVER if self.end_ms is None else self.end_ms)

    @model_validator(mode="after")
    def _ordered(self) -> "StreamQuery":
        if self.start is not None and self.end is not None and self.end <= self.start:
            raise ValueError(f"end ({self.end:g}) must be after start ({self.start:g})")
        return self
