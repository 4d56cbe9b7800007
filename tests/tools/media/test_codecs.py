"""Every file people have: each codec, container, rate and number of channels gives the samples that were recorded."""

from pathlib import Path

import av
import numpy as np
import pytest

from store.errors import DataError
from tests.tools.media.files import encode, everything, likeness, pcm, tracks, voicelike, wav
from tools.media import audio

SECONDS = 2
# name, encoder, sample format, rate, channels, least likeness, and the samples of one frame of the codec
KINDS = [
    ("cbr.mp3", "libmp3lame", "fltp", 44_100, 1, 0.99, 1152),
    ("x.mp2", "mp2", "s16", 44_100, 2, 0.99, 1152),
    ("x.m4a", "aac", "fltp", 48_000, 2, 0.98, 1024),
    ("x.aac", "aac", "fltp", 44_100, 1, 0.98, 1024),
    ("x.opus", "libopus", "flt", 48_000, 1, 0.99, 960),
    ("x.ogg", "vorbis", "fltp", 44_100, 2, 0.99, 2048),
    ("x.oga", "flac", "s16", 44_100, 2, 0.99, 4608),
    ("x.flac", "flac", "s32", 96_000, 2, 0.99, 4608),
    ("alac.m4a", "alac", "s16p", 44_100, 2, 0.99, 4096),
    ("u8.wav", "pcm_u8", "u8", 8_000, 1, 0.99, 1),
    ("s16.wav", "pcm_s16le", "s16", 12_345, 1, 0.99, 1),
    ("s24.wav", "pcm_s24le", "s32", 96_000, 2, 0.99, 1),
    ("s32.wav", "pcm_s32le", "s32", 48_000, 1, 0.99, 1),
    ("f32.wav", "pcm_f32le", "flt", 11_025, 1, 0.99, 1),
    ("f64.wav", "pcm_f64le", "dbl", 22_050, 2, 0.99, 1),
    ("mulaw.wav", "pcm_mulaw", "s16", 8_000, 1, 0.99, 1),
    ("alaw.wav", "pcm_alaw", "s16", 8_000, 1, 0.99, 1),
    ("ms.wav", "adpcm_ms", "s16", 22_050, 1, 0.99, 2024),
    ("ima.wav", "adpcm_ima_wav", "s16p", 22_050, 1, 0.99, 2041),
    ("x.w64", "pcm_s16le", "s16", 32_000, 1, 0.99, 1),
    ("x.aiff", "pcm_s16be", "s16", 44_100, 2, 0.99, 1),
    ("x.au", "pcm_s16be", "s16", 16_000, 1, 0.99, 1),
    ("x.caf", "pcm_s16le", "s16", 44_100, 2, 0.99, 1),
    ("x.wma", "wmav2", "fltp", 44_100, 2, 0.96, 2048),
    ("x.amr", "libopencore_amrnb", "s16", 8_000, 1, 0.85, 160),
    ("x.3gp", "libopencore_amrnb", "s16", 8_000, 1, 0.85, 160),
    ("x.ac3", "ac3", "fltp", 48_000, 2, 0.99, 1536),
    ("x.eac3", "eac3", "fltp", 48_000, 2, 0.99, 1536),
    ("x.wv", "wavpack", "s16p", 44_100, 2, 0.99, 22_050),
    ("x.tta", "tta", "s16", 44_100, 2, 0.99, 1),
]
VIDEOS = [
    ("x.mp4", "aac", "fltp", 44_100, 1024),
    ("x.mov", "pcm_s16le", "s16", 48_000, 1),
    ("x.mkv", "libopus", "flt", 48_000, 960),
    ("x.avi", "libmp3lame", "fltp", 44_100, 1152),
    ("x.ts", "aac", "fltp", 48_000, 1024),
    ("x.mpg", "mp2", "s16", 48_000, 1152),
    ("x.wmv", "wmav2", "fltp", 44_100, 2048),
]
OPTIONS = {"vorbis": {"strict": "-2"}, "wmav2": {"b": "128k"}, "libopencore_amrnb": {"b": "12200"}}


def assert_heard(path: Path, like: float, frame_ms: float) -> None:
    warnings: list[str] = []
    heard = everything(path, warn=warnings.append)
    alike, lag = likeness(heard, voicelike(SECONDS, audio.RATE))
    assert alike > like
    assert abs(lag) / 16 <= frame_ms + 1
    assert -frame_ms - 1 <= (len(heard) / 16) - SECONDS * 1000 <= 2 * frame_ms + 1
    assert warnings == []


@pytest.mark.parametrize(("name", "codec", "form", "rate", "channels", "like", "frame"), KINDS, ids=lambda v: str(v))
def test_the_recorded_samples_are_heard(
    tmp_path: Path, name: str, codec: str, form: str, rate: int, channels: int, like: float, frame: int
) -> None:
    voice = voicelike(SECONDS, rate)
    path = encode(tmp_path / name, np.stack([voice] * channels), rate, codec, form, options=OPTIONS.get(codec))
    found = audio.probe(path)
    assert (found.sample_rate, found.channels) == (rate, channels)
    assert_heard(path, like, frame / rate * 1000)


@pytest.mark.parametrize(("name", "codec", "form", "rate", "frame"), VIDEOS, ids=lambda v: str(v))
def test_the_sound_of_a_video_is_heard(tmp_path: Path, name: str, codec: str, form: str, rate: int, frame: int) -> None:
    stereo = np.stack([voicelike(SECONDS, rate)] * 2)
    path = encode(tmp_path / name, stereo, rate, codec, form, video=True, options=OPTIONS.get(codec))
    assert_heard(path, 0.96, frame / rate * 1000)


