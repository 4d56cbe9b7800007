"""The media table of what must hold: each row an input, and what becomes of it in a library."""

import http.server
import os
import subprocess
import sys
import threading
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np
import pytest

from store import recordings
from store.database import Database
from store.errors import DataError
from tests.conftest import ROOT
from tests.tools import tones
from tests.tools.media.files import encode, everything, likeness, pcm, speechlike, tracks, wav
from tools.listening.ingest import ingest
from tools.media import audio, decoder

ONE_LINE = {
    "0 bytes": ("empty.mp3", b""),
    "text named .mp3": ("text.mp3", b"dear diary, " * 400),
    "100 bytes of mp3": ("short.mp3", b"\xff\xfb\x90\x64" + bytes(96)),
    "0 Hz": ("norate.wav", wav(1, 0, bytes(3200))),
    "0 channels": ("nochannels.wav", wav(0, 16_000, bytes(3200))),
    "65535 channels": ("manychannels.wav", wav(65_535, 16_000, bytes(3200))),
    "0xFFFFFFFF Hz": ("hugerate.wav", wav(1, 0xFFFFFFFF, bytes(3200))),
    "header only": ("header.wav", wav(1, 16_000, b"")),
    "truncated header": ("cut.wav", wav(1, 16_000, bytes(320))[:30]),
    "a picture": ("x.jpg", b"\xff\xd8\xff\xe0\x00\x10JFIF\x00" + bytes(500)),
    "an archive": ("x.zip", b"PK\x03\x04" + bytes(500)),
}


@pytest.fixture
def asked() -> Iterator[tuple[int, list[str]]]:
    """A server on loopback: its port, and the addresses it was asked for."""
    addresses: list[str] = []

    class Ear(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            addresses.append(self.path)

    server = http.server.HTTPServer(("127.0.0.1", 0), Ear)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield server.server_port, addresses
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.parametrize("row", ONE_LINE)
def test_what_is_no_recording_is_one_line_and_the_next_is_heard(tmp_path: Path, database: Database, row: str) -> None:
    name, content = ONE_LINE[row]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=r"cannot be read|no audio in it") as caught:
        ingest(database, tmp_path / name, tones.listener())
    assert "\n" not in str(caught.value)
    assert name in str(caught.value)
    done = ingest(database, tones.write(tmp_path / "good.wav", [300, 0]), tones.listener())
    with database.reader() as connection:
        assert [each.public_id for each in recordings.every(connection)] == [done.recording.public_id]


def test_half_an_mp3_is_told_and_kept_in_the_manifest(tmp_path: Path, database: Database) -> None:
    path = encode(tmp_path / "x.mp3", speechlike(6), 16_000, "libmp3lame", "fltp")
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    done = ingest(database, path, tones.listener())
    (note,) = [note for note in done.notes if "cut off" in note]
    assert "s of 6.0 s" in note
    assert note in done.recording.manifest["notes"]
    assert 2_000 < done.recording.duration_ms < 4_000


def test_a_data_size_of_ffffffff_is_the_decoded_count(tmp_path: Path) -> None:
    path = tmp_path / "x.wav"
    path.write_bytes(wav(1, 16_000, pcm(speechlike(2)), size=0xFFFFFFFF))
    lines: list[str] = []
    assert sum(map(len, decoder.decode(path, warn=lines.append))) == 32_000


@pytest.mark.parametrize("kind", ["f32", "f64"])
def test_nan_and_infinity_never_reach_a_recogniser(tmp_path: Path, kind: str) -> None:
    samples = speechlike(1).astype("<f4" if kind == "f32" else "<f8")
    samples[100:200], samples[300], samples[301] = np.nan, np.inf, -np.inf
    path = tmp_path / "x.wav"
    path.write_bytes(wav(1, 16_000, samples.tobytes(), bits=32 if kind == "f32" else 64, kind=3))
    lines: list[str] = []
    heard = np.concatenate(list(decoder.decode(path, warn=lines.append)))
    assert np.isfinite(heard).all()
    assert not heard[100:200].any()
    assert "not a number" in lines[0]


