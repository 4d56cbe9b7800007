"""Cuts that go through words: each word is written once and whole, and a listening that stopped writes the same."""

import re
import wave
from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np
import pytest

from store import ledger, rows, streams
from store.database import Database
from store.record import Turn, Word
from tests.tools import tones
from tests.tools.listening.test_ingest import rows as published
from tools.listening import stretches as cutting
from tools.listening.ingest import ingest
from tools.listening.listener import Choice, Listener, Step
from tools.media import audio
from tools.speaker.recogniser import Voices
from tools.transcript.doubts import plain
from tools.transcript.recogniser import Options, Window, load

SECONDS = 200
HEARD_WHOLE = [f"second{n}" for n in range(SECONDS)]


class Seconds(tones.ToneWords):
    """A word a second of the recording's clock; one that is not whole in the samples is written otherwise.

    Like Whisper it places a word a little elsewhere in another window.
    """

    def __init__(self, off_ms: int, name: str = "seconds") -> None:
        self.name, self._off_ms = name, off_ms

    def transcribe(self, samples: tones.Samples, start_ms: int, turns: Sequence[Turn] | None) -> Iterator[Window]:
        end = start_ms + len(samples) // 16
        off = self._off_ms if start_ms else 0
        words = []
        for second in range(start_ms // 1000, -(-end // 1000)):
            t0, t1 = max(second * 1000, start_ms), min(second * 1000 + 1000, end)
            text = f"second{second}" if t1 - t0 == 1000 else f"half{second}"
            words.append(Word(max(t0 + off, start_ms), max(min(t1 + off, end), start_ms + 1), text, 0.8))
        yield Window(start_ms, end, tuple(words), language="en", states=np.zeros((len(samples) // 320, 4), np.float32))


@pytest.fixture(scope="module")
def hum(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tones.write(tmp_path_factory.mktemp("audio") / "hum.wav", [300] * SECONDS)


@pytest.fixture(params=[0.1, 0.45, 0.5, 0.55, 0.9])
def cut_at(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> float:
    """Cut at this part of a word, not where it is quiet."""
    part: float = request.param
    place = int(part * audio.RATE)
    monkeypatch.setattr(cutting, "quietest", lambda _, after: after // audio.RATE * audio.RATE + audio.RATE + place)
    return part


def said(database: Database) -> list[str]:
    return " ".join(row[2] for row in published(database)["segment"]).split()


@pytest.mark.parametrize("off_ms", [-200, 0, 200])
def test_every_word_is_written_once_and_whole(tmp_path: Path, hum: Path, cut_at: float, off_ms: int) -> None:
    database = Database.open(tmp_path / "lib")
    ingest(database, hum, tones.listener(transcript=Seconds(off_ms)))
    assert said(database) == HEARD_WHOLE
    with database.reader() as connection:
        assert [chunk.t1 % 1000 for chunk in ledger.chunks(connection, 1)][:-1] == [int(cut_at * 1000)]


class Stopped(BaseException):
    """A kill, as far as the library can see one."""


@pytest.mark.parametrize("again", [False, True])
def test_a_listening_that_stopped_goes_on_as_if_it_had_not(
    tmp_path: Path, hum: Path, cut_at: float, again: bool
) -> None:
    found = []
    for stops in (False, True):
        database = Database.open(tmp_path / str(stops))
        if again:
            ingest(database, hum, tones.listener())
        if stops:
            with pytest.raises(Stopped):
                ingest(database, hum, tones.listener(transcript=Seconds(200)), progress=_stop)
        ingest(database, hum, tones.listener(transcript=Seconds(200)))
        assert said(database) == HEARD_WHOLE
        found.append(published(database))
    assert found[0] == found[1]


def _stop(step: Step, _: int) -> None:
    if step.done_ms > 100_000:
        raise Stopped


class OneVoice(tones.ToneVoices):
    """Everything is one turn."""

    def turns(self, heard: Sequence[Voices], **_: int | None) -> list[Turn]:
        return [Turn(0, max(each.start_ms + each.duration_ms for each in heard), "A")]


def test_a_reader_who_is_cut_in_the_middle_of_words_is_heard_as_without_cuts(
    tmp_path: Path, data: Path, weights: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    weights("whisper-tiny.en")
    monkeypatch.setattr(cutting, "LENGTHS_S", ())
    monkeypatch.setattr(cutting, "LENGTH_S", 12)
    monkeypatch.setattr(cutting, "SEARCH_S", 1)
    monkeypatch.setattr(cutting, "quietest", lambda _, after: after + 6_400)
    clips = [np.concatenate(list(audio.decode(path))) for path in sorted((data / "librispeech" / "1688").iterdir())[:5]]
    recogniser = load("whisper-tiny.en", Options(threads=1, workers=2))
    listener = Listener(OneVoice(), recogniser, None, None, choice=Choice(emotion=None, events=None))
    path, truth, begin = tmp_path / "reader.wav", list[Word](), 0
    for clip in clips:
        heard = recogniser.transcribe(clip, 0, [Turn(0, len(clip) // 16, "A")])
        truth += [Word(w.t0 + begin, w.t1 + begin, w.text) for window in heard for w in window.words]
        begin += len(clip) // 16
    _write(path, np.concatenate(clips))
    database = Database.open(tmp_path / "lib")
    rec_id = ingest(database, path, listener).recording.id
    with database.reader() as connection:
        segments = rows.segments(connection, streams.active(connection, rec_id)["transcript"])
        cuts = [chunk.t1 for chunk in ledger.chunks(connection, rec_id)][:-1]
    written = [word for segment in segments for word in segment.words]
    assert len(cuts) == 3
    assert sum(_faults(truth, written, cut) for cut in cuts) <= 1


def _faults(truth: Sequence[Word], written: Sequence[Word], cut: int) -> int:
    """Count the words within a second of a cut that are not written as without it."""
    one, two = ([_bare(word) for word in words if abs(word.t0 - cut) < 4_000] for words in (truth, written))
    near = {
        place for place, word in enumerate(w for w in truth if abs(w.t0 - cut) < 4_000) if abs(word.t0 - cut) < 1_000
    }
    blocks = SequenceMatcher(None, one, two, autojunk=False).get_matching_blocks()
    matched = {block.a + n for block in blocks for n in range(block.size)}
    return len(near - matched)


def _bare(word: Word) -> str:
    return re.sub(r"\W", "", plain(word.text))


def _write(path: Path, samples: audio.Samples) -> None:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(audio.RATE)
        file.writeframes((samples * 32767).astype("<i2").tobytes())