@pytest.mark.parametrize("name", ["opus.webm", "vorbis.webm"])
def test_webm_is_heard(tmp_path: Path, name: str) -> None:
    codec, form = {"opus.webm": ("libopus", "flt"), "vorbis.webm": ("vorbis", "fltp")}[name]
    stereo = np.stack([voicelike(SECONDS, 48_000)] * 2)
    path = encode(tmp_path / name, stereo, 48_000, codec, form, options=OPTIONS.get(codec))
    assert_heard(path, 0.98, 2048 / 48)


@pytest.mark.parametrize(
    ("name", "codec", "form"), [("x.mkv", "flac", "s16"), ("x.mp4", "aac", "fltp"), ("x.mov", "pcm_s16le", "s16")]
)
@pytest.mark.parametrize("default", [0, 1, 2])
def test_of_several_tracks_the_default_one_is_heard(
    tmp_path: Path, name: str, codec: str, form: str, default: int
) -> None:
    voices = [voicelike(1, 48_000, seed=seed) for seed in range(3)]
    path = tracks(tmp_path / name, voices, 48_000, codec, form, default=default)
    heard = everything(path)
    alike = [likeness(heard, voicelike(1, audio.RATE, seed=seed))[0] for seed in range(3)]
    assert np.argmax(alike) == default
    assert alike[default] > 0.95


def test_of_several_tracks_without_a_default_the_first_is_heard(tmp_path: Path) -> None:
    path = tracks(tmp_path / "x.ts", [voicelike(1, 48_000, seed=seed) for seed in (1, 2)], 48_000, "mp2", "s16")
    with av.open(str(path)) as container:
        assert not any(stream.disposition for stream in container.streams.audio)
    heard = everything(path)
    assert likeness(heard, voicelike(1, audio.RATE, seed=1))[0] > 0.95


@pytest.mark.parametrize(
    ("name", "codec", "form", "channels"),
    [("x.flac", "flac", "s16", 8), ("x.m4a", "aac", "fltp", 8), ("x.ogg", "libopus", "flt", 8),
     ("x.mkv", "pcm_f32le", "flt", 12), ("x.ac3", "ac3", "fltp", 6), ("x.wav", "pcm_s24le", "s32", 32)],
)  # fmt: skip
def test_of_many_channels_the_mean_or_one_is_heard(
    tmp_path: Path, name: str, codec: str, form: str, channels: int
) -> None:
    """Eight planes once ended the process: PyAV reads a ninth."""
    voices = np.stack([voicelike(1, 48_000, seed=seed) for seed in range(channels)]) * np.float32(0.5)
    path = encode(tmp_path / name, voices, 48_000, codec, form)
    assert audio.probe(path).channels == channels
    truth = np.stack([voicelike(1, audio.RATE, seed=seed) for seed in range(channels)])
    assert likeness(everything(path), truth.mean(axis=0))[0] > 0.85  # the bass channel keeps its bass alone
    assert likeness(everything(path, channel=1), truth[1])[0] > 0.97


@pytest.mark.parametrize("rate", [8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 88_200, 96_000, 7_350, 37_800, 15_999])
def test_any_rate_is_heard_at_its_speed(tmp_path: Path, rate: int) -> None:
    path = tmp_path / "x.wav"
    path.write_bytes(wav(1, rate, pcm(voicelike(SECONDS, rate))))
    assert_heard(path, 0.99, 0)


def variable(path: Path) -> tuple[Path, float]:
    """Write an mp3 of variable rate, quiet then loud, and give its length in seconds."""
    voice = np.concatenate([np.zeros(20 * 44_100, np.float32), voicelike(4, 44_100)])
    options = {"flags": "+qscale", "global_quality": "590"}
    return encode(path, voice, 44_100, "libmp3lame", "fltp", options=options), 24.0


def test_a_variable_rate_without_a_header_is_no_damage(tmp_path: Path) -> None:
    """FFmpeg guesses the length from the first rate it sees; what was decoded is what there is."""
    path, seconds = variable(tmp_path / "x.mp3")
    content = path.read_bytes()
    assert b"Xing" in content[:500]
    path.write_bytes(content.replace(b"Xing", bytes(4), 1))
    declared = audio.probe(path).declared_ms
    assert declared is not None
    assert abs(declared - seconds * 1000) > 2000
    warnings: list[str] = []
    heard = everything(path, warn=warnings.append)
    assert abs(len(heard) / audio.RATE - seconds) < 0.06
    assert warnings == []


def test_a_variable_rate_with_a_header_that_says_more_is_told(tmp_path: Path) -> None:
    path, _ = variable(tmp_path / "x.mp3")
    content = path.read_bytes()
    path.write_bytes(b"ID3\x03\x00\x00\x00\x00\x07\x76" + bytes(1014) + content[: len(content) * 3 // 4])
    warnings: list[str] = []
    heard = everything(path, warn=warnings.append)
    assert len(heard) / audio.RATE < 23.5
    assert f"decoded {len(heard) / audio.RATE:.1f} s of 24.0 s" in warnings[0]


def test_a_video_without_sound_is_one_line(tmp_path: Path) -> None:
    with av.open(str(tmp_path / "x.mkv"), "w") as out:
        stream = out.add_stream("mpeg4", rate=5)
        stream.width = stream.height = 32
        out.mux(stream.encode(av.VideoFrame.from_ndarray(np.zeros((32, 32, 3), np.uint8), format="rgb24")))
        out.mux(stream.encode(None))
    with pytest.raises(DataError, match=r"^'x\.mkv': no audio in it$"):
        audio.probe(tmp_path / "x.mkv")
