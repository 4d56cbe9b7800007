"""Any recording as blocks of mono 16 kHz float32, in flat memory, with PyAV.

Time is what was decoded, never what a header says; frames stand where their time stamps put them, so a gap in a stream
is silence and a seek lands on the same sample as decoding from the start.
"""

import hashlib
import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from store.errors import DataError
from tools.media.container import frames, guessed, opened

if TYPE_CHECKING:
    from av import AudioFrame, AudioStream
    from av.container import InputContainer

Samples = NDArray[np.float32]
Warn = Callable[[str], None]

RATE = 16_000
BLOCK = 10 * RATE
MAX_HOURS = 24.0
# Containers whose seeks were measured to give the same samples as decoding from the start, bit for bit; AAC fills its
# noise bands at random, so there only the place is the same.
SEEKABLE = ("wav", "flac", "mp3", "mov", "ogg")
WARM_UP = 2  # seconds decoded before a seek's target: mp3's bit reservoir, the resampler's filter
PLANES = 8  # from so many channels on, PyAV 18.1 reads one plane too many of a planar frame, and the process dies
SMALLEST_GAP, LARGEST_GAP = 0.1, 600.0


@dataclass(frozen=True, slots=True)
class AudioFile:
    """What a file declares about its audio; `declared_ms` is None when it says nothing, and may lie."""

    path: Path
    declared_ms: int | None
    sample_rate: int
    channels: int
    codec: str
    format: str


def probe(path: Path) -> AudioFile:
    """Say what a file declares, after one frame of audio was really decoded; DataError when there is none."""
    with opened(path) as (container, stream):
        frame = next(frames(container, stream, []), None)
        if frame is None:
            raise DataError(f"{path.name!r}: no audio in it")
        return AudioFile(
            path, _declared_ms(container, stream), frame.sample_rate, len(frame.layout.channels),
            stream.codec_context.name, container.format.name,
        )  # fmt: skip


def decode(
    path: Path,
    start_ms: int = 0,
    end_ms: int | None = None,
    *,
    warn: Warn = lambda line: None,
    channel: int | None = None,
    max_hours: float = MAX_HOURS,
    exact: bool = True,
) -> Iterator[Samples]:
    """Give the samples of [start_ms, end_ms) in blocks of at most ten seconds.

    Channels are averaged with equal weights unless one is named (from 0). `warn` gets a line for audio that is cut off,
    damaged or not a number. `exact` forbids a seek whose samples would differ in noise from a whole decode.
    DataError: no audio, no such file, or more than `max_hours` of it.
    """
    start, end = start_ms * RATE // 1000, math.inf if end_ms is None else end_ms * RATE // 1000
    with opened(path) as (container, stream):
        faults: list[str] = []
        direct = stream.codec_context.name in ("vorbis", *(("aac",) if exact else ()))
        at, pieces = _placed(container, stream, 0 if direct else start, channel, faults)
        reached = at
        for block in _blocks(pieces):
            if reached + len(block) > max_hours * 3600 * RATE:
                raise DataError(f"{path.name!r}: more than {max_hours:g} hours of audio; allow more with --max-hours")
            part = block[max(0, start - reached) : max(0, int(min(end - reached, len(block))))]
            reached += len(block)
            if len(part):
                yield part
            if reached >= end:
                break
        else:
            declared = None if guessed(container, path) else _declared_ms(container, stream)
            _end(path, reached, declared, faults, warn)


def read(path: Path, start_ms: int, end_ms: int, *, warn: Warn = lambda line: None) -> Samples:
    """Give the samples of [start_ms, end_ms) as one array; shorter where the recording ends before."""
    return np.concatenate([np.empty(0, np.float32), *decode(path, start_ms, end_ms, warn=warn, exact=False)])


def content_id(paths: Iterable[Path]) -> str:
    """Give the SHA-256 of a file's bytes, or of the sorted hashes of several, in hex."""
    digests = sorted(_sha256(path) for path in paths)
    return digests[0] if len(digests) == 1 else hashlib.sha256("\n".join(digests).encode()).hexdigest()


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise DataError(f"{path.name!r} cannot be read: {error.strerror}") from error


def _placed(
    container: "InputContainer", stream: "AudioStream", start: int, channel: int | None, faults: list[str]
) -> tuple[int, Iterator[Samples]]:
    """Give the 16 kHz place of the first sample that will come, at or before `start`, and the samples from there on."""
    source = frames(container, stream, faults)
    first = next(source, None)
    if first is None:
        return 0, iter(())
    rate, offset = first.sample_rate, _place(first, first.sample_rate) or 0
    origin = min(offset, round((container.start_time or 0) * rate / 1_000_000))
    wanted = start * rate // RATE - WARM_UP * rate
    if wanted > 0 and stream.time_base and container.format.name.split(",")[0] in SEEKABLE:
        grain = rate // math.gcd(rate, RATE)
        container.seek(int((wanted - rate + origin) / rate / stream.time_base), stream=stream)
        again = frames(container, stream, faults)
        landed = next(again, None)
        place = _place(landed, rate) if landed is not None else None
        if landed is not None and place is not None and place - origin <= wanted:
            begin = wanted // grain * grain
            return begin * RATE // rate, _resampled(_mono(chain([landed], again), begin + origin, channel, faults))
        container.seek(0)
        source = frames(container, stream, faults)
        first = next(source)
    return 0, _resampled(_mono(chain([first], source), origin, channel, faults))


