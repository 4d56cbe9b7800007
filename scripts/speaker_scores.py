"""How found turns compare with true ones: error by kind, counts of voices, and what labels that know the truth give.

The bounds use the same segmentation and vectors as what is measured. With the oracle's clustering each passage gets the
true speaker who shares most of its time, so what is left is the segmentation's; told the true number of voices, our own
clustering shows what counting costs.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scripts.speaker_cases import RATE, Case
from store.record import Turn
from tools.speaker.recogniser import Voices
from tools.speaker.recognisers.networks import FRAME, FRAMES, LEAD

Labels = NDArray[np.int64]


@dataclass(frozen=True)
class Score:
    """Seconds of each kind of error, voices found and true (all, and of at least 2 s), and seconds spent."""

    total: float
    missed: float
    alarm: float
    confused: float
    voices: tuple[int, int]
    main: tuple[int, int]
    audio: float
    spent: float = 0.0

    @property
    def der(self) -> float:
        """Diarization error rate, collar 0, overlaps counted."""
        return (self.missed + self.alarm + self.confused) / self.total


def score(case: Case, turns: list[Turn], spent: float = 0.0) -> Score:
    """Compare turns with the truth (pyannote.metrics)."""
    from pyannote.core import Segment, Timeline
    from pyannote.metrics.diarization import DiarizationErrorRate

    whole = Timeline([Segment(0, len(case.samples) / RATE)])
    found = DiarizationErrorRate(collar=0.0)(_annotation(case.truth), _annotation(turns), uem=whole, detailed=True)
    return Score(
        float(found["total"]), float(found["missed detection"]), float(found["false alarm"]), float(found["confusion"]),
        (talking(turns), talking(case.truth)), (talking(turns, 2000), talking(case.truth, 2000)),
        len(case.samples) / RATE, spent,
    )  # fmt: skip


def pooled(scores: list[Score]) -> float:
    """Give the error rate over the time of all recordings."""
    return sum(one.missed + one.alarm + one.confused for one in scores) / sum(one.total for one in scores)


def talking(turns: list[Turn], least_ms: int = 0) -> int:
    """Count the voices that speak at least so long."""
    talk: dict[str, int] = {}
    for turn in turns:
        talk[turn.speaker] = talk.get(turn.speaker, 0) + turn.t1 - turn.t0
    return sum(total >= least_ms for total in talk.values())


def true_labels(heard: list[Voices], truth: list[Turn]) -> Labels:
    """Label each passage of `onnx` with the true speaker who shares most of it; one whom nobody shares is extra."""
    people = sorted({turn.speaker for turn in truth})
    last = max((int(voices.arrays["first"].max(initial=0)) for voices in heard), default=0) + FRAMES
    said = np.zeros((last, len(people) + 1), np.float32)
    said[:, -1] = 1e-6
    for turn in truth:
        begin, end = ((round(ms * 16) - LEAD) // FRAME for ms in (turn.t0, turn.t1))
        said[max(0, begin) : max(0, end), people.index(turn.speaker)] = 1
    found = [np.empty(0, np.int64)]
    for voices in heard:
        own, count = voices.arrays["own"], len(voices.arrays["seconds"])
        shares = np.zeros((count, len(people) + 1))
        for first, passages, activity in zip(voices.arrays["first"], own, voices.arrays["activity"], strict=True):
            for local in range(own.shape[2]):
                held = np.flatnonzero(passages[:, local] >= 0)
                share = activity[held, local, None] * said[int(first) + held]
                np.add.at(shares, passages[held, local], share)
        found.append(shares.argmax(1))
    return np.concatenate(found)


def line(name: str, scores: list[Score]) -> str:
    """Give one row: errors pooled over time, counts as right of all."""
    total = sum(s.total for s in scores)
    rates = [sum(getattr(s, kind) for s in scores) / total for kind in ("missed", "alarm", "confused")]
    right = sum(s.voices[0] == s.voices[1] for s in scores)
    main = sum(s.main[0] == s.main[1] for s in scores)
    voices = f"{scores[0].voices[0]} of {scores[0].voices[1]}" if len(scores) == 1 else f"{right}/{len(scores)} exact"
    long = f"{scores[0].main[0]} of {scores[0].main[1]}" if len(scores) == 1 else f"{main}/{len(scores)} exact"
    speed = sum(s.spent for s in scores) / sum(s.audio for s in scores)
    rows = "".join(f"{100 * rate:8.1f}" for rate in (sum(rates), *rates))
    return f"{name:40}{rows}{voices:>14}{long:>14}{speed:8.3f}"


def _annotation(turns: list[Turn]) -> "object":
    from pyannote.core import Annotation, Segment

    made = Annotation()
    for index, turn in enumerate(turns):
        made[Segment(turn.t0 / 1000, turn.t1 / 1000), index] = turn.speaker
    return made
