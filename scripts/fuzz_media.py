"""Decode damaged recordings and say what became of each: samples, one line, a crash or too long.

    python -m scripts.fuzz_media [--files 20000] [--seed N] [--keep FOLDER]

Headers of wav, mp3, flac, ogg, m4a, mkv and others are damaged byte by byte. A worker of bounded memory and time
decodes them one after the other; when it dies, the file it had in hand is the culprit, is kept, and another goes on.
"""

import argparse
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from store.errors import DataError
from tools.media import audio

MEMORY = 2 * 1024**3
BATCH = 200
SLOW_S = 2.0
HEADER = 400


@dataclass(slots=True)
class Found:
    """How many files ended in which way, and which of them crashed or were slow."""

    ways: Counter[str] = field(default_factory=Counter)
    culprits: list[Path] = field(default_factory=list)


def damaged(content: bytes, dice: np.random.Generator) -> bytes:
    """Change up to eight bytes of a header, or cut or repeat a part of it."""
    made = bytearray(content)
    for _ in range(dice.integers(1, 9)):
        place = int(dice.integers(0, min(HEADER, len(made))))
        match dice.integers(6):
            case 0:
                del made[place : place + int(dice.integers(1, 16))]
            case 1:
                made[place:place] = made[place : place + int(dice.integers(1, 16))]
            case 2:
                made[place : place + 4] = dice.choice([b"\xff" * 4, bytes(4), b"\x7f\xff\xff\xff", b"\x80\0\0\0"])
            case _:
                made[place] = int(dice.integers(256))
        if not made:
            return content
    return bytes(made)


def fuzz(seeds: list[Path], files: int, folder: Path, seed: int = 1) -> Found:
    """Damage the seeds in turn and decode each; a culprit's file stays in the folder."""
    found = Found()
    number = 0
    while number < files:
        number = _batch(seeds, range(number, min(files, number + BATCH)), folder, seed, found)
    return found


def _batch(seeds: list[Path], numbers: range, folder: Path, seed: int, found: Found) -> int:
    """Give the first file that was not decoded, after a worker has ended."""
    reading, writing = os.pipe()
    worker = os.fork()
    if not worker:
        os.close(reading)
        _work(seeds, numbers, folder, seed, writing)
    os.close(writing)
    with os.fdopen(reading) as told:
        lines = told.read().split()
    code = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
    found.ways.update(lines)
    at = numbers.start + len(lines)
    if len(lines) < len(numbers):
        found.ways[f"crash {signal.Signals(-code).name if code < 0 else code}"] += 1
    found.culprits += [
        _path(seeds, n, folder) for n in range(numbers.start, at + 1) if _path(seeds, n, folder).exists()
    ]
    return max(at + (len(lines) < len(numbers)), numbers.start + 1)


def _work(seeds: list[Path], numbers: range, folder: Path, seed: int, writing: int) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (600, 600))
    code = 1
    try:
        for number in numbers:
            path = _path(seeds, number, folder)
            path.write_bytes(damaged(seeds[number % len(seeds)].read_bytes(), np.random.default_rng([seed, number])))
            began = time.process_time()
            way = outcome(path)
            slow = time.process_time() - began > SLOW_S
            os.write(writing, f"{'slow' if slow else way}\n".encode())
            if not slow and way in ("decoded", "refused"):
                path.unlink()
        code = 0
    finally:
        os._exit(code)


def outcome(path: Path) -> str:
    """Decode a file: `decoded` or `refused`; `odd` when samples or a line are not what they must be."""
    try:
        whole = all(bool(np.isfinite(block).all()) for block in audio.decode(path, max_hours=0.1))
    except DataError as error:
        return "odd" if "\n" in str(error) else "refused"
    except Exception as error:
        return type(error).__name__
    return "decoded" if whole else "odd"


def _path(seeds: list[Path], number: int, folder: Path) -> Path:
    return folder / f"fuzz-{number}{seeds[number % len(seeds)].suffix}"


def main() -> int:
    """Fuzz with the sample and files made of its first second; 1 when a file was a culprit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=Path("fuzzed"))
    asked = parser.parse_args()
    from tests.tools.media.files import seeds

    with tempfile.TemporaryDirectory() as folder:
        began = time.monotonic()
        found = fuzz(seeds(Path(folder)), asked.files, Path(folder), asked.seed)
        for path in found.culprits:
            asked.keep.mkdir(exist_ok=True)
            shutil.copy(path, asked.keep)
    print(
        f"{asked.files} files in {time.monotonic() - began:.0f} s: {dict(found.ways)}; culprits: {len(found.culprits)}"
    )
    return 1 if found.culprits else 0


if __name__ == "__main__":
    sys.exit(main())
