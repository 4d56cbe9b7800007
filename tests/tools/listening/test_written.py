"""A recording heard here and written down by a model elsewhere: versions, resuming, names offered, what is kept."""

import os
import signal
import subprocess
import sys
import wave
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import numpy as np
import pytest

from store import checks, recordings, rows, streams
from store.asides import asides
from store.catalog import catalog
from store.database import Database
from store.errors import EndpointError
from store.recordings import Recording
from store.versions import versions
from tests.tools import tones
from tests.tools.loopback import Loopback, Reply
from tests.tools.transcript.interview.world import Heard, Listening, listening, script, sound, voiced
from tools.endpoint import Endpoint
from tools.listening.ingest import ingest
from tools.listening.listener import Listener
from tools.listening.written import write_down
from tools.transcript.elsewhere import Elsewhere
from tools.transcript.recognisers.llm import Llm, Told
from tools.voicing.suggestions import suggestions

MS = 780_000
LINES = script(MS / 60_000, seed=6)
TEXT = " ".join(line.text for line in LINES)


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("audio") / "entretien.wav"
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 16_000, 0, "NONE", ""))
        file.writeframes(np.rint(sound(LINES, MS) * 32_768).astype("<i2").tobytes())
    return path


@pytest.fixture(scope="module")
def heard(talk: Path, tmp_path_factory: pytest.TempPathFactory) -> Database:
    """The voices and sounds of the recording, without any words."""
    database = Database.open(tmp_path_factory.mktemp("heard"))
    ingest(database, talk, wordless())
    return database


@pytest.fixture
def library(heard: Database, tmp_path: Path) -> Database:
    copy = Database.open(tmp_path / "lib")
    copy.path.write_bytes(heard.path.read_bytes())
    return copy


@pytest.fixture
def endpoint() -> Iterator[tuple[Listening, Loopback]]:
    hears = Listening(LINES, names={"anne": "Anne", "luc": "Luc"})
    with listening(hears) as server:
        yield hears, server


def wordless() -> Listener:
    return tones.listener(transcript=Elsewhere(), emotion=None)


def recording(database: Database) -> Recording:
    with database.reader() as connection:
        (found,) = recordings.every(connection)
    return found


def said(database: Database) -> str:
    with database.reader() as connection:
        asked = streams.active(connection, recording(database).id)["transcript"]
        return " ".join(segment.text for segment in rows.segments(connection, asked))


def written(database: Database, path: Path, server: Loopback, told: Told | None = None) -> list[str] | None:
    return write_down(database, recording(database), path, Llm(Endpoint(server.url, None), told), voiced)


def test_without_words_the_stream_is_missing_not_empty(heard: Database) -> None:
    with heard.reader() as connection:
        assert set(streams.active(connection, recording(heard).id)) == {"speaker", "events"}
    assert recording(heard).state == "ready"


def test_words_come_whole_under_the_voices_heard_here(
    library: Database, talk: Path, endpoint: tuple[Listening, Loopback]
) -> None:
    lines: list[str] = []
    hears, server = endpoint
    ear = Llm(Endpoint(server.url, None), Told(language="fr"))
    notes = write_down(library, recording(library), talk, ear, voiced, say=lines.append)
    assert notes == []
    assert said(library) == TEXT
    assert lines[0].startswith("2 chunks, 13.5 minutes of audio (34.6 MB), to be sent to 127.0.0.1")
    assert lines[1].startswith("2 calls, 13.5 minutes of audio sent; 38,400 tokens read")
    with library.reader() as connection:
        (entry,) = catalog(connection, [recording(library)]).recordings
        segments = rows.segments(connection, entry.streams["transcript"].id)
        offered = {one.label: one for one in suggestions(connection, entry)}
    assert entry.recording.language == "fr"
    assert {segment.speaker for segment in segments} == {voice.label for voice in entry.voices}
    assert [voice.named for voice in entry.voices] == [False, False]
    assert {one.name for one in offered.values()} == {"Anne", "Luc"}
    assert {one.evidence[0].kind for one in offered.values()} == {"written"}
    assert not any(one.confident for one in offered.values())
    assert written(library, talk, server) is not None  # in no language named, which is another request
    assert len(hears.spans) == 4


