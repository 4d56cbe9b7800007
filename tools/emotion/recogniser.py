"""What an emotion recogniser gives: one row for each turn, from the states that the words were decoded from.

The states come in as an array, so this stream knows nothing of the transcript's. A turn under 0.8 s gets no row. One
that is under 2 s, that another voice covers by half, or that is not clear gets the label UNCLEAR with its distribution.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from store.errors import MissingWeights, UsageError
from store.record import Emotion, Span, Turn, total

RECOGNISERS = ("emodb",)
STATE_DIM = 512  # of Whisper base, the encoder that the shipped head was trained on
SHORTEST_MS = 800
NAMED_MS = 2_000
LONGEST_MS = 15_000


class EmotionRecogniser(Protocol):
    """Tells how turns sound; `labels` are those it can name, `health` (0..1) how far its scores can be trusted."""

    name: str
    version: str
    labels: tuple[str, ...]
    health: float

    def emotions(
        self,
        states: NDArray[np.float32],
        t0: int,
        state_ms: int,
        turns: Sequence[Turn],
        samples: NDArray[np.float32] | None = None,
    ) -> list[Emotion]:
        """Give the emotions of the turns within states (frames, dim), of which the first lies at t0 ms.

        A turn is heard as far as it lies within the states, in equal parts of at most 15 s; parts under 0.8 s get no
        row. With `samples`, the mono 16 kHz sound from t0 on, a row's scores also hold its prosody. Raises DataError
        when the states are not those it was trained on.
        """
        ...


def load(name: str, state_dim: int | None = STATE_DIM) -> EmotionRecogniser:
    """Load a recogniser by name for states of state_dim numbers (None: the words come without states).

    MissingWeights when its file is not here or was not trained on such states, UsageError when there is none.
    """
    if name == "emodb":
        if state_dim != STATE_DIM:
            given = f"states of {state_dim} numbers" if state_dim else "no states"
            raise MissingWeights(
                f"the head hears the {STATE_DIM} numbers of whisper-base; this transcript gives {given}"
            )
        from tools.emotion.recognisers.emodb import EmodbHead

        return EmodbHead()
    raise UsageError(f"there is no emotion recogniser {name!r}; there are {', '.join(RECOGNISERS)}")


def parts(turn: Turn, t0: int, t1: int) -> list[Turn]:
    """Cut a turn to [t0, t1) and into equal parts of at most 15 s; none when under 0.8 s is left."""
    start, end = max(turn.t0, t0), min(turn.t1, t1)
    if end - start < SHORTEST_MS:
        return []
    count = -(-(end - start) // LONGEST_MS)
    edges = [start + (end - start) * i // count for i in range(count + 1)]
    return [Turn(a, b, turn.speaker, turn.score) for a, b in zip(edges, edges[1:], strict=False)]


def covered(part: Turn, turns: Sequence[Turn]) -> float:
    """Give the share of a part in which other voices speak too."""
    others = (turn for turn in turns if turn.speaker != part.speaker)
    shared = (Span(max(part.t0, turn.t0), min(part.t1, turn.t1)) for turn in others)
    return total(shared) / (part.t1 - part.t0)