PLAYLISTS = {
    "hls.mp3": "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{target}\n#EXT-X-ENDLIST\n",
    "hls.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n{target}\n#EXT-X-ENDLIST\n",
    "list.m3u": "#EXTM3U\n#EXTINF:1,\n{target}\n",
    "list.pls": "[playlist]\nFile1={target}\nLength1=1\nNumberOfEntries=1\n",
    "concat.mp3": "ffconcat version 1.0\nfile {target}\n",
    "concat.wav": "ffconcat version 1.0\nfile '{target}'\n",
    "dash.mpd": '<MPD xmlns="urn:mpeg:dash:schema:mpd:2011"><Period><BaseURL>{target}</BaseURL></Period></MPD>',
    "x.sdp": "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nm=audio {port} RTP/AVP 0\n",
}


@pytest.mark.parametrize("name", PLAYLISTS)
def test_a_playlist_opens_neither_another_file_nor_an_address(
    tmp_path: Path, asked: tuple[int, list[str]], name: str
) -> None:
    port, addresses = asked
    (tmp_path / "secret.wav").write_bytes(wav(1, 16_000, pcm(speechlike(1))))
    for target in ("secret.wav", str(tmp_path / "secret.wav"), f"http://127.0.0.1:{port}/x.ts"):
        (tmp_path / name).write_text(PLAYLISTS[name].format(target=target, port=port))
        with pytest.raises(DataError, match="cannot be read"):
            everything(tmp_path / name)
    assert addresses == []