def test_a_kill_costs_one_call_at_most(library: Database, talk: Path) -> None:
    broken = [True]

    def answer(one: Heard) -> str | Reply:
        if one.number == 1 and broken:
            return Reply('{"error": {"message": "down"}}', status=400)
        return one.text()

    hears = Listening(LINES, answer)
    with listening(hears) as server:
        with pytest.raises(EndpointError, match="1 of 2 chunks are written down"):
            written(library, talk, server)
        with library.reader() as connection:
            assert "transcript" not in streams.active(connection, recording(library).id)
        broken.clear()
        before = len(hears.spans)
        assert written(library, talk, server) is not None
    assert [span.t0 for span in hears.spans[before:]] == [570_000]
    assert said(library) == TEXT


def test_versions_are_kept_and_asked_again_without_another_call(
    library: Database, talk: Path, endpoint: tuple[Listening, Loopback]
) -> None:
    hears, server = endpoint
    written(library, talk, server)
    assert written(library, talk, server) is None
    words = tones.listener(emotion=None)
    ingest(library, talk, words)
    assert said(library) != TEXT
    calls = len(hears.spans)
    notes = written(library, talk, server)
    assert notes is not None
    assert "version 1 (llm hears) is asked again" in notes[0]
    assert (said(library), len(hears.spans)) == (TEXT, calls)
    ingest(library, talk, words)
    ingest(library, talk, wordless())
    assert said(library) != TEXT
    written(library, talk, server, Told(context="the port"))
    assert len(hears.spans) == calls + 2


def test_what_is_wrong_lowers_the_health_and_is_shown(library: Database, talk: Path) -> None:
    def worse(one: Heard) -> str:
        loud = "\n".join(row for row in one.rows() if not "00:03:00" < row.split("\t")[1] < "00:06:00")
        return f"{one.header()}\n{loud}\nno row\n1\t00:10:05\t00:10:09\tEt merci."

    with listening(Listening(LINES, worse)) as server:
        notes = written(library, talk, server)
    assert notes is not None
    with library.reader() as connection:
        (entry,) = catalog(connection, [recording(library)]).recordings
        aside = {one.reason for one in asides(connection, recording(library).id)}
        kept = checks.read(connection, entry.streams["transcript"].id)
    assert aside == {"format", "past_end"}
    assert {one["check"] for one in kept["findings"]} >= {"dropped", "malformed", "beyond"}
    assert (entry.streams["transcript"].health or 0) < 0.75
    assert any("has no row" in finding for finding in entry.streams["transcript"].findings)


def test_a_chunk_that_nothing_was_written_of_is_told_and_asked_for_again(library: Database, talk: Path) -> None:
    filters = [True]

    def answer(one: Heard) -> str | tuple[str, str]:
        return ("", "content_filter") if one.number == 1 and filters else one.text()

    hears = Listening(LINES, answer)
    with listening(hears) as server:
        notes = written(library, talk, server)
        assert notes is not None
        assert any("9:30-13:00 was not heard" in note for note in notes)
        filters.clear()
        before = len(hears.spans)
        assert written(library, talk, server) is not None
    assert [span.t0 for span in hears.spans[before:]] == [570_000]
    assert said(library) == TEXT
    with library.reader() as connection:
        found = [one for one in versions(connection, recording(library).id) if one.kind == "transcript"]
    assert [(one.number, one.active) for one in found] == [(1, False), (2, True)]


CHILD = """
import sys
from pathlib import Path
from store.database import Database
from tests.tools.listening.test_written import recording
from tests.tools.transcript.interview.world import voiced
from tools.endpoint import Endpoint
from tools.listening.written import write_down
from tools.transcript.recognisers.llm import Llm

database = Database.open(Path(sys.argv[1]))
write_down(database, recording(database), Path(sys.argv[2]), Llm(Endpoint(sys.argv[3], None)), voiced)
"""


def test_a_process_that_is_killed_in_a_call_loses_that_call_alone(library: Database, talk: Path) -> None:
    asked = Event()

    def answer(one: Heard) -> str | Reply:
        if one.number == 1 and not asked.is_set():
            asked.set()
            return Reply(wait=5)
        return one.text()

    hears = Listening(LINES, answer)
    with listening(hears) as server:
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(library.folder), str(talk), server.url],
            env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[3])},
        )
        assert asked.wait(60)
        child.kill()
        assert child.wait(10) == -signal.SIGKILL
        assert written(library, talk, server) is not None
    assert [span.t0 for span in hears.spans] == [0, 570_000, 570_000]
    assert said(library) == TEXT
