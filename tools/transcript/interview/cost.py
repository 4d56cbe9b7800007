"""What a transcription costs, in what is sure of every endpoint: calls, minutes of audio sent, and its own tokens.

Minutes are linear in the length: each chunk is sent once, and once more each time it is begun anew.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from tools.transcript.interview.chunks import plan


@dataclass(frozen=True, slots=True)
class Estimate:
    """What is to be sent of a recording: chunks, milliseconds of audio in them, bytes as they go over the wire."""

    chunks: int
    ms: int
    size: int

    def told(self, host: str) -> str:
        """Say it in one line."""
        size = f"{self.ms / 60_000:.1f} minutes of audio ({self.size / 1e6:.1f} MB)"
        return f"{_some(self.chunks, 'chunk')}, {size}, to be sent to {host}, which may bill them"


@dataclass(frozen=True, slots=True)
class Call:
    """One call that was answered: the milliseconds of audio it sent (0: text only), and the endpoint's own figures."""

    ms: int
    input_tokens: int | None = None
    output_tokens: int | None = None
    again: bool = False


@dataclass(frozen=True, slots=True)
class Bill:
    """All calls of a transcription; tokens are None where the endpoint gave no figure."""

    calls: int
    ms: int
    restarts: int
    input_tokens: int | None
    output_tokens: int | None

    @property
    def minutes(self) -> float:
        """Minutes of audio that were sent."""
        return self.ms / 60_000

    def told(self) -> str:
        """Say it in one line."""
        again = f", {self.restarts} of them begun anew" if self.restarts else ""
        counts = (self.input_tokens, self.output_tokens)
        figures = "" if None in counts else f"; {counts[0]:,} tokens read and {counts[1]:,} written"
        return f"{_some(self.calls, 'call')}{again}, {self.minutes:.1f} minutes of audio sent{figures}"


def estimate(duration_ms: int, bytes_a_second: int) -> Estimate:
    """Tell what a recording of this length takes; audio is sent in base64."""
    spans = plan(duration_ms)
    ms = sum(span.duration for span in spans)
    return Estimate(len(spans), ms, ms * bytes_a_second // 1000 * 4 // 3)


def bill(calls: Iterable[Call]) -> Bill:
    """Add up calls."""
    made = list(calls)
    return Bill(
        len(made),
        sum(call.ms for call in made),
        sum(call.again for call in made),
        _added([call.input_tokens for call in made]),
        _added([call.output_tokens for call in made]),
    )


def _added(counts: Iterable[int | None]) -> int | None:
    given = list(counts)
    known = [count for count in given if count is not None]
    return sum(known) if given and len(known) == len(given) else None


def _some(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"
