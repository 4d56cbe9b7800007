"""The decoder's own process: the same samples and lines as without it, and a death that costs one file."""

import os
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agent.evals.sample import FOLDER
from store.errors import DataError
from tests.tools.media.files import encode, pcm, speechlike, wav
from tools.media import audio, decoder

MEETING = FOLDER / "meeting.opus"


@pytest.fixture
def long(tmp_path: Path) -> Path:
    return encode(tmp_path / "long.flac", speechlike(120), 16_000, "flac", "s16")


@pytest.fixture
def children(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[subprocess.Popen[bytes]]]:
    """The processes that decoding starts."""
    started: list[subprocess.Popen[bytes]] = []
    popen = subprocess.Popen

    def start(*arguments: Any, **options: Any) -> subprocess.Popen[bytes]:
        started.append(popen(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", start)
    yield started
    assert all(child.poll() is not None for child in started)


def test_the_samples_and_the_header_are_the_same() -> None:
    assert decoder.probe(MEETING) == audio.probe(MEETING)
    for start, end in ((0, 30_000), (61_234, 75_000)):
        apart = np.concatenate(list(decoder.decode(MEETING, start, end)))
        assert np.array_equal(apart, np.concatenate(list(audio.decode(MEETING, start, end))))


def test_warnings_and_faults_come_through(tmp_path: Path) -> None:
    path = encode(tmp_path / "x\udcff.mp3", speechlike(3), 16_000, "libmp3lame", "fltp")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    lines: list[str] = []
    assert sum(map(len, decoder.decode(path, warn=lines.append))) < 2 * 16_000
    assert "of 3.0 s; the file may be cut off" in lines[0]
    assert path.name.encode("utf-8", "surrogateescape").decode("ascii", "ignore") in lines[0].replace("\\udcff", "")
    (tmp_path / "text.mp3").write_text("dear diary " * 500)
    with pytest.raises(DataError, match=r"^'text\.mp3' cannot be read as audio or video: Invalid data"):
        decoder.probe(tmp_path / "text.mp3")
    with pytest.raises(DataError, match="more than 0.0001 hours"):
        list(decoder.decode(MEETING, max_hours=0.0001))
    with pytest.raises(DataError, match="no such file"):
        decoder.probe(Path("nul\0byte.wav"))


def test_a_decoder_that_dies_is_one_line(long: Path, children: list[subprocess.Popen[bytes]]) -> None:
    blocks = decoder.decode(long)
    assert len(next(blocks)) == audio.BLOCK
    os.kill(children[0].pid, signal.SIGSEGV)
    with pytest.raises(DataError, match=r"^'long\.flac' cannot be read: its decoder died of SIGSEGV$"):
        list(blocks)


def test_who_stops_reading_ends_the_decoder(long: Path, children: list[subprocess.Popen[bytes]]) -> None:
    blocks = decoder.decode(long)
    next(blocks)
    assert children[0].poll() is None
    blocks.close()  # type: ignore[attr-defined]
    assert children[0].poll() == -signal.SIGKILL


def test_memory_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.wav"
    path.write_bytes(wav(32, 96_000, pcm(np.zeros(32 * 96_000 * 3, np.float32))))
    monkeypatch.setattr(decoder, "MEMORY", 1 << 20)
    with pytest.raises(DataError, match=r"'x\.wav' cannot be read.*(allocate memory|more than 0.0 GB)"):
        list(decoder.decode(path))


def test_time_without_a_sample_is_bounded(long: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoder, "PATIENCE_S", 0)
    with pytest.raises(DataError, match="its decoder spent 0 s on one place in it"):
        list(decoder.decode(long))


def test_no_folder_of_the_caller_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "__init__.py").write_text("raise SystemExit('not ours')")
    (tmp_path / "json.py").write_text("raise SystemExit('not ours')")
    monkeypatch.chdir(tmp_path)
    assert replace(decoder.probe(MEETING), path=Path()) == replace(audio.probe(MEETING), path=Path())
