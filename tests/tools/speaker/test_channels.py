"""Calls: a voice a channel where the channels are two people, what leaks is nobody's, all else stays one mix."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from store.database import Database
from store.record import Segment, Turn
from store.rows import rows
from store.streams import active
from tests.tools import tones
from tests.tools.media.files import pcm, wav
from tests.tools.tones import ToneVoices
from tools.listening.choice import Choice
from tools.listening.ingest import ingest
from tools.media.audio import decode, probe
from tools.speaker.channels import ByChannel, Mode, by_channel
from tools.speaker.recogniser import Voices

RATE = 16_000
Samples = NDArray[np.float32]
LOW = [300, 300, 300, 0, 0, 0, 0, 300, 300, 0, 0, 0, 300, 0, 0, 0, 300, 300, 300, 0]
HIGH = [0, 0, 0, 0, 600, 600, 600, 0, 0, 0, 600, 600, 0, 0, 600, 600, 0, 600, 600, 0]


def voice(seconds: list[int]) -> Samples:
    """A second of each tone, its level going up and down as syllables do."""
    time = np.arange(len(seconds) * RATE) / RATE
    tone = np.repeat(seconds, RATE)
    made = 0.25 * np.sin(2 * np.pi * tone * time) * (tone > 0) * (0.7 + 0.3 * np.sin(2 * np.pi * 4 * time))
    return np.asarray(made, np.float32)


def stereo(path: Path, leak_db: float, louder_db: float = 0.0, high: list[int] = HIGH) -> Path:
    """Write a call: each voice on its channel, and on the other so much quieter, over noise."""
    low, other = voice(LOW), voice(high) * 10 ** (louder_db / 20)
    leak = 10 ** (-leak_db / 20)
    noise = np.random.default_rng(1).normal(0, 0.0005, (2, len(low)))
    both = np.stack([low + leak * other, other + leak * low]) + noise
    path.write_bytes(wav(2, RATE, pcm(np.clip(both.T, -1, 1).astype(np.float32))))
    return path


def found(path: Path, mode: Mode, **counts: int) -> tuple[list[Turn], str | None]:
    recogniser = by_channel(ToneVoices(), probe(path), mode)
    samples = np.concatenate(list(decode(path)))
    half = len(samples) // 2 // 16 * 16
    heard = [recogniser.hear(samples[:half], 0), recogniser.hear(samples[half:], half // 16)]
    return recogniser.turns(heard, **counts), getattr(recogniser, "note", None)


def seconds(turns: list[Turn], label: str) -> list[int]:
    return [n for n in range(len(LOW)) if any(t.speaker == label and t.t0 <= n * 1000 + 500 < t.t1 for t in turns)]


@pytest.mark.parametrize("leak_db", [6, 10, 20, 30, 90])
@pytest.mark.parametrize("louder_db", [-6, 0])
def test_each_channel_is_a_voice_and_both_may_speak_at_once(tmp_path: Path, leak_db: float, louder_db: float) -> None:
    turns, note = found(stereo(tmp_path / "x.wav", leak_db, louder_db), "auto")
    assert note is not None
    assert "a voice each" in note
    assert {turn.speaker for turn in turns} == {"SPEAKER_00", "SPEAKER_01"}
    alone = [n for n, (low, high) in enumerate(zip(LOW, HIGH, strict=True)) if bool(low) != bool(high)]
    for label, spoken in (("SPEAKER_00", LOW), ("SPEAKER_01", HIGH)):
        assert [n for n in seconds(turns, label) if n in alone] == [n for n in alone if spoken[n]]
    if louder_db == 0:
        assert {17, 18} <= {*seconds(turns, "SPEAKER_00")} & {*seconds(turns, "SPEAKER_01")}


@pytest.mark.parametrize("leak_db", [0, 2])
def test_c20_both_voices_on_both_channels_are_heard_once(tmp_path: Path, database: Database, leak_db: float) -> None:
    """C20: nothing is doubled, and the channels are noted."""
    path = stereo(tmp_path / "x.wav", leak_db, high=HIGH[:17] + [0, 0, 0])
    done = ingest(database, path, tones.listener())
    (note,) = [note for note in done.notes if "channels" in note]
    assert note.startswith("two channels with the same voices")
    with database.reader() as connection:
        said = rows(connection, active(connection, done.recording.id)["transcript"], "transcript")
    words = [word.text for row in said if isinstance(row, Segment) for word in row.words]
    assert len(words) == len(set(words)) > 10


def test_a_call_is_heard_by_its_channels_and_said_so(tmp_path: Path, database: Database) -> None:
    path = stereo(tmp_path / "x.wav", 20)
    done = ingest(database, path, tones.listener())
    assert any("a voice each" in note for note in done.recording.manifest["notes"])
    with database.reader() as connection:
        turns = rows(connection, active(connection, done.recording.id)["speaker"], "speaker")
    assert {turn.speaker for turn in turns if isinstance(turn, Turn)} == {"SPEAKER_00", "SPEAKER_01"}


def test_mix_asks_no_channel_and_split_asks_no_likeness(tmp_path: Path) -> None:
    path = stereo(tmp_path / "x.wav", 3)
    assert isinstance(by_channel(ToneVoices(), probe(path), "mix"), ToneVoices)
    assert "same voices" in str(found(path, "auto")[1])
    turns, note = found(path, "split")
    assert "a voice each" in str(note)
    assert {0, 1, 2} <= set(seconds(turns, "SPEAKER_00")) - set(seconds(turns, "SPEAKER_01"))


def test_one_channel_is_heard_as_ever(tmp_path: Path) -> None:
    path = tmp_path / "x.wav"
    path.write_bytes(wav(1, RATE, pcm(voice(LOW))))
    assert isinstance(by_channel(ToneVoices(), probe(path), "split"), ToneVoices)


def test_a_room_of_several_on_one_channel_is_no_call(tmp_path: Path) -> None:
    """Two voices of the mix on one channel: each would lose its name to the channel's."""
    room = voice([1200 if tone and n % 8 > 3 else tone for n, tone in enumerate(LOW)])
    both = np.stack([room + 0.03 * voice(HIGH), voice(HIGH) + 0.03 * room])
    path = tmp_path / "x.wav"
    path.write_bytes(wav(2, RATE, pcm(both.T)))
    turns, note = found(path, "auto")
    assert "same voices" in str(note)
    assert len({turn.speaker for turn in turns}) == 3


