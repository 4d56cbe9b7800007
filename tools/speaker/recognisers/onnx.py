"""The default: pyannote's segmentation and CAM++ vectors on onnxruntime, ten-second windows, one clustering over all.

A window tells its own voices apart well and a vector tells windows together; counts come from averaged probabilities,
so two voices at once stay two. No voice is dropped for speaking little: in real meetings some speak under two seconds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from store.record import Turn
from tools.speaker.recogniser import Voices, labelled
from tools.speaker.recognisers.earlier import as_passages
from tools.speaker.recognisers.naming import Naming, Stretch, name_passages, stretch
from tools.speaker.recognisers.networks import FRAME, FRAMES, LEAD, LENGTH, WINDOW, Networks, mel_energies
from tools.speaker.recognisers.passages import HALF, Cutting, halved, owners, passages, seconds_of
from tools.speaker.recognisers.reconstruction import Rounding, Run, Windows, milliseconds, timeline
from tools.speaker.recognisers.vectors import Parting, Sound

Array = NDArray[np.float32]
Labels = NDArray[np.int64]
STEP = 74 * FRAME  # 1.25 s, in whole frames so that windows share one grid
BATCH = 4
GRAIN = 256  # steps of a vector's numbers: it moves by a cosine of 0.9998, and packs into half


@dataclass(frozen=True, slots=True)
class Tuning:
    """What was chosen on development readers (scripts/tune_speakers.py)."""

    naming: Naming = Naming()
    cutting: Cutting = Cutting()
    parting: Parting = Parting()
    rounding: Rounding = Rounding(up=0.65, fill_ms=250)


class Onnx:
    """Speaker turns without torch."""

    name = "onnx"
    version = "5"

    def __init__(self, tuning: Tuning | None = None, threads: int = 2) -> None:
        self.tuning = tuning or Tuning()
        self._networks = Networks(threads)
        self._stretches: WeakKeyDictionary[Voices, tuple[int, Stretch]] = WeakKeyDictionary()

    def hear(self, samples: Array, start_ms: int) -> Voices:
        """Give the activity of each window's local voices, and a vector for each passage that they share."""
        places = _places(len(samples))
        activity = np.concatenate(list(self._activities(samples, places)) or [np.empty((0, FRAMES, 3), np.uint8)])
        first = np.array([place // FRAME for place in places], np.int64)
        sound = Sound(self._networks, mel_energies(samples), self.tuning.parting)
        own, vectors, seconds = self._passages(first, activity, sound)
        arrays = {
            "first": first + round(start_ms * 16 / FRAME),
            "activity": activity,
            "own": own.astype(np.int16),
            "vectors": (np.rint(np.array(vectors) * GRAIN) / GRAIN).astype(np.float16).reshape(-1, 192),
            "seconds": np.array(seconds, np.float32),
        }
        return Voices(self.name, self.version, start_ms, len(samples) // 16, arrays)

    def _passages(
        self, first: Labels, activity: NDArray[np.uint8], sound: Sound
    ) -> tuple[Labels, list[Array], list[float]]:
        """Give whose each window's local voices are (n, 589, 3), and the vectors and clean seconds of passages."""
        vectors: list[Array] = []
        seconds: list[float] = []
        whose = np.full(int(first.max(initial=-FRAMES)) + FRAMES, -1)
        for run in passages(first, activity, self.tuning.cutting):
            for frames in sound.parted(run):
                if (vector := sound.vector(frames)) is not None:
                    whose[frames] = len(vectors)
                    vectors.append(vector)
                    seconds.append(seconds_of(frames))
        own = owners(first, activity, whose)
        speaking = activity > HALF
        for window, local in np.argwhere(speaking.any(1) & (own.max(1) < 0)).tolist():  # only under another voice
            frames = np.flatnonzero(speaking[window, :, local])
            if (vector := sound.alone(first[window] + frames)) is not None:
                own[window, :, local] = len(vectors)
                vectors.append(vector)
                seconds.append(0.0)
        return own, vectors, seconds

    def turns(
        self,
        heard: Sequence[Voices],
        *,
        num_speakers: int | None = None,
        min_speakers: int | None = None,
        max_speakers: int | None = None,
    ) -> list[Turn]:
        """Cluster the vectors of all stretches and lay the windows over each other."""
        kept = [voices for voices in heard if len(voices.arrays["first"])]
        if not kept:
            return []
        fewest, most = num_speakers or min_speakers or 1, num_speakers or max_speakers
        naming = self.tuning.naming
        stretches = [self._stretch(voices, fewest) for voices in kept]
        heard = [as_passages(voices) for voices in kept]
        while 0 < sum(len(part.seconds) for part in stretches) < fewest:
            heard = [halved(voices) for voices in heard]
            stretches = [stretch(voices, naming, fewest) for voices in heard]
        return self.laid(heard, name_passages(stretches, naming, naming.bounds(fewest, most)), fewest)

    def laid(self, heard: Sequence[Voices], voice: Labels, fewest: int = 1) -> list[Turn]:
        """Lay the windows over each other, given the voice of each passage in their order.

        A voice that is nowhere among the strongest has no turn, but as long as there are under `fewest`, as one window
        hears its longest passage.
        """
        runs = timeline(_windows(heard, voice), self.tuning.rounding)
        lost = np.setdiff1d(voice, [run[2] for run in runs])
        runs += _longest(heard, voice, lost[: max(0, fewest - len(np.unique(voice)) + len(lost))].tolist())
        end = max(voices.start_ms + voices.duration_ms for voices in heard)
        return labelled([(t0, min(t1, end), who, score) for t0, t1, who, score in runs if t0 < end])

    def _stretch(self, voices: Voices, fewest: int) -> Stretch:
        """Give a stretch ready for clustering, made once."""
        known = self._stretches.get(voices)
        if known is None or known[0] != fewest:
            known = self._stretches[voices] = (fewest, stretch(as_passages(voices), self.tuning.naming, fewest))
        return known[1]

    def _activities(self, samples: Array, places: list[int]) -> Iterator[NDArray[np.uint8]]:
        for begin in range(0, len(places), BATCH):
            batch = places[begin : begin + BATCH]
            windows = np.zeros((len(batch), WINDOW), np.float32)
            for row, place in zip(windows, batch, strict=True):
                part = samples[place : place + WINDOW]
                row[: len(part)] = part
            found = self._networks.activity(windows)
            for row, place in zip(found, batch, strict=True):
                row[max(0, (len(samples) - place - LEAD) // FRAME) :] = 0
            yield np.rint(found * 255).astype(np.uint8)


def _places(count: int) -> list[int]:
    """Give the first sample of each window, on the frame grid; the last one ends with the audio where it can."""
    if count < 2 * LENGTH:
        return []
    last = max(0, count - WINDOW) // FRAME * FRAME
    return [*range(0, last, STEP), last]


def _longest(heard: Sequence[Voices], voice: Labels, wanted: list[int]) -> list[Run]:
    """Give a run for each wanted voice: its longest passage in one window, from its first to its last frame there."""
    seconds = np.concatenate([voices.arrays["seconds"] for voices in heard])
    begins = np.cumsum([0, *(len(voices.arrays["seconds"]) for voices in heard)])
    runs: list[Run] = []
    for one in wanted:
        passage = max(np.flatnonzero(voice == one).tolist(), key=lambda index: float(seconds[index]))
        index = int(np.searchsorted(begins, passage, "right")) - 1
        arrays = heard[index].arrays
        active = np.where(arrays["own"] == passage - begins[index], arrays["activity"], 0)
        window, local = divmod(int((active > HALF).sum(1).argmax()), active.shape[2])
        spoken = np.flatnonzero(active[window, :, local] > HALF)
        if len(spoken):
            begin, end = (
                milliseconds(int(arrays["first"][window]) + int(frame)) for frame in (spoken[0], spoken[-1] + 1)
            )
            runs.append((begin, end, one, float(active[window, spoken, local].mean()) / 255))
    return runs


def _windows(heard: Sequence[Voices], voice: Labels) -> Windows:
    parts: list[NDArray[np.int16]] = []
    used = 0
    for voices in heard:
        own, count = voices.arrays["own"].astype(np.int64), len(voices.arrays["seconds"])
        labels = np.append(voice[used : used + count], -1).astype(np.int16)
        used += count
        parts.append(labels[own])
    first = np.concatenate([voices.arrays["first"] for voices in heard])
    activity = np.concatenate([voices.arrays["activity"] for voices in heard])
    return Windows(first, activity, np.concatenate(parts))