@pytest.mark.parametrize(
    "name",
    [
        "http://127.0.0.1:{port}/x.wav",
        "http:/127.0.0.1:{port}/x.wav",
        "concat:a.wav|b.wav",
        "subfile,,start,0,end,9,,:a.wav",
        "sine=frequency=440",
        "lavfi:sine",
        "file:a.wav",
        "pipe:0",
        "tcp://127.0.0.1:{port}",
        "crypto:a.wav",
        "data:audio/wav;base64,UklGRg==",
        "async:cache:a.wav",
    ],
)
def test_a_path_that_is_an_address_is_no_file(
    tmp_path: Path, asked: tuple[int, list[str]], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    port, addresses = asked
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.wav").write_bytes(wav(1, 16_000, pcm(speechlike(1))))
    with pytest.raises(DataError, match="no such file"):
        decoder.probe(Path(name.format(port=port)))
    assert addresses == []


def test_a_film_whose_sound_is_in_another_file_opens_it_not(tmp_path: Path) -> None:
    """QuickTime may name another file as the place of its samples."""
    path = tracks(tmp_path / "x.mov", [speechlike(1)], 16_000, "pcm_s16le", "s16")
    content = path.read_bytes()
    (tmp_path / "secret.wav").write_bytes(wav(1, 16_000, pcm(speechlike(1, seed=9))))
    alias = b"\0\0\0\x0curl \0\0\0\x01"  # "the samples are in this file"
    assert alias in content
    path.write_bytes(content.replace(alias, b"\0\0\0\x0curl \0\0\0\0"))
    try:
        heard = everything(path)
    except DataError:
        return
    assert abs(likeness(heard, speechlike(1, seed=9))[0]) < 0.2


BOMB = """
import sys
from pathlib import Path
from store.errors import DataError
from tools.media import audio
most = 0
try:
    for block in audio.decode(Path(sys.argv[1]), max_hours=float(sys.argv[2])):
        most += len(block)
except DataError as error:
    print(error)
status = Path("/proc/self/status").read_text()  # ru_maxrss is at least that of whoever started the process
print(most // 16000, status.split("VmHWM:")[1].split()[0])
"""


def silence(path: Path, hours: float) -> Path:
    """Write hours of silence as FLAC: 0.7 MB an hour, which are 230 MB of samples."""
    with av.open(str(path), "w") as out:
        stream = out.add_stream("flac", rate=16_000, layout="mono", format="s16")
        frame = av.AudioFrame.from_ndarray(np.zeros((1, 4608), np.int16), format="s16", layout="mono")
        for number in range(int(hours * 3600 * 16_000 // 4608)):
            frame.sample_rate, frame.pts = 16_000, number * 4608
            out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    return path


def test_hours_of_silence_are_refused_in_flat_memory(tmp_path: Path) -> None:
    """A media bomb: what counts are decoded seconds, never bytes or the header."""
    path = silence(tmp_path / "x.flac", 2.0)
    assert path.stat().st_size < 2_000_000
    command = [sys.executable, "-c", BOMB, str(path), "1"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    refused, figures = ran.stdout.splitlines()
    seconds, kilobytes = map(int, figures.split())
    assert refused == "'x.flac': more than 1 hours of audio; allow more with --max-hours"
    assert seconds == 3600
    assert kilobytes < 256_000


NAMES = [
    "-rf", "--help", "a;rm", "a&b", "a|b", "$(id)", "`id`", "new\nline", "tab\there", "esc\x1b[2J", "bell\x07",
    "x" * 255, "con", "nul", "aux.wav", "%41.wav", "a:b", "a*b?", '"quoted"', "it's", "\udcff.wav", ".hidden", "..wav",
    "...", " ", " lead", "trail ", "trail.", "\u202etxt.exe", "\u200b", "\ufeffbom.wav", "李.wav", "\u00e9.wav",
    "e\u0301.wav", "\uff26.wav", "drop.table", "'; DROP TABLE recording; --", "[bold]", "{{config}}", "<script>",
    "\\\\server\\x", "a\\b",
]  # fmt: skip


def test_forty_names_are_only_names(tmp_path: Path, database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoder, "decode", audio.decode)  # in this process, which has started
    monkeypatch.setattr(decoder, "probe", audio.probe)
    folder = tmp_path / "given"
    folder.mkdir()
    outside = sorted(path for path in tmp_path.rglob("*") if database.folder not in path.parents)
    for number, name in enumerate(NAMES):
        (folder / name).write_bytes(wav(1, 16_000, pcm(tone(number))))
        done = ingest(database, folder / name, tones.listener())
        assert done.recording.public_id.isascii()
        assert not set(done.recording.public_id) & set("/\\.\n ")
        assert not {unicodedata.category(letter) for letter in done.recording.title} & {"Cc", "Cs"}
        (folder / name).unlink()
    assert sorted(path for path in tmp_path.rglob("*") if database.folder not in path.parents) == outside
    with database.reader() as connection:
        assert len(recordings.every(connection)) == len(NAMES) >= 40


def tone(number: int) -> audio.Samples:
    return np.asarray(0.3 * np.sin(np.arange(8_000 + number) * 0.2), np.float32)


def test_twins_of_a_name_in_two_unicode_forms_are_two_files(tmp_path: Path, database: Database) -> None:
    ids = set()
    for number, name in enumerate(("Z\u00fcrich.wav", "Zu\u0308rich.wav")):
        path = tmp_path / name
        path.write_bytes(wav(1, 16_000, pcm(tone(number))))
        ids.add(ingest(database, path, tones.listener()).recording.public_id)
    assert len(ids) == 2


def test_c38_equal_names_of_other_content_and_parts_are_recordings_of_their_own(
    tmp_path: Path, database: Database
) -> None:
    """C38: a.part1.wav and a.part2.wav, and one name in two folders: identity is the content's hash."""
    found = []
    for number, name in enumerate(("a.part1.wav", "a.part2.wav", "b/a.wav", "c/a.wav")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(wav(1, 16_000, pcm(tone(number))))
        found.append(ingest(database, tmp_path / name, tones.listener()).recording)
    assert len({recording.public_id for recording in found}) == 4
    assert [recording.title for recording in found] == ["a.part1", "a.part2", "a", "a"]
    copied = tmp_path / "copy of a.wav"
    copied.write_bytes((tmp_path / "b" / "a.wav").read_bytes())
    again = ingest(database, copied, tones.listener())
    assert (again.fresh, again.recording.public_id) == (False, found[2].public_id)


def test_a_link_is_the_file_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(wav(1, 16_000, pcm(speechlike(1))))
    (tmp_path / "link.mp3").symlink_to("a.wav")
    assert len(everything(tmp_path / "link.mp3")) == 16_000
    (tmp_path / "device.wav").symlink_to("/dev/zero")
    (tmp_path / "dangling.wav").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe.wav")
    (tmp_path / "folder.wav").mkdir()
    for name, fault in (
        ("device", "no regular"),
        ("dangling", "no such"),
        ("pipe", "no regular"),
        ("folder", "no reg"),
    ):
        with pytest.raises(DataError, match=fault):
            decoder.probe(tmp_path / f"{name}.wav")


def test_two_hundred_damaged_headers_crash_nothing() -> None:
    """`python -m scripts.fuzz_media` does 20,000."""
    ran = subprocess.run(
        [sys.executable, "-m", "scripts.fuzz_media", "--files", "200"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.startswith("200 files in ")
    assert "'decoded': " in ran.stdout
    assert "'refused': " in ran.stdout
    assert ran.stdout.rstrip().endswith("culprits: 0")