def _place(frame: "AudioFrame", rate: int) -> int | None:
    return None if frame.pts is None or frame.time_base is None else round(frame.pts * frame.time_base * rate)


def _mono(
    source: Iterable["AudioFrame"], expected: int, channel: int | None, faults: list[str]
) -> Iterator[tuple[int, Samples]]:
    """Give (rate, samples) from source sample `expected` on: earlier ones are dropped, gaps in time are silence."""
    begin = expected
    for frame in source:
        rate, samples = frame.sample_rate, _channel(frame, channel, faults)
        place = _place(frame, rate)
        if place is not None and place < expected == begin:
            samples = samples[expected - place :]
        elif place is not None and SMALLEST_GAP * rate < place - expected < LARGEST_GAP * rate:
            yield rate, np.zeros(place - expected, np.float32)
            expected = place
        if len(samples):
            expected += len(samples)
            yield rate, samples


def _channel(frame: "AudioFrame", channel: int | None, faults: list[str]) -> Samples:
    """Give one channel, or the mean of all, as float32 in [-1, 1]; what is not a number becomes silence."""
    count = len(frame.layout.channels)
    frame = _packed(frame) if frame.format.is_planar and count >= PLANES else frame
    raw: NDArray[Any] = frame.to_ndarray()
    planes = raw if frame.format.is_planar else raw.reshape(-1, count).T
    if channel is not None and channel >= count:
        raise DataError(f"no channel {channel}: the file has {count}, counted from 0")
    chosen = planes[[channel]] if channel is not None else planes
    if raw.dtype == np.uint8:
        chosen = chosen.astype(np.float32) / 128 - 1
    elif raw.dtype.kind == "i":
        chosen = chosen.astype(np.float32) / -float(np.iinfo(raw.dtype).min)
    elif not np.isfinite(chosen).all():
        faults.append("not a number")
        chosen = np.nan_to_num(chosen, nan=0.0, posinf=0.0, neginf=0.0)
    mean: Samples = np.clip(chosen, -1, 1).mean(axis=0, dtype=np.float32)
    return mean


def _packed(frame: "AudioFrame") -> "AudioFrame":
    import av

    (packed,) = av.AudioResampler(frame.format.packed, frame.layout, frame.sample_rate).resample(frame)
    return packed


def _resampled(pieces: Iterable[tuple[int, Samples]]) -> Iterator[Samples]:
    """Bring pieces to 16 kHz; a rate that changes in the stream starts a new resampler."""
    import av

    current, resampler = RATE, None
    for rate, samples in pieces:
        if rate != current:
            yield from _flush(resampler)
            current = rate
            resampler = None if rate == RATE else av.AudioResampler(format="fltp", layout="mono", rate=RATE)
        if resampler is None:
            yield samples
            continue
        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(samples[None]), format="fltp", layout="mono")
        frame.sample_rate = rate
        for out in resampler.resample(frame):
            yield out.to_ndarray()[0]
    yield from _flush(resampler)


def _flush(resampler: "object | None") -> Iterator[Samples]:
    import av

    if isinstance(resampler, av.AudioResampler):
        for out in resampler.resample(None):
            yield out.to_ndarray()[0]


def _blocks(pieces: Iterable[Samples]) -> Iterator[Samples]:
    held: list[Samples] = []
    size = 0
    for piece in pieces:
        for begin in range(0, len(piece), BLOCK):
            held.append(piece[begin : begin + BLOCK])
            size += len(held[-1])
            if size >= BLOCK:
                joined = np.concatenate(held)
                yield joined[:BLOCK]
                held, size = [joined[BLOCK:]], size - BLOCK
    if size:
        yield np.concatenate(held)


def _declared_ms(container: "InputContainer", stream: "AudioStream") -> int | None:
    if stream.duration and stream.time_base:
        return round(stream.duration * stream.time_base * 1000)
    return round(container.duration / 1000) if container.duration else None


def _end(path: Path, reached: int, declared_ms: int | None, faults: list[str], warn: Warn) -> None:
    """Say what was wrong with a recording that was decoded to its end."""
    if not reached:
        raise DataError(f"{path.name!r}: no audio in it")
    seconds = reached / RATE
    if declared_ms is not None and seconds < declared_ms / 1000 * 0.99 - 0.1:
        warn(f"{path.name!r}: decoded {seconds:.1f} s of {declared_ms / 1000:.1f} s; the file may be cut off")
    for kind in sorted(set(faults)):
        warn(f"{path.name!r}: {faults.count(kind)} parts of the audio are {kind} and were replaced or left out")
