"""A linear head over Whisper base's encoder states, trained on acted German: MODEL_CARD.md says what it is worth.

Standardising, taking out the directions in which neutral English differs from neutral German, and the classifier are
one matrix in the file. It is one small file without pickle, and can be left out: then the stream is missing.
A turn long enough for two is heard in halves as well, and an emotion that either half hardly has is not named: what
readers were falsely called lay in one half nearly always.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from store.errors import DataError, MissingWeights
from store.record import Emotion, Turn
from tools.emotion.labels import NEUTRAL, UNCLEAR
from tools.emotion.prosody import with_prosody
from tools.emotion.recogniser import NAMED_MS, covered, parts

HEAD = Path(__file__).with_name("weights") / "emodb_head.npz"
HALVED_MS = 2 * NAMED_MS
HALF = 0.2  # the least that each half of such a turn must have of an emotion that is named
_COVERED = 0.5  # the states of two voices at once are those of neither


class EmodbHead:
    """The shipped head: seven emotions, calibrated, each named above a threshold of measured precision."""

    name = "emodb"
    shares = True

    def __init__(self, path: Path = HEAD) -> None:
        if not path.is_file():
            raise MissingWeights(
                f"the emotion head {path.name} is not here (scripts/train_emotion_head.py makes it from EMO-DB); "
                "without it the emotion stream is missing, everything else works"
            )
        self.sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        with np.load(path, allow_pickle=False) as head:
            self.version = str(head["version"])
            self.labels = tuple(str(label) for label in head["labels"])
            self.health = float(head["health"])
            self._weights: NDArray[np.float32] = head["weights"]
            self._bias: NDArray[np.float32] = head["bias"]
            self._least = dict(zip(self.labels, head["thresholds"].tolist(), strict=True))

    def emotions(
        self,
        states: NDArray[np.float32] | None,
        t0: int,
        state_ms: int,
        turns: Sequence[Turn],
        samples: NDArray[np.float32] | None = None,
    ) -> list[Emotion]:
        """Give the emotions of turns within states (frames, 512), the first at t0 ms; DataError for other states."""
        if states is None or states.ndim != 2 or 2 * states.shape[1] != self._weights.shape[1]:
            raise DataError(
                f"the emotion head hears Whisper base's states ({self._weights.shape[1] // 2} numbers), not "
                f"{'none' if states is None else ' x '.join(map(str, states.shape))}: choose whisper-base, or the "
                "emotion stream is missing"
            )
        end = t0 + len(states) * state_ms
        inside = [part for turn in turns for part in parts(turn, t0, end)]
        rows = []
        for part in inside:
            heard_well = part.t1 - part.t0 >= NAMED_MS and covered(part, turns) < _COVERED
            whole, *halves = (pooled(states, a - t0, b - t0, state_ms) for a, b in looks(part))
            row = self._emotion(part, whole, halves, heard_well)
            rows.append(row if samples is None or not heard_well else with_prosody(row, samples, t0))
        return rows

    def _emotion(
        self, part: Turn, whole: NDArray[np.float32], halves: Sequence[NDArray[np.float32]], heard_well: bool
    ) -> Emotion:
        scores = self._scores(whole)
        best = max(scores, key=lambda label: scores[label])
        lasts = best == NEUTRAL or all(self._scores(half)[best] >= HALF for half in halves)
        label = best if heard_well and lasts and scores[best] >= self._least[best] else UNCLEAR
        return Emotion(part.t0, part.t1, label, scores[best], part.speaker, scores)

    def _scores(self, vector: NDArray[np.float32]) -> dict[str, float]:
        logits = self._weights @ vector + self._bias
        likely = np.exp(logits - logits.max())
        likely /= likely.sum()
        return {label: round(float(p), 4) for label, p in zip(self.labels, likely, strict=True)}


def looks(part: Turn) -> list[tuple[int, int]]:
    """Give the stretches a part is heard in, ms: itself, and its halves when each is long enough to be named."""
    middle = (part.t0 + part.t1) // 2
    halves = [(part.t0, middle), (middle, part.t1)] if part.t1 - part.t0 >= HALVED_MS else []
    return [(part.t0, part.t1), *halves]


def pooled(states: NDArray[np.float32], t0: int, t1: int, state_ms: int) -> NDArray[np.float32]:
    """Give mean and standard deviation over the frames of [t0, t1) ms within states, shape (2 * dim,)."""
    frames = states[t0 // state_ms : max(t0 // state_ms + 1, -(-t1 // state_ms))]
    return np.concatenate([frames.mean(axis=0), frames.std(axis=0)]).astype(np.float32)
