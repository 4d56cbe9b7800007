"""What listens again: a Protocol, so that a question needs no recogniser until something is about to be denied."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SECONDS = 20.0
"""About six spans, ten seconds of CPU; of 15 names in noise that were tuned on 9 lie in them, 10 in thirty seconds, 14
in a minute (scripts/measure_denials.py rank)."""
MODEL = "base"


class Ear(Protocol):
    """Hears one stretch for certain words."""

    def hear(self, samples: "NDArray[np.float32]", terms: Sequence[str]) -> Collection[str]:
        """Give the terms that are said in samples (16 kHz mono, at most 30 s)."""
        ...


@dataclass(frozen=True, slots=True)
class SecondListen:
    """How to listen again: `make` loads an ear when it is first needed (MissingWeights says what it lacks), `seconds`
    is how much audio a question may hear again."""

    make: Callable[[], Ear]
    seconds: float = SECONDS


class _Whisper:
    """Whisper, deciding by what the sound is worth with and without a term; see `tools.transcript.evidence`."""

    def __init__(self) -> None:
        from tools.transcript.recogniser import Options, SecondListener, load

        recogniser = load(MODEL, Options())
        assert isinstance(recogniser, SecondListener)
        self._recogniser = recogniser

    def hear(self, samples: "NDArray[np.float32]", terms: Sequence[str]) -> Collection[str]:
        from store.record import Span
        from tools.audio import RATE

        span = Span(0, len(samples) * 1000 // RATE)
        return [one.term for one in self._recogniser.listen_again(samples, 0, span, terms).evidence if one.heard]


def second_listen(seconds: float = SECONDS) -> SecondListen | None:
    """Give the default way to listen again, None for no seconds; nothing heavy is loaded yet."""
    return SecondListen(_loaded, seconds) if seconds > 0 else None


@cache
def _loaded() -> Ear:
    return _Whisper()
