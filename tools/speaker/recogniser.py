"""What hears voices: a Protocol, what it remembers of a stretch, and the names it is found by.

Hearing is split in two, because a recording is heard stretch by stretch but a voice is the same from end to end: `hear`
works on minutes of audio and its result is kept for a resume, `turns` names the voices over everything heard so far.
"""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from store.errors import UsageError
from store.record import Turn

DEFAULT = "onnx"
BACKENDS = {
    "onnx": ("tools.speaker.recognisers.onnx", "Onnx"),
    "pyannote": ("tools.speaker.recognisers.pyannote", "Pyannote"),
}


class Archive(Mapping[str, NDArray[Any]]):
    """Arrays by name as an npz archive, each unpacked whenever it is read: hours are held, little of them is used."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            self._names = tuple(name for name in archive.files if not name.startswith("_"))

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]]) -> "Archive":
        """Pack arrays, free of pickles."""
        out = io.BytesIO()
        np.savez_compressed(out, allow_pickle=False, **dict(arrays))
        return cls(out.getvalue())

    def __getitem__(self, name: str) -> NDArray[Any]:
        with np.load(io.BytesIO(self.content), allow_pickle=False) as archive:
            found: NDArray[Any] = archive[name]
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Voices:
    """What one recogniser heard in one stretch; the arrays are its own and mean nothing to others."""

    recogniser: str
    version: str
    start_ms: int
    duration_ms: int
    arrays: Mapping[str, NDArray[Any]]

    def packed(self) -> "Voices":
        """Give the same with its arrays packed."""
        return replace(self, arrays=self._archive())

    def to_bytes(self) -> bytes:
        """Give the stretch as an npz archive."""
        return self._archive().content

    @classmethod
    def from_bytes(cls, content: bytes) -> "Voices":
        """Read what `to_bytes` gave; the arrays stay packed."""
        arrays = Archive(content)
        (start_ms, duration_ms), (recogniser, version) = arrays["_head"].tolist(), arrays["_name"].tolist()
        return cls(recogniser, version, start_ms, duration_ms, arrays)

    def _archive(self) -> Archive:
        if isinstance(self.arrays, Archive):
            return self.arrays
        head = np.array([self.start_ms, self.duration_ms], np.int64)
        name = np.array([self.recogniser, self.version])
        return Archive.of({"_head": head, "_name": name, **self.arrays})


class SpeakerRecogniser(Protocol):
    """Who speaks when, without names: equal audio gives equal turns."""

    @property
    def name(self) -> str:
        """The word it is registered by."""
        ...

    @property
    def version(self) -> str:
        """Changes whenever its turns may."""
        ...

    @property
    def sha256(self) -> str | None:
        """The hash of its weights, None when it has none."""
        ...

    def hear(self, samples: NDArray[np.float32], start_ms: int) -> Voices:
        """Listen to one stretch, mono 16 kHz in [-1, 1], that starts at `start_ms` of the recording."""
        ...

    def turns(
        self,
        heard: Sequence[Voices],
        *,
        num_speakers: int | None = None,
        min_speakers: int | None = None,
        max_speakers: int | None = None,
    ) -> list[Turn]:
        """Give the turns of all stretches by time, voices labelled SPEAKER_00, SPEAKER_01... as they appear."""
        ...


def recogniser(name: str = DEFAULT, **options: Any) -> SpeakerRecogniser:
    """Give a recogniser by name; its libraries are imported now, its networks when it first hears."""
    if name not in BACKENDS:
        raise UsageError(f"no speaker recogniser is named {name!r}; there are: {', '.join(BACKENDS)}")
    module, kind = BACKENDS[name]
    made: SpeakerRecogniser = getattr(import_module(module), kind)(**options)
    return made


def labelled(spans: Sequence[tuple[int, int, int, float]]) -> list[Turn]:
    """Give turns of (t0, t1, voice, score) with voices renamed by first appearance."""
    ordered = sorted(spans)
    places = {voice: place for place, voice in enumerate(dict.fromkeys(voice for _, _, voice, _ in ordered))}
    return [Turn(t0, t1, f"SPEAKER_{places[voice]:02d}", round(score, 3)) for t0, t1, voice, score in ordered]
