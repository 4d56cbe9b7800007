"""The default: pyannote's segmentation and CAM++ vectors on onnxruntime, ten-second windows, one clustering over all.

A window tells its own voices apart well and a vector tells windows together; counts come from averaged probabilities,
so two voices at once stay two. No voice is dropped for speaking little: in real meetings some speak under two seconds.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from store.record import Turn
from tools.provision.manifest import fingerprint, manifest
from tools.speaker.recogniser import Voices, labelled
from tools.speaker.recognisers.chunks import Chunks
from tools.speaker.recognisers.naming import Naming, Stretch, name_pieces, stretch
from tools.speaker.recognisers.networks import FRAME, FRAMES, LEAD, LENGTH, WINDOW, Networks, mel_energies
from tools.speaker.recognisers.pieces import Cutting, Mask, pieces
from tools.speaker.recognisers.reconstruction import Rounding, Run, Windows, milliseconds, timeline
from tools.speaker.recognisers.steps import GRAIN

Array = NDArray[np.float32]
STEP = 74 * FRAME  # 1.25 s, in whole frames so that windows share one grid
BATCH = 4
LEAST_FRAMES = 12  # of 20 ms that make a vector


@dataclass(frozen=True, slots=True)
class Tuning:
    """What was chosen on development readers (scripts/tune_speakers.py)."""

    naming: Naming = Naming()
    cutting: Cutting = Cutting()
    rounding: Rounding = Rounding(up=0.65, fill_ms=250)


class Onnx:
    """Speaker turns without torch."""

    name = "onnx"
    version = "4"

    def __init__(self, tuning: Tuning | None = None, threads: int = 2) -> None:
        self.tuning = tuning or Tuning()
        self.sha256 = fingerprint(manifest().model(name) for name in ("segmentation", "campplus"))
        self._networks = Networks(threads)
        self._stretches: WeakKeyDictionary[Voices, tuple[int, Stretch]] = WeakKeyDictionary()

    def hear(self, samples: Array, start_ms: int) -> Voices:
        """Give the activity of each window's local voices and a vector for each piece of them that is long enough."""
        places = _places(len(samples))
        activity = np.concatenate(list(self._activities(samples, places)) or [np.empty((0, FRAMES, 3), np.float32)])
        chunks = Chunks(self._networks, mel_energies(samples))
        own = np.full(activity.shape, -1, np.int8)
        found = []
        for window, place in enumerate(places):
            for number, piece in enumerate(pieces(activity[window], self._voice(chunks, place), self.tuning.cutting)):
                own[window, piece.frames, piece.local] = number
                found.append(((window, number, piece.local, piece.unit), piece.vector, piece.seconds))
        arrays = {
            "first": np.array([round(start_ms * 16 / FRAME) + place // FRAME for place in places], np.int64),
            "activity": np.rint(activity * 255).astype(np.uint8),
            "own": own,
            "owners": np.array([row[0] for row in found], np.int32).reshape(-1, 4),
            "vectors": (np.rint([row[1] * GRAIN for row in found]) / GRAIN).astype(np.float16).reshape(-1, 192),
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
        fewest, most = num_speakers or min_speakers or 1, num_speakers or max_speakers
        naming = self.tuning.naming
        stretches = [self._stretch(voices, fewest) for voices in heard]
        windows = [len(voices.arrays["first"]) for voices in heard]
        return self.laid(heard, name_pieces(stretches, windows, naming, naming.bounds(fewest, most)), fewest)

    def laid(self, heard: Sequence[Voices], voice: NDArray[np.int64], fewest: int = 1) -> list[Turn]:
        """Lay the windows over each other, given the voice of each piece in their order.

        A voice that is nowhere among the strongest has no turn, but as long as there are under `fewest`, as one window
        hears its longest piece.
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
            known = self._stretches[voices] = (fewest, stretch(voices, self.tuning.naming, fewest))
        return known[1]

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

    def _voice(self, chunks: Chunks, place: int) -> Callable[[Mask], Array | None]:
        """Give what turns frames of the window at sample `place` into a vector."""
        rows, middles = chunks.between(place, place + WINDOW)
        frame = np.clip((middles - place - LEAD) // FRAME, 0, FRAMES - 1)

        def vector(frames: Mask) -> Array | None:
            spoken = rows[frames[frame]]
            return self._networks.vector(spoken) if len(spoken) >= LEAST_FRAMES else None

        return vector


def _places(count: int) -> list[int]:
    """Give the first sample of each window, on the frame grid; the last one ends with the audio where it can."""
    if count < 2 * LENGTH:
        return []
    last = max(0, count - WINDOW) // FRAME * FRAME
    return [*range(0, last, STEP), last]


def _longest(heard: Sequence[Voices], voice: NDArray[np.int64], wanted: list[int]) -> list[Run]:
    """Give a run for each wanted voice: its longest piece, from the first to the last frame where it speaks."""
    seconds = np.concatenate([voices.arrays["seconds"] for voices in heard])
    begins = np.cumsum([0, *(len(voices.arrays["seconds"]) for voices in heard)])
    runs: list[Run] = []
    for one in wanted:
        piece = max(np.flatnonzero(voice == one).tolist(), key=lambda index: float(seconds[index]))
        index = int(np.searchsorted(begins, piece, "right")) - 1
        arrays = heard[index].arrays
        window, number, local = arrays["owners"][piece - begins[index], :3].tolist()
        activity = np.where(arrays["own"][window, :, local] == number, arrays["activity"][window, :, local], 0)
        spoken = np.flatnonzero(activity > 127)
        begin, end = (milliseconds(int(arrays["first"][window]) + int(frame)) for frame in (spoken[0], spoken[-1] + 1))
        runs.append((begin, end, one, float(activity[spoken].mean()) / 255))
    return runs


def _windows(heard: Sequence[Voices], voice: NDArray[np.int64]) -> Windows:
    tables: list[NDArray[np.int64]] = []
    used = 0
    for voices in heard:
        owners, own = voices.arrays["owners"], voices.arrays["own"]
        table = np.full((len(own), 1 + int(own.max(initial=0))), -1)
        table[owners[:, 0], owners[:, 1]] = voice[used : used + len(owners)]
        used += len(owners)
        tables.append(table)
    begins = np.cumsum([0, *map(len, tables)])

    @lru_cache(2)  # windows are asked for in order; at the edge of a block two stretches take turns
    def unpacked(stretch: int) -> tuple[NDArray[np.uint8], NDArray[np.int8]]:
        return heard[stretch].arrays["activity"], heard[stretch].arrays["own"]

    def of(index: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
        stretch = int(np.searchsorted(begins, index, "right")) - 1
        activity, own = (array[index - int(begins[stretch])] for array in unpacked(stretch))
        return activity, np.where(own < 0, -1, tables[stretch][index - int(begins[stretch])][own.clip(min=0)])

    first = np.concatenate([voices.arrays["first"] for voices in heard])
    return Windows(first, int(voice.max(initial=-1)) + 1, of)
