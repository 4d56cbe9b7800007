import stat
import sys
from pathlib import Path

import pytest

from agent.front import play
from store import recordings
from store.database import Database
from store.errors import DataError, UsageError
from store.record import Span

PLAYER = """#!{python}
import json, pathlib, sys
pathlib.Path({told!r}).write_text(json.dumps(sys.argv))
sys.exit({code})
"""


@pytest.fixture
def bin_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


def _install(folder: Path, name: str, code: int = 0) -> Path:
    told = folder / "told.json"
    program = folder / name
    program.write_text(PLAYER.format(python=sys.executable, told=str(told), code=code))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return told


def _recording(database: Database, path: Path | None, title: str = "Talk") -> str:
    new = recordings.NewRecording("ab" * 32, title, "ingest", 60_000, path=None if path is None else str(path))
    with database.writing() as connection:
        return recordings.add(connection, new).public_id


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("0:12", Span(12_000, 27_000)),
        ("12:34-12:50", Span(754_000, 770_000)),
        ("1:02:03.5", Span(3_723_500, 3_738_500)),
        ("7–8.5", Span(7_000, 8_500)),
    ],
)
def test_a_moment_is_a_time_or_a_stretch(text: str, span: Span) -> None:
    assert play.moment(text) == span


@pytest.mark.parametrize("text", ["", "noon", "5-4", "0:10-0:10", "-3", "1:2:3:4"])
def test_what_is_no_moment_is_told(text: str) -> None:
    with pytest.raises(UsageError, match=r"12:34|earlier"):
        play.moment(text)


@pytest.mark.parametrize("name", play.PLAYERS)
def test_the_file_is_played_from_the_moment_on(name: str, bin_folder: Path, tmp_path: Path, database: Database) -> None:
    audio = tmp_path / "-a; touch x $(y).wav"
    audio.write_bytes(b"RIFF")
    told = _install(bin_folder, name)
    line = play.play(database, _recording(database, audio), "0:12-0:14.5")
    arguments = told.read_text()
    assert "12.000" in arguments
    assert "2.500" in arguments
    assert str(audio) in arguments
    assert line.endswith("0:12-0:14")
    assert {path.name for path in tmp_path.iterdir()} == {"bin", "library", audio.name}


def test_mpv_comes_before_ffplay(bin_folder: Path) -> None:
    for name in ("ffplay", "mpv"):
        _install(bin_folder, name)
    assert Path(play.player()).name == "mpv"


def test_no_player_is_one_plain_line(bin_folder: Path, tmp_path: Path, database: Database) -> None:
    audio = tmp_path / "a.wav"
    audio.write_bytes(b"RIFF")
    with pytest.raises(DataError, match="install one of: mpv, ffplay"):
        play.play(database, _recording(database, audio), "0:01")


@pytest.mark.usefixtures("bin_folder")
def test_no_audio_and_lost_audio_are_told(bin_folder: Path, tmp_path: Path, database: Database) -> None:
    _install(bin_folder, "mpv")
    public = _recording(database, tmp_path / "gone.wav")
    with pytest.raises(DataError, match="no longer at"):
        play.play(database, public, "0:01")
    with database.writing() as connection:
        connection.execute("UPDATE recording SET path = NULL")
    with pytest.raises(DataError, match="imported without audio"):
        play.play(database, public, "0:01")


def test_beyond_the_end_and_a_failing_player_are_told(bin_folder: Path, tmp_path: Path, database: Database) -> None:
    audio = tmp_path / "a.wav"
    audio.write_bytes(b"RIFF")
    _install(bin_folder, "mpv", code=2)
    public = _recording(database, audio)
    with pytest.raises(UsageError, match="1:00 long"):
        play.play(database, public, "1:00")
    with pytest.raises(DataError, match="mpv could not play"):
        play.play(database, public, "0:59")
