"""Sound files made for a test, with any encoder the wheel has: their samples are the truth that decoding is held to."""

import struct
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from numpy.typing import NDArray

from tools.media import audio

Samples = NDArray[np.float32]
_LAYOUTS = {1: "mono", 2: "stereo", 6: "5.1", 8: "7.1"}


def speechlike(seconds: float, rate: int = 16_000, seed: int = 0) -> Samples:
    """Noise in bands that come and go, so that a shift of one sample is seen."""
    rng = np.random.default_rng(seed)
    count = int(seconds * rate)
    time = np.arange(count) / rate
    tone = sum(np.sin(2 * np.pi * f * time + rng.uniform(0, 6)) for f in rng.uniform(100, 3000, 12))
    made: Samples = (0.03 * tone * (1 + np.sin(2 * np.pi * 1.3 * time)) + rng.normal(0, 0.01, count)).astype(np.float32)
    return made


def voicelike(seconds: float, rate: int, seed: int = 0) -> Samples:
    """A buzz of 120 Hz with moving formants and pauses: what speech codecs are made for, nothing above 3 kHz."""
    rng = np.random.default_rng(seed)
    time = np.arange(int(seconds * rate)) / rate
    pitch = 120 + 15 * np.sin(2 * np.pi * 0.7 * time + rng.uniform(0, 6))
    phase = 2 * np.pi * np.cumsum(pitch) / rate
    formant = 700 + 300 * np.sin(2 * np.pi * 0.9 * time + rng.uniform(0, 6))
    buzz = sum(np.sin(n * phase) / (1 + ((n * 120 - formant) / 250) ** 2) for n in range(1, 25))
    gate = np.clip(3 * np.sin(2 * np.pi * 0.8 * time + rng.uniform(0, 6)) + 1.5, 0, 1)
    made = gate * buzz
    return np.asarray(0.5 * made / np.abs(made).max(), np.float32)


def encode(
    path: Path,
    samples: Samples,
    rate: int,
    codec: str,
    sample_format: str,
    video: bool = False,
    options: dict[str, str] | None = None,
) -> Path:
    """Write mono samples, or (channels, n), in any container PyAV knows by the file's ending."""
    return tracks(path, [samples], rate, codec, sample_format, video=video, options=options)


def tracks(
    path: Path,
    voices: Sequence[Samples],
    rate: int,
    codec: str,
    sample_format: str,
    *,
    default: int | None = None,
    video: bool = False,
    options: dict[str, str] | None = None,
) -> Path:
    """Write one audio track for each of the samples, the one marked as default told by its number."""
    with av.open(str(path), "w") as out:
        pictures = out.add_stream("mpeg4", rate=5) if video else None
        layouts = [_layout(len(np.atleast_2d(samples))) for samples in voices]
        streams = [
            out.add_stream(codec, rate=rate, layout=layout, format=sample_format, options=options or {})
            for layout in layouts
        ]
        for number, stream in enumerate(streams):
            if default is not None:
                stream.disposition = av.stream.Disposition.default if number == default else av.stream.Disposition(0)
        if pictures is not None:
            pictures.width = pictures.height = 32
            for n in range(10):
                picture = av.VideoFrame.from_ndarray(np.full((32, 32, 3), n, np.uint8), format="rgb24")
                picture.pts, picture.time_base = n, Fraction(1, 5)
                out.mux(pictures.encode(picture))
            out.mux(pictures.encode(None))
        for stream, samples, layout in zip(streams, voices, layouts, strict=True):
            assert isinstance(stream, av.AudioStream)
            _encoded(out, stream, np.atleast_2d(samples), rate, sample_format, layout)
    return path


def _encoded(out: Any, stream: av.AudioStream, planes: Samples, rate: int, sample_format: str, layout: str) -> None:
    convert = av.AudioResampler(format=sample_format, layout=layout, rate=rate, frame_size=stream.frame_size or 1000)
    for begin in range(0, planes.shape[1], 1000):
        block = np.ascontiguousarray(planes[:, begin : begin + 1000].T.astype(np.float32)).reshape(1, -1)
        frame = av.AudioFrame.from_ndarray(block, format="flt", layout=layout)
        frame.sample_rate, frame.pts = rate, begin
        for part in convert.resample(frame):
            out.mux(stream.encode(part))
    for part in convert.resample(None):
        out.mux(stream.encode(part))
    out.mux(stream.encode(None))


def _layout(channels: int) -> str:
    return _LAYOUTS.get(channels, f"{channels} channels")


def wav(channels: int, rate: int, content: bytes, bits: int = 16, kind: int = 1, size: int | None = None) -> bytes:
    """Give a WAV file's bytes with any header, true or not."""
    block = channels * bits // 8
    form = struct.pack("<HHIIHH", kind, channels & 0xFFFF, rate, (rate * block) & 0xFFFFFFFF, block & 0xFFFF, bits)
    body = b"WAVEfmt " + struct.pack("<I", len(form)) + form
    body += b"data" + struct.pack("<I", len(content) if size is None else size) + content
    return b"RIFF" + struct.pack("<I", len(body) & 0xFFFFFFFF) + body


def pcm(samples: Samples) -> bytes:
    """Give samples as 16-bit PCM."""
    return (samples * 32767).astype("<i2").tobytes()


def everything(path: Path, **options: Any) -> Samples:
    """Decode a file from end to end."""
    return np.concatenate([np.empty(0, np.float32), *audio.decode(path, **options)])


def likeness(heard: Samples, truth: Samples, most_lag: int = 3200) -> tuple[float, int]:
    """Give the correlation of two signals at the lag (in samples, positive: heard late) where it is highest."""
    size = max(len(heard), len(truth)) + most_lag
    spectrum = np.fft.rfft(heard, 2 * size) * np.conj(np.fft.rfft(truth, 2 * size))
    products = np.fft.irfft(spectrum)
    products = np.concatenate([products[-most_lag:], products[: most_lag + 1]])
    best = int(np.argmax(products))
    scale = float(np.sqrt(np.square(heard, dtype=np.float64).sum() * np.square(truth, dtype=np.float64).sum()))
    return float(products[best]) / scale, best - most_lag


def seeds(folder: Path) -> list[Path]:
    """Write half a second in each of the containers that fuzzing starts from."""
    kinds = [
        ("wav", "pcm_s16le", "s16", 16_000), ("mp3", "libmp3lame", "fltp", 44_100), ("flac", "flac", "s16", 48_000),
        ("ogg", "libopus", "flt", 48_000), ("m4a", "aac", "fltp", 48_000), ("mkv", "flac", "s16", 16_000),
        ("aiff", "pcm_s16be", "s16", 22_050), ("caf", "pcm_s16le", "s16", 44_100), ("wma", "wmav2", "fltp", 44_100),
        ("amr", "libopencore_amrnb", "s16", 8_000), ("avi", "libmp3lame", "fltp", 44_100),
        ("wv", "wavpack", "s16p", 44_100),
    ]  # fmt: skip
    options = {"wmav2": {"b": "64k"}, "libopencore_amrnb": {"b": "12200"}}
    return [
        encode(folder / f"seed.{ending}", speechlike(0.5, rate), rate, codec, form, options=options.get(codec))
        for ending, codec, form, rate in kinds
    ]
