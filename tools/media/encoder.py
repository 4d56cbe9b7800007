"""Mono 16 kHz samples as the bytes of a file, as endpoints take them."""

import io
import wave
from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from tools.media.audio import RATE

Format = Literal["wav", "flac", "mp3"]
Samples = NDArray[np.float32]
FORMATS: tuple[Format, ...] = ("wav", "flac", "mp3")
BYTES_A_SECOND: Mapping[Format, int] = {"wav": 32_000, "flac": 18_000, "mp3": 8_000}
"""What a second takes: exact for wav and mp3, usual for flac."""


def encoded(samples: Samples, form: Format) -> bytes:
    """Give samples as a file of 16 bits a sample (wav, flac) or 64 kbit/s (mp3)."""
    whole = np.clip(np.rint(samples * 32_768), -32_768, 32_767).astype("<i2")
    if form != "wav":
        return _compressed(whole, form)
    held = io.BytesIO()
    with wave.open(held, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(whole.tobytes())
    return held.getvalue()


def _compressed(whole: NDArray[np.int16], form: Format) -> bytes:
    import av

    held = io.BytesIO()
    with av.open(held, "w", format=form) as container:
        stream = container.add_stream("flac" if form == "flac" else "libmp3lame", rate=RATE, layout="mono")
        if form == "mp3":
            stream.bit_rate = 64_000
        for begin in range(0, len(whole), RATE):
            frame = av.AudioFrame.from_ndarray(whole[None, begin : begin + RATE], format="s16", layout="mono")
            frame.sample_rate, frame.pts = RATE, begin
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return held.getvalue()
