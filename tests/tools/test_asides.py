"""What a recogniser invents is kept through the whole of a listening, shown when asked for, and never evidence."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from store import recordings
from store.asides import SetAside, asides
from store.database import Database
from store.record import Turn
from tests.agent.front.shell import run
from tests.tools import tones
from tools.listening.ingest import ingest
from tools.listening.listener import Listener
from tools.transcript.recogniser import Window

SPOKEN = ([300] * 9 + [0] * 6) * 10  # three stretches, so that the final version takes over from a provisional one
PHRASE = "Thanks for watching the gramophone!"


class Inventing(tones.ToneWords):
    """Writes a phrase into every silence, and says so."""

    def transcribe(self, samples: tones.Samples, start_ms: int, turns: Sequence[Turn] | None) -> Iterator[Window]:
        for window in super().transcribe(samples, start_ms, turns):
            invented = SetAside(window.t1, window.t1 + 2_000, PHRASE, "no_speech")
            yield replace(window, set_aside=(invented,))


def heard(folder: Path) -> Database:
    database = Database.open(folder / "lib")
    listener = Listener(tones.ToneVoices(), Inventing(), tones.ToneEmotions(), tones.ToneEvents())
    ingest(database, tones.write(folder / "talk.wav", SPOKEN), listener)
    return database


def test_every_phrase_set_aside_is_kept_beside_the_final_version(tmp_path: Path) -> None:
    with heard(tmp_path).reader() as connection:
        (recording,) = recordings.every(connection)
        kept = asides(connection, recording.id)
        segments = connection.execute("SELECT COUNT(*) FROM segment WHERE text LIKE '%gramophone%'").fetchone()[0]
    assert [one.t0 for one in kept] == [9_000 + 15_000 * n for n in range(10)]
    assert {(one.text, one.reason) for one in kept} == {(PHRASE, "no_speech")}
    assert segments == 0
    assert "talk: phrases set aside as no evidence: 10 no speech" in recording.manifest["notes"]


def test_it_is_shown_when_asked_for_and_no_question_finds_it(tmp_path: Path) -> None:
    heard(tmp_path)
    shown = run(tmp_path / "lib", "show", "talk", "--aside")
    assert shown.out.count("Thanks for watching") == 10
    assert "no_speech" in shown.out
    told = run(tmp_path / "lib", "show", "talk", "--aside", "--json").json["aside"]
    assert told[0] == {"start": 9.0, "end": 11.0, "text": PHRASE, "reason": "no_speech"}
    assert "gramophone" not in run(tmp_path / "lib", "show", "talk").out
    asked = run(tmp_path / "lib", "ask", "talk", "How often was the gramophone mentioned?", "--json").json
    assert asked["value"] == 0
    assert run(tmp_path / "lib", "sql", "talk", "SELECT text FROM aside").code == 5


def test_nothing_set_aside_is_said_so(tmp_path: Path) -> None:
    database = Database.open(tmp_path / "lib")
    ingest(database, tones.write(tmp_path / "talk.wav", [300, 0]), tones.listener())
    assert run(tmp_path / "lib", "show", "talk", "--aside").out == "nothing was set aside\n"
