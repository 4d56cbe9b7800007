"""What listens again: a Protocol, so that a question needs no recogniser until something is about to be denied."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tools.transcript.evidence import Asked

SECONDS = 30.0
"""About ten passages, two to three seconds of processor time. Of 27 made-up names in noise that the tuning part lost 19
lie in them, 15 in twenty seconds, 25 in ninety.
"""
MODEL = "base"


class Ear(Protocol):
    """Hears one passage for a term."""

    def hear(self, samples: "NDArray[np.float32]", asked: "Asked") -> bool:
        """Say whether the term is said in samples (16 kHz mono, at most 27 s), in which the words asked with lie."""
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

    def hear(self, samples: "NDArray[np.float32]", asked: "Asked") -> bool:
        return self._recogniser.listen_again(samples, asked).heard


def second_listen(seconds: float = SECONDS) -> SecondListen | None:
    """Give the default way to listen again, None for no seconds; nothing heavy is loaded yet."""
    return SecondListen(_loaded, seconds) if seconds > 0 else None


@cache
def _loaded() -> Ear:
    return _Whisper()
