"""What an emotion recogniser gives: a row for each turn, from the states that words were decoded from, or the sound.

The states come in as an array, so this stream knows nothing of the transcript's. A turn under 0.8 s gets no row. One
that is under 2 s, that another voice covers by half, or that is not clear gets the label UNCLEAR with its distribution.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from store.errors import MissingWeights
from store.record import Emotion, Span, Turn, total

DEFAULT = "emodb"
STATE_DIM = 512  # of Whisper base, the encoder that the shipped head was trained on
SHORTEST_MS = 800
NAMED_MS = 2_000
LONGEST_MS = 15_000


class EmotionRecogniser(Protocol):
    """Tells how turns sound; `labels` are those it can name.

    `shares` says that it hears the states which the words were decoded from, else it hears the sound alone.
    """

    name: str
    version: str
    labels: tuple[str, ...]
    shares: bool

    @property
    def sha256(self) -> str | None:
        """The hash of its weights, None when it has none."""
        ...

    @property
    def health(self) -> float | None:
        """How far its scores can be trusted (0..1), None where nobody measured it."""
        ...

    def emotions(
        self,
        states: NDArray[np.float32] | None,
        t0: int,
        state_ms: int,
        turns: Sequence[Turn],
        samples: NDArray[np.float32] | None = None,
    ) -> list[Emotion]:
        """Give the emotions of the turns within states (frames, dim), of which the first lies at t0 ms.

        Who hears the sound alone gets no states, but `samples`: mono, 16 kHz, from t0 on. A turn is heard as far as it
        lies within, in equal parts of at most 15 s; parts under 0.8 s get no row. With `samples` a row's scores also
        hold its prosody. Raises DataError when the states are not those it was trained on.
        """
        ...


def load(name: str, state_dim: int | None = STATE_DIM, *, trust_model: bool = False) -> EmotionRecogniser:
    """Load the default for states of state_dim numbers (None: the words come without states), or a model of one's own.

    That is a folder or a hub name. MissingWeights when files are not here or were not trained on such states,
    MissingPackage when what runs them is not, UsageError when the name means nothing or nobody vouches for it.
    """
    if name == DEFAULT:
        if state_dim != STATE_DIM:
            given = f"states of {state_dim} numbers" if state_dim else "no states"
            raise MissingWeights(
                f"the head hears the {STATE_DIM} numbers of whisper-base; this transcript gives {given}"
            )
        from tools.emotion.recognisers.emodb import EmodbHead

        return EmodbHead()
    from tools.emotion.recognisers.classifier import load as load_classifier

    return load_classifier(name, trust_model=trust_model)


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
