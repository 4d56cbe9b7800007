"""What listens again: a Protocol, so that a question needs no recogniser until something is about to be denied."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tools.transcript.evidence import Asked

SECONDS = 75.0
"""About thirty passages of seven to ten words, six to seven seconds of processor time. Of 160 made-up names in noise of
the tuning parts 129 lie in them, 105 in thirty seconds, 130 in ninety.
"""
MODEL = "base"


class Ear(Protocol):
    """Hears passages for a term each."""

    def hear(self, passages: "Sequence[tuple[NDArray[np.float32], Asked]]") -> list[bool]:
        """Say of each whether its term is said in its samples (16 kHz mono, at most 27 s), in which its words lie."""
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

    def hear(self, passages: "Sequence[tuple[NDArray[np.float32], Asked]]") -> list[bool]:
        return [evidence.heard for evidence in self._recogniser.listen_again(passages)]


def second_listen(seconds: float = SECONDS) -> SecondListen | None:
    """Give the default way to listen again, None for no seconds; nothing heavy is loaded yet."""
    return SecondListen(_loaded, seconds) if seconds > 0 else None


@cache
def _loaded() -> Ear:
    return _Whisper()
