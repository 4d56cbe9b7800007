"""Decoding: every codec lands on the same samples, a bad file is one line, nothing but the file itself is opened."""

import hashlib
import http.server
import os
import threading
import tracemalloc
from pathlib import Path

import av
import numpy as np
import pytest

from store.errors import DataError
from tests.tools.media.files import encode, everything, pcm, speechlike, wav
from tools.media import audio

CODECS = [
    ("a.wav", "pcm_s16le", "s16", 16_000),
    ("b.wav", "pcm_f32le", "flt", 44_100),
    ("c.flac", "flac", "s16", 48_000),
    ("d.mp3", "libmp3lame", "fltp", 44_100),
    ("e.m4a", "aac", "fltp", 48_000),
    ("g.ogg", "libopus", "flt", 48_000),
    ("h.mkv", "flac", "s16", 16_000),
]


@pytest.mark.parametrize(("name", "codec", "sample_format", "rate"), CODECS)
def test_a_stretch_is_the_same_samples_as_in_the_whole(
    tmp_path: Path, name: str, codec: str, sample_format: str, rate: int
) -> None:
    path = encode(tmp_path / name, speechlike(12, rate), rate, codec, sample_format)
    whole = everything(path)
    assert abs(len(whole) - 12 * 16_000) <= 3000
    for start, end in ((0, 500), (333, 1250), (5_001, 7_777), (9_999, 11_000), (11_500, 20_000)):
        expected = whole[start * 16 : end * 16]
        assert np.array_equal(everything(path, start_ms=start, end_ms=end), expected)
        part = audio.read(path, start, end)
        assert len(part) == len(expected)
        assert np.abs(part - expected).max() < (0.02 if codec == "aac" else 1e-9)


@pytest.mark.parametrize("rate", [8_000, 16_000, 44_100])
def test_decoded_samples_are_the_recorded_ones(tmp_path: Path, rate: int) -> None:
    path = encode(tmp_path / "x.wav", np.sin(2 * np.pi * 440 * np.arange(rate * 2) / rate), rate, "pcm_s16le", "s16")
    heard = everything(path)
    expected = np.sin(2 * np.pi * 440 * np.arange(32_000) / 16_000)
    assert len(heard) == 32_000
    assert np.abs(heard - expected)[100:-100].max() < 2e-3


def test_probe_tells_what_is_declared(tmp_path: Path) -> None:
    path = encode(tmp_path / "x.mp3", speechlike(3, 44_100), 44_100, "libmp3lame", "fltp")
    found = audio.probe(path)
    assert (found.sample_rate, found.channels, found.codec, found.format) == (44_100, 1, "mp3float", "mp3")
    assert found.declared_ms is not None
    assert abs(found.declared_ms - 3000) < 60


def test_the_audio_of_a_video_is_heard(tmp_path: Path) -> None:
    path = encode(tmp_path / "x.mp4", speechlike(2), 16_000, "aac", "fltp", video=True)
    assert audio.probe(path).codec == "aac"
    assert 1.9 < len(everything(path)) / 16_000 < 2.2


def test_a_video_without_sound_has_no_audio(tmp_path: Path) -> None:
    with av.open(str(tmp_path / "x.mp4"), "w") as out:
        stream = out.add_stream("mpeg4", rate=5)
        stream.width = stream.height = 32
        out.mux(stream.encode(av.VideoFrame.from_ndarray(np.zeros((32, 32, 3), np.uint8), format="rgb24")))
        out.mux(stream.encode(None))
    with pytest.raises(DataError, match="no audio in it"):
        audio.probe(tmp_path / "x.mp4")


def test_many_channels_become_their_mean_or_one_of_them(tmp_path: Path) -> None:
    voices = np.stack([speechlike(1, seed=n) for n in range(32)])
    path = tmp_path / "x.wav"
    path.write_bytes(wav(32, 16_000, pcm(voices.T)))
    assert np.abs(everything(path) - voices.mean(axis=0)).max() < 1e-4
    assert np.abs(everything(path, channel=7) - voices[7]).max() < 1e-4
    with pytest.raises(DataError, match="no channel 32"):
        everything(path, channel=32)


