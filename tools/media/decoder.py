"""Decoding in a process of its own, bounded in memory and time, so that a file that kills a decoder costs that file.

FFmpeg is a million lines of C that read what strangers wrote. The child is given the file's name and sends samples back
through a pipe; it dies with its reader. Run as a module it is the child.
"""

import json
import os
import signal
import struct
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import IO

import numpy as np

from store.errors import DataError
from tools.media import audio
from tools.media.audio import MAX_HOURS, AudioFile, Samples, Warn
from tools.media.container import regular

MEMORY = 1024**3  # bytes of address space, of which 32 channels at 96 kHz were measured to take a quarter
PATIENCE_S = 60  # of processor time for ten seconds of audio, which take a tenth of a second at worst
_HEAD = struct.Struct("<cI")
_LARGEST = 1 << 24
_SAMPLES, _WARNING, _FILE, _FAULT, _BUG, _END = b"s", b"w", b"f", b"e", b"b", b"."


def probe(path: Path) -> AudioFile:
    """Do what `audio.probe` does."""
    for kind, content in _asked(path, {"probe": 1}):
        if kind == _FILE:
            return AudioFile(path, **json.loads(content))
    raise AssertionError("a probe ends with a file or a fault")


def decode(
    path: Path,
    start_ms: int = 0,
    end_ms: int | None = None,
    *,
    warn: Warn = lambda line: None,
    channel: int | None = None,
    max_hours: float = MAX_HOURS,
) -> Iterator[Samples]:
    """Do what `audio.decode` does; DataError also when the decoder died or spent its memory or its time."""
    wanted = {"start_ms": start_ms, "end_ms": end_ms, "channel": channel, "max_hours": max_hours}
    for kind, content in _asked(path, wanted):
        if kind == _SAMPLES:
            yield np.frombuffer(content, np.float32)
        elif kind == _WARNING:
            warn(content.decode("utf-8", "surrogatepass"))


def _asked(path: Path, wanted: Mapping[str, float | None]) -> Iterator[tuple[bytes, bytes]]:
    """Give what the child sends, until it ends; a fault it tells of, or its death, is a DataError."""
    regular(path)
    child = _started(json.dumps([wanted, MEMORY, PATIENCE_S]), str(path.absolute()))
    assert child.stdout is not None
    try:
        while (sent := _received(child.stdout)) is not None and sent[0] != _END:
            if sent[0] == _FAULT:
                raise DataError(sent[1].decode("utf-8", "surrogatepass"))
            if sent[0] == _BUG:
                raise RuntimeError(sent[1].decode())
            yield sent
        if sent is None:
            raise DataError(f"{path.name!r} cannot be read: its decoder {_ending(child.wait())}")
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


def _started(*arguments: str) -> "subprocess.Popen[bytes]":
    roots = [str(Path(__file__).resolve().parents[2]), os.environ.get("PYTHONPATH", "")]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", __name__, *arguments],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, roots)), "OPENBLAS_NUM_THREADS": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )


def _received(pipe: IO[bytes]) -> tuple[bytes, bytes] | None:
    head = pipe.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    kind, size = _HEAD.unpack(head)
    content = pipe.read(min(size, _LARGEST))
    return (kind, content) if len(content) == size else None


def _ending(code: int) -> str:
    """Say how a child ended that said nothing itself."""
    if code == -getattr(signal, "SIGXCPU", 0):
        return f"spent {PATIENCE_S} s on one place in it"
    if code < 0:
        return f"died of {signal.Signals(-code).name}"
    return f"ended with code {code}"


def main(asked: str, name: str) -> None:
    """Decode what is asked of a file, and write it to stdout piece by piece."""
    out = sys.stdout.buffer

    def send(kind: bytes, content: bytes = b"") -> None:
        out.write(_HEAD.pack(kind, len(content)) + content)
        out.flush()

    import_module(
        "av.subtitles.stream"
    )  # all of PyAV, before it is bounded: what it takes to start is no fault of the file
    wanted, memory, seconds = json.loads(asked)
    patience, path = _bounded(memory, seconds), Path(name)
    try:
        if wanted.pop("probe", False):
            send(_FILE, _described(audio.probe(path)))
        else:
            for block in audio.decode(path, warn=lambda line: send(_WARNING, _coded(line)), **wanted):
                patience()
                send(_SAMPLES, block.tobytes())
        send(_END)
    except DataError as error:
        send(_FAULT, _coded(str(error)))
    except MemoryError:  # also where numpy, not FFmpeg, was refused
        send(_FAULT, _coded(f"{path.name!r} cannot be read: decoding it takes more than {memory / 2**30:.1f} GB"))
    except BrokenPipeError:
        os._exit(0)
    except Exception:
        send(_BUG, traceback.format_exc().encode("utf-8", "replace"))


def _described(file: AudioFile) -> bytes:
    return json.dumps({key: value for key, value in asdict(file).items() if key != "path"}).encode()


def _coded(line: str) -> bytes:
    return line.encode("utf-8", "surrogatepass")


def _bounded(memory: int, seconds: int) -> Callable[[], None]:
    """Bound this process, where the platform can; give what grants it the time for another block."""
    try:
        import resource
    except ImportError:  # Windows bounds nothing, and a crash still costs the child alone
        return lambda: None
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    def patience() -> None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        with suppress(ValueError, OSError):
            most = resource.getrlimit(resource.RLIMIT_CPU)[1]
            resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + seconds, most))

    patience()
    return patience


if __name__ == "__main__":
    main(*sys.argv[1:])
