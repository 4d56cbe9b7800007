"""The contract of a stream's query: one pydantic model in three uses (a model's output, a tool's arguments, the
compiler's input), and the range that every query may carry."""

from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field, model_validator

from store import clock
from store.record import Span, StreamKind

FOREVER = 1 << 40


class Strict(BaseModel):
    """A model that refuses what it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class StreamQuery(Strict):
    """What every stream can be limited by: a stretch of time in seconds from the start, or before the end."""

    stream: ClassVar[StreamKind]

    start: float | None = Field(default=None, description="only from this second on; -60: the last minute")
    end: float | None = Field(default=None, description="only before this second")
    nth: int | None = Field(default=None, description="only the nth row found in time; -1: the last")

    @property
    def start_ms(self) -> int | None:
        """The first millisecond asked for, None where none is said or it counts from the end."""
        return None if self.start is None or self.start < 0 else clock.start_ms(self.start)

    @property
    def end_ms(self) -> int | None:
        """The millisecond before which is asked, None where none is said or it counts from the end."""
        return None if self.end is None or self.end < 0 else clock.end_ms(self.end)

    @property
    def span(self) -> Span:
        """The stretch asked for, as far as it is the same in every recording: else from 0, or for ever."""
        return Span(self.start_ms or 0, FOREVER if self.end_ms is None else self.end_ms)

    @property
    def from_the_end(self) -> bool:
        """Whether the stretch depends on how long a recording is."""
        return any(at is not None and at < 0 for at in (self.start, self.end))

    def within(self, length: int) -> Span:
        """Give the stretch asked for in a recording of so many milliseconds; empty where it holds none of it."""
        span = self.span
        t0 = span.t0 if self.start is None or self.start >= 0 else max(0, length - clock.end_ms(-self.start))
        t1 = span.t1 if self.end is None or self.end >= 0 else max(0, length - clock.start_ms(-self.end))
        return Span(t0, t1)

    @model_validator(mode="after")
    def _ordered(self) -> "StreamQuery":
        start, end = self.start, self.end
        if start is not None and end is not None and end <= start and (start < 0) == (end < 0):
            raise ValueError(f"end ({end:g}) must be after start ({start:g})")
        if self.nth == 0:
            raise ValueError("nth counts from 1, or from -1 at the end")
        return self