def test_a_number_of_voices_that_is_not_two_is_left_to_the_mix(tmp_path: Path) -> None:
    path = stereo(tmp_path / "x.wav", 20)
    assert found(path, "auto", num_speakers=3)[1] is None
    assert "a voice each" in str(found(path, "auto", num_speakers=2)[1])


def test_levels_come_back_from_the_ledger(tmp_path: Path) -> None:
    path = stereo(tmp_path / "x.wav", 20)
    recogniser = ByChannel(ToneVoices(), path, "auto")
    heard = recogniser.hear(np.concatenate(list(decode(path))), 0)
    again = type(heard).from_bytes(heard.to_bytes())
    assert recogniser.turns([again]) == recogniser.turns([heard])
    assert "a voice each" in str(recogniser.note)


class Counted(ToneVoices):
    """Counts the stretches that it hears."""

    def __init__(self) -> None:
        self.stretches = 0

    def hear(self, samples: Samples, start_ms: int) -> Voices:
        self.stretches += 1
        return super().hear(samples, start_ms)


@pytest.mark.parametrize(
    ("first", "then", "heard_again"),
    [
        (Choice(), Choice(num_speakers=2), False),
        (Choice(), Choice(channels="split"), False),
        (Choice(channels="split"), Choice(channels="mix"), False),
        (Choice(channels="mix"), Choice(channels="auto"), True),
    ],
)
def test_a_call_is_heard_again_only_for_levels_that_were_not_kept(
    tmp_path: Path, first: Choice, then: Choice, heard_again: bool
) -> None:
    path, database, voices = stereo(tmp_path / "x.wav", 20), Database.open(tmp_path / "library"), Counted()
    ingest(database, path, tones.listener(first, speaker=voices))
    once = voices.stretches
    ingest(database, path, tones.listener(then, speaker=voices))
    assert once
    assert (voices.stretches > once) == heard_again
