"""The default: pyannote's segmentation and CAM++ vectors on onnxruntime, ten-second windows, one clustering over all.

A window tells its own voices apart well and a vector tells windows together; counts come from averaged probabilities,
so two voices at once stay two. No voice is dropped for speaking little: in real meetings some speak under two seconds.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from store.record import Turn
from tools.speaker.recogniser import Voices, labelled
from tools.speaker.recognisers.clustering import LOCALS, Bounds, cluster
from tools.speaker.recognisers.networks import FRAME, FRAMES, HOP, LEAD, LENGTH, WINDOW, Networks, mel_energies
from tools.speaker.recognisers.pieces import Cutting, Mask, units
from tools.speaker.recognisers.reconstruction import Rounding, Windows, timeline

Array = NDArray[np.float32]
STEP = 148 * FRAME  # 2.5 s, in whole frames so that windows share one grid
BATCH = 4
LEAST_MEL = 25


@dataclass(frozen=True, slots=True)
class Tuning:
    """What scripts/tune_speakers.py chose on its development part; seconds and cosine similarities."""

    similarity: float = 0.35
    safe: float = 0.6
    sure_seconds: float = 1.5
    stray_similarity: float = 0.1
    penalty: float = 0.2
    most_weight: float = 5.0
    cutting: Cutting = Cutting()
    rounding: Rounding = Rounding(up=0.6, fill_ms=250)


class Onnx:
    """Speaker turns without torch."""

    name = "onnx"
    version = "1"

    def __init__(self, tuning: Tuning | None = None, threads: int = 2) -> None:
        self.tuning = tuning or Tuning()
        self._networks = Networks(threads)

    def hear(self, samples: Array, start_ms: int) -> Voices:
        """Give the activity of each window's local voices and a vector for each that speaks long enough."""
        places = _places(len(samples))
        activity = np.concatenate(list(self._activities(samples, places)) or [np.empty((0, FRAMES, 3), np.float32)])
        mel = mel_energies(samples)
        own = np.full(activity.shape, -1, np.int8)
        found = []
        for window, place in enumerate(places):
            for number, unit in enumerate(units(activity[window], self._voice(mel, place), self.tuning.cutting)):
                own[window, unit.frames, unit.local] = number
                found.append(((window, number, unit.local), unit.vector, unit.seconds))
        arrays = {
            "first": np.array([round(start_ms * 16 / FRAME) + place // FRAME for place in places], np.int64),
            "activity": np.rint(activity * 255).astype(np.uint8),
            "own": own,
            "owners": np.array([row[0] for row in found], np.int32).reshape(-1, 3),
            "vectors": np.array([row[1] for row in found], np.float16).reshape(-1, 192),
            "seconds": np.array([row[2] for row in found], np.float32),
        }
        return Voices(self.name, self.version, start_ms, len(samples) // 16, arrays)

    def turns(
        self,
        heard: Sequence[Voices],
        *,
        num_speakers: int | None = None,
        min_speakers: int | None = None,
        max_speakers: int | None = None,
    ) -> list[Turn]:
        """Cluster the vectors of all stretches and lay the windows over each other."""
        heard = [voices for voices in heard if len(voices.arrays["first"])]
        if not heard:
            return []
        vectors = np.concatenate([voices.arrays["vectors"] for voices in heard]).astype(np.float32)
        seconds = np.concatenate([voices.arrays["seconds"] for voices in heard])
        fewest, most = num_speakers or min_speakers or 1, num_speakers or max_speakers
        bounds = Bounds(self.tuning.similarity, fewest, most, self.tuning.penalty)
        voice = name_voices(vectors, seconds, bounds, self.tuning, _heard_in(heard))
        runs = timeline(_windows(heard, voice), self.tuning.rounding)
        end = max(voices.start_ms + voices.duration_ms for voices in heard)
        return labelled([(t0, min(t1, end), who, score) for t0, t1, who, score in runs if t0 < end])

    def _activities(self, samples: Array, places: list[int]) -> Iterator[Array]:
        for begin in range(0, len(places), BATCH):
            batch = places[begin : begin + BATCH]
            windows = np.zeros((len(batch), WINDOW), np.float32)
            for row, place in zip(windows, batch, strict=True):
                part = samples[place : place + WINDOW]
                row[: len(part)] = part
            found = self._networks.activity(windows)
            for row, place in zip(found, batch, strict=True):
                row[max(0, (len(samples) - place - LEAD) // FRAME) :] = 0
            yield found

    def _voice(self, mel: Array, place: int) -> Callable[[Mask], Array | None]:
        """Give what turns frames of the window at sample `place` into a vector, from the stretch's mel energies."""
        begin = place // HOP
        rows = mel[begin : (place + WINDOW) // HOP]
        centres = (np.arange(len(rows)) + begin) * HOP + LENGTH // 2
        frame = np.clip((centres - place - LEAD) // FRAME, 0, FRAMES - 1)

        def vector(frames: Mask) -> Array | None:
            spoken = rows[frames[frame]]
            return self._networks.voice(spoken) if len(spoken) >= LEAST_MEL else None

        return vector


def name_voices(
    vectors: Array, seconds: Array, bounds: Bounds, tuning: Tuning, place: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    """Label the vectors (n, 192): first those of enough clean speech, then each other one by the nearest voice.

    A short one that is like no voice makes a voice of its own with its likes: it may be someone who hardly speaks.
    """
    if not len(vectors):
        return np.empty(0, np.int64)
    sure = seconds >= tuning.sure_seconds
    if not sure.any():
        sure = np.ones(len(vectors), bool)
    labels = np.full(len(vectors), -1)
    weight = (np.minimum(seconds, tuning.most_weight) + 0.05).astype(np.float32)
    labels[sure] = cluster(vectors[sure], weight[sure], bounds, tuning.safe, None if place is None else place[sure])
    count = int(labels.max()) + 1
    means = np.stack([np.average(vectors[labels == n], axis=0, weights=weight[labels == n]) for n in range(count)])
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    rest = np.flatnonzero(~sure)
    if not len(rest):
        return labels
    alike = vectors[rest] @ means.T
    labels[rest] = alike.argmax(1)
    stray = rest[alike.max(1) < tuning.stray_similarity]
    room = None if bounds.most is None else bounds.most - count
    if len(stray) and room != 0:
        own = cluster(vectors[stray], weight[stray], Bounds(bounds.similarity, 1, room), tuning.safe)
        labels[stray] = own + count
    return labels


def _places(count: int) -> list[int]:
    """Give the first sample of each window, on the frame grid; the last one ends with the audio where it can."""
    if count < 2 * LENGTH:
        return []
    last = max(0, count - WINDOW) // FRAME * FRAME
    return [*range(0, last, STEP), last]


def _heard_in(heard: Sequence[Voices]) -> NDArray[np.int64]:
    """Give for each unit its window, counted over all stretches, times three plus its local voice."""
    counts = [len(voices.arrays["first"]) for voices in heard]
    starts = np.cumsum([0, *counts[:-1]]).tolist()
    owners = [v.arrays["owners"].astype(np.int64) for v in heard]
    return np.concatenate([(own[:, 0] + start) * LOCALS + own[:, 2] for own, start in zip(owners, starts, strict=True)])


def _windows(heard: Sequence[Voices], voice: NDArray[np.int64]) -> Windows:
    parts: list[NDArray[np.int16]] = []
    used = 0
    for voices in heard:
        owners, own = voices.arrays["owners"], voices.arrays["own"].astype(np.int64)
        table = np.full((len(own), 1 + int(own.max(initial=0))), -1, np.int16)
        table[owners[:, 0], owners[:, 1]] = voice[used : used + len(owners)]
        used += len(owners)
        labels = table[np.arange(len(own))[:, None, None], own.clip(min=0)]
        parts.append(np.where(own < 0, np.int16(-1), labels))
    first = np.concatenate([voices.arrays["first"] for voices in heard])
    activity = np.concatenate([voices.arrays["activity"] for voices in heard])
    return Windows(first, activity, np.concatenate(parts))
