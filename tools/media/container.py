"""A file's audio track, opened so that nothing but the file itself is read.

Only an existing regular file is opened, by the `file` protocol and an allow-list of containers: a playlist named .mp3
would otherwise open other files. Of several tracks the one marked as default is heard, else the first.
"""

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from store.errors import DataError

if TYPE_CHECKING:
    from av import AudioFrame, AudioStream
    from av.container import InputContainer

FORMATS = (
    "wav,w64,aiff,au,caf,flac,mp3,aac,ogg,mov,matroska,avi,asf,flv,mpegts,mpeg,amr,amrnb,amrwb,ac3,eac3,dts,wv,tta,ape"
)
GUESSED = ("aac", "ac3", "eac3", "dts", "amr", "amrnb", "amrwb")  # nowhere do these say how long they are
_MOST_FAULTS = 10_000
_FIRST_FRAME = 4096


@contextmanager
def opened(path: Path) -> Iterator[tuple["InputContainer", "AudioStream"]]:
    """Open a file and choose its audio track; DataError when there is no such file, no audio or no known codec."""
    import av

    try:
        with _container(path) as container:
            yield container, _track(container, path)
    except av.FFmpegError as error:
        raise DataError(f"{path.name!r} cannot be read as audio or video: {error.strerror}") from error


def regular(path: Path) -> Path:
    """Give the file a path leads to; DataError when there is none, or something that is no file."""
    try:
        found = path.resolve(strict=True)
        if stat.S_ISREG(found.stat().st_mode):
            return found
    except (OSError, ValueError, RuntimeError) as error:
        raise DataError(f"{path.name or str(path)!r}: no such file") from error
    raise DataError(f"{path.name or str(path)!r} is no regular file")


def frames(container: "InputContainer", stream: "AudioStream", faults: list[str]) -> Iterator["AudioFrame"]:
    """Decode on behind damaged packets; each damage is one entry of `faults`."""
    import av

    packets = container.demux(stream)
    while True:
        try:
            packet = next(packets, None)
            if packet is None:
                return
            yield from packet.decode()
        except av.EOFError:
            return
        except av.FFmpegError as error:
            if isinstance(error, MemoryError):
                raise
            faults.append(f"damaged: {error.strerror}")
            if len(faults) > _MOST_FAULTS:
                return


def guessed(container: "InputContainer", path: Path) -> bool:
    """Say whether a length is FFmpeg's guess from size and bit rate, which lies by half for a variable rate.

    An mp3 says its length only in a Xing, Info or VBRI header in its first frame.
    """
    if container.format.name != "mp3":
        return container.format.name in GUESSED
    first = _first_frame(path)
    return not any(mark in first for mark in (b"Xing", b"Info", b"VBRI"))


def _first_frame(path: Path) -> bytes:
    """Give the bytes behind an mp3's tags, where its first frame is; none when the file is gone by now."""
    try:
        with path.open("rb") as file:
            head = file.read(10)
            tagged = head[:3] == b"ID3" and len(head) == 10
            size = sum((byte & 127) << shift for byte, shift in zip(head[6:], (21, 14, 7, 0), strict=False))
            file.seek(10 + size if tagged else 0)
            return file.read(_FIRST_FRAME)
    except OSError:
        return b""


def _track(container: "InputContainer", path: Path) -> "AudioStream":
    tracks = [stream for stream in container.streams.audio if stream.codec_context is not None]
    if not container.streams.audio:
        raise DataError(f"{path.name!r}: no audio in it")
    if not tracks:
        raise DataError(f"{path.name!r} cannot be read: its audio codec is unknown")
    return next((stream for stream in tracks if _default(stream)), tracks[0])


def _default(stream: "AudioStream") -> bool:
    from av.stream import Disposition

    return bool(stream.disposition & Disposition.default)


def _container(path: Path) -> "InputContainer":
    import av

    options = {"protocol_whitelist": "file", "format_whitelist": FORMATS}
    try:
        return av.open(f"file:{regular(path)}", options=options, metadata_errors="replace")
    except av.FFmpegError:
        raise  # some are ValueErrors too
    except (UnicodeEncodeError, ValueError, OverflowError) as error:
        raise DataError(f"{path.name!r} cannot be read as audio or video: a malformed name or header") from error