BAD = {
    "empty.mp3": (b"", "cannot be read"),
    "text.mp3": (b"dear diary, " * 400, "cannot be read"),
    "short.mp3": (b"\xff\xfb\x90\x64" + bytes(96), "cannot be read|no audio"),
    "header.wav": (wav(1, 16_000, b""), "no audio in it"),
    "norate.wav": (wav(1, 0, bytes(3200)), "cannot be read|no audio"),
    "nochannels.wav": (wav(0, 16_000, bytes(3200)), "cannot be read|no audio"),
    "manychannels.wav": (wav(65_535, 16_000, bytes(3200)), "cannot be read|no audio"),
    "hugerate.wav": (wav(1, 0xFFFFFFFF, bytes(3200)), "cannot be read|no audio"),
    "list.mp3": (b"#EXTM3U\n#EXTINF:1,\nsecret.wav\n#EXT-X-ENDLIST\n", "cannot be read"),
    "list.m3u8": (b"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nsecret.wav\n#EXT-X-ENDLIST\n", "cannot be read"),
    "concat.wav": (b"ffconcat version 1.0\nfile secret.wav\n", "cannot be read"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_one_line(tmp_path: Path, name: str) -> None:
    content, message = BAD[name]
    (tmp_path / "secret.wav").write_bytes(wav(1, 16_000, pcm(speechlike(1))))
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=message) as caught:
        list(audio.decode(tmp_path / name))
    assert str(caught.value).count("\n") == 0
    assert name in str(caught.value)
    with pytest.raises(DataError):
        audio.probe(tmp_path / name)


@pytest.mark.parametrize(
    "name", ["http://127.0.0.1:{port}/x.wav", "concat:a.wav|b.wav", "subfile,,start,0,end,9,,:a.wav"]
)
def test_an_address_is_never_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    asked: list[str] = []

    class Ear(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)

    server = http.server.HTTPServer(("127.0.0.1", 0), Ear)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.wav").write_bytes(wav(1, 16_000, pcm(speechlike(1))))
    list_of = (
        f"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nhttp://127.0.0.1:{server.server_port}/x.ts\n#EXT-X-ENDLIST\n"
    )
    (tmp_path / "list.mp3").write_text(list_of)
    for path in (Path(name.format(port=server.server_port)), tmp_path / "list.mp3"):
        with pytest.raises(DataError):
            audio.probe(path)
    server.shutdown()
    server.server_close()
    assert asked == []


def test_only_regular_files_are_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.wav")
    (tmp_path / "folder.wav").mkdir()
    (tmp_path / "loop.wav").symlink_to(tmp_path / "loop.wav")
    for name, message in (("pipe", "no regular file"), ("folder", "no regular file"), ("loop", "no such file")):
        with pytest.raises(DataError, match=message):
            audio.probe(tmp_path / f"{name}.wav")
    with pytest.raises(DataError, match="no such file"):
        audio.probe(Path("nul\0byte.wav"))


NAMES = ["-rf", "a;rm", "new\nline", "esc\x1b[2J", "x" * 255, "con", "%41.wav", "a:b", "\udcff.wav"]


@pytest.mark.parametrize("name", NAMES)
def test_a_strange_name_is_only_a_name(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(wav(1, 16_000, pcm(speechlike(0.5))))
    assert len(everything(path)) == 8_000


def test_a_recording_cut_in_half_is_told(tmp_path: Path) -> None:
    path = encode(tmp_path / "x.mp3", speechlike(3, 16_000), 16_000, "libmp3lame", "fltp")
    content = path.read_bytes()
    path.write_bytes(content[: len(content) // 2])
    lines: list[str] = []
    heard = np.concatenate(list(audio.decode(path, warn=lines.append)))
    assert 1.0 < len(heard) / 16_000 < 1.7
    assert len(lines) >= 1
    assert "s of 3." in lines[0]


def test_a_whole_recording_brings_no_warning(tmp_path: Path) -> None:
    for name, codec, sample_format, rate in CODECS:
        path = encode(tmp_path / name, speechlike(3, rate), rate, codec, sample_format)
        lines: list[str] = []
        list(audio.decode(path, warn=lines.append))
        assert lines == []


def test_a_size_that_lies_is_not_believed(tmp_path: Path) -> None:
    path = tmp_path / "x.wav"
    path.write_bytes(wav(1, 16_000, pcm(speechlike(2)), size=0xFFFFFFFF))
    assert len(everything(path)) == 32_000


def test_what_is_not_a_number_becomes_silence(tmp_path: Path) -> None:
    samples = speechlike(1)
    samples[100:200], samples[300], samples[301] = np.nan, np.inf, 3.5
    path = tmp_path / "x.wav"
    path.write_bytes(wav(1, 16_000, samples.astype("<f4").tobytes(), bits=32, kind=3))
    lines: list[str] = []
    heard = np.concatenate(list(audio.decode(path, warn=lines.append)))
    assert np.isfinite(heard).all()
    assert heard[150] == heard[300] == 0
    assert heard[301] == 1
    assert "not a number" in lines[0]


def test_a_gap_in_the_time_stamps_is_silence(tmp_path: Path) -> None:
    path, samples = tmp_path / "x.mkv", speechlike(2)
    with av.open(str(path), "w") as out:
        stream = out.add_stream("pcm_s16le", rate=16_000, layout="mono")
        assert isinstance(stream, av.AudioStream)
        for begin in range(0, 32_000, 1600):
            block = (samples[None, begin : begin + 1600] * 32767).astype(np.int16)
            frame = av.AudioFrame.from_ndarray(block, format="s16", layout="mono")
            frame.sample_rate, frame.pts = 16_000, begin if begin < 16_000 else begin + 48_000
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    heard = everything(path)
    assert len(heard) == 80_000
    assert not heard[16_000:64_000].any()
    assert np.abs(heard[64_000:] - samples[16_000:]).max() < 1e-4


def test_more_than_the_limit_stops_in_flat_memory(tmp_path: Path) -> None:
    path = tmp_path / "silence.flac"
    encode(path, np.zeros(6 * 60 * 16_000, np.float32), 16_000, "flac", "s16")
    tracemalloc.start()
    with pytest.raises(DataError, match="more than 0.05 hours"):
        for _ in audio.decode(path, max_hours=0.05):
            pass
    assert tracemalloc.get_traced_memory()[1] < 20e6
    tracemalloc.stop()


def test_broken_bytes_in_the_middle_are_told_and_passed(tmp_path: Path) -> None:
    path = encode(tmp_path / "x.flac", speechlike(10), 16_000, "flac", "s16")
    content = bytearray(path.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 200] = bytes(200)
    path.write_bytes(content)
    heard = everything(path)
    assert 9.0 < len(heard) / 16_000 < 10.5


def test_mutated_headers_give_samples_or_one_line(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    heard: list[np.bool_] = []
    refused: list[str] = []
    for name, codec, sample_format, rate in CODECS[:6]:
        content = encode(tmp_path / name, speechlike(0.5, rate), rate, codec, sample_format).read_bytes()
        for _ in range(25):
            mutated = bytearray(content)
            for place in rng.integers(0, min(400, len(mutated)), 6):
                mutated[place] = rng.integers(0, 256)
            (tmp_path / f"m{name}").write_bytes(mutated)
            try:
                heard += [np.isfinite(block).all() for block in audio.decode(tmp_path / f"m{name}", max_hours=0.1)]
            except DataError as error:
                refused.append(str(error))
    assert heard
    assert all(heard)
    assert refused
    assert not any("\n" in line for line in refused)


def test_an_identity_is_the_hash_of_the_bytes(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_bytes(b"first")
    two.write_bytes(b"second" * 1_000_000)
    assert audio.content_id([one]) == hashlib.sha256(b"first").hexdigest()
    assert audio.content_id([one, two]) == audio.content_id([two, one]) != audio.content_id([two])
    with pytest.raises(DataError, match="cannot be read"):
        audio.content_id([tmp_path / "three"])
