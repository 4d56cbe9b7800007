"""Before words are denied the audio at hand is heard again: here a word is a tone, and the ear really listens."""

import wave
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from agent.ask import ask
from agent.graph import listen
from agent.graph.budget import Budget
from agent.library import Library
from agent.reply import Reply
from store.errors import MissingWeights
from tests.agent.graph.talk import talk
from tools.again import recall
from tools.again.ear import Ear, SecondListen
from tools.again.listening import NOWHERE
from tools.transcript.evidence import Asked

RATE = 16_000
TONES = {"Zanzibar": 700, "budget": 1_500}


class ToneEar:
    """Hears a word where its tone sounds for half a second."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def hear(self, passages: Sequence[tuple[NDArray[np.float32], Asked]]) -> list[bool]:
        return [self._hears(samples, asked) for samples, asked in passages]

    def _hears(self, samples: NDArray[np.float32], asked: Asked) -> bool:
        self.seconds.append(len(samples) / RATE)
        spectrum = np.abs(np.fft.rfft(samples)) / RATE
        at = TONES.get(asked.term, 0) * len(samples) // RATE
        return bool(at and spectrum[at - 2 : at + 3].max() > 0.02)


TONE = SecondListen(ToneEar, 60)


def library(folder: Path, words: Mapping[int, str]) -> Library:
    """Give the conversation with an audio file in which the tone of a word sounds for a second from each time on."""
    made = talk(folder)
    samples = np.zeros(45 * RATE, np.float32)
    for second, word in words.items():
        time = np.arange(RATE) / RATE
        samples[second * RATE : (second + 1) * RATE] = 0.3 * np.sin(2 * np.pi * TONES[word] * time)
    path = folder / "talk.wav"
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((samples * 32767).astype("<i2").tobytes())
    with made.database.writing() as connection:
        connection.execute("UPDATE recording SET path = ?", (str(path),))
    return made


def test_a_word_that_is_heard_at_last_is_no_longer_denied(tmp_path: Path) -> None:
    reply = ask(library(tmp_path, {16: "Zanzibar"}), "Did Ben mention Zanzibar?", second=TONE)
    assert (reply.status, reply.value) == ("answered", True)
    assert "heard on a second listen, not in the transcript: “Zanzibar” at 0:14" in reply.caveats
    assert [(citation.start, citation.speaker) for citation in reply.citations] == [(14.2, "Ben")]


def test_what_is_heard_at_last_is_counted(tmp_path: Path) -> None:
    reply = ask(library(tmp_path, {16: "Zanzibar", 28: "Zanzibar"}), "How often was Zanzibar mentioned?", second=TONE)
    assert (reply.status, reply.value) == ("answered", 2)


def test_who_said_it_can_be_told(tmp_path: Path) -> None:
    reply = ask(library(tmp_path, {22: "Zanzibar"}), "Who mentioned Zanzibar?", second=TONE)
    assert (reply.status, reply.value) == ("answered", "Carla")


def test_a_refusal_for_the_speaker_is_taken_back_when_she_is_heard(tmp_path: Path) -> None:
    silent = ask(library(tmp_path / "a", {}), "What did Carla say about the budget?", second=TONE)
    assert silent.refusal is not None
    assert silent.refusal.reason == "not_said_by_speaker"
    assert silent.refusal.coverage["heard_again_seconds"] == 5.8
    heard = ask(library(tmp_path / "b", {22: "budget"}), "What did Carla say about the budget?", second=TONE)
    assert heard.status == "answered"
    assert [citation.speaker for citation in heard.citations] == ["Carla"]


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ("Did Ben mention Zanzibar?", "answered"),
        ("How often was Zanzibar mentioned?", "answered"),
        ("What was said about Zanzibar?", "not_found"),
        ("What did Ben say about Zanzibar?", "not_found"),
    ],
)
def test_a_denial_says_how_much_was_listened_to_in_vain(tmp_path: Path, question: str, status: str) -> None:
    reply = ask(library(tmp_path, {}), question, second=TONE)
    assert reply.status == status
    assert not reply.value
    assert any(caveat.startswith("not heard either: listened again to ") for caveat in reply.caveats)


def test_a_denial_says_what_such_a_listen_finds_of_planted_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = library(tmp_path, {})
    with made.database.writing() as connection:
        connection.execute("UPDATE segment SET score = 0.6")
    monkeypatch.setattr(recall, "_table", lambda: (recall.Recall(0.5, 1.01, 20, 9),))
    told = "of rare names planted in audio heard like this, 45% are found (9 of 20)"
    assert told in ask(made, "Did Ben mention Zanzibar?", second=TONE).caveats
    silent = ask(made, "What did Carla say about the budget?", second=TONE)
    assert silent.refusal is not None
    assert silent.refusal.coverage["planted_words_found"] == 0.45
    assert silent.refusal.coverage["heard_again_poorly_seconds"] == 0.0
    monkeypatch.setattr(recall, "_table", tuple)
    assert told not in ask(made, "Did Ben mention Zanzibar?", second=TONE).caveats


def test_a_denial_says_how_much_of_what_was_listened_to_was_poorly_heard_at_first(tmp_path: Path) -> None:
    made = library(tmp_path, {})
    with made.database.writing() as connection:
        connection.execute("UPDATE segment SET score = 0.3")
    silent = ask(made, "What did Carla say about the budget?", second=TONE)
    assert silent.refusal is not None
    again = silent.refusal.coverage["heard_again_seconds"]
    assert silent.refusal.coverage["heard_again_poorly_seconds"] == again > 0
    assert any(caveat.endswith(f", {again:.0f} s of it poorly heard at first") for caveat in silent.caveats)


def test_only_the_speaker_asked_about_is_heard_again(tmp_path: Path) -> None:
    ear = ToneEar()
    reply = ask(library(tmp_path, {16: "Zanzibar"}), "Did Carla mention Zanzibar?", second=SecondListen(lambda: ear))
    assert reply.value is False
    assert ear.seconds == [pytest.approx(5.8)]


def _none() -> Ear:
    raise AssertionError("nothing was denied")


@pytest.mark.parametrize(
    "question", ["Did Anna mention the budget?", "How often was the train mentioned?", "How long did Ben speak?"]
)
def test_no_ear_is_made_when_nothing_is_denied(tmp_path: Path, question: str) -> None:
    assert ask(library(tmp_path, {}), question, second=SecondListen(_none)).status == "answered"


def _missing() -> Ear:
    raise MissingWeights("whisper-base is not here: overheard models pull whisper-base")


def test_what_keeps_from_listening_is_said(tmp_path: Path) -> None:
    made = library(tmp_path, {})
    unheard = ask(made, "Did Ben mention Zanzibar?", second=SecondListen(_missing))
    assert "not listened to again: whisper-base is not here: overheard models pull whisper-base" in unheard.caveats
    (tmp_path / "talk.wav").unlink()
    gone: Reply = ask(made, "Did Ben mention Zanzibar?", second=TONE)
    assert any(caveat.startswith("not listened to again: the audio of talk-") for caveat in gone.caveats)
    assert gone.value is False
    short = ask(made, "Did Ben mention “Zo”?", second=TONE)
    assert any(caveat.startswith("not listened to again: a word of fewer than") for caveat in short.caveats)


def test_without_any_audio_at_hand_a_denial_says_so_in_one_line(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path), "Did Ben mention Zanzibar?", second=SecondListen(_none))
    assert (reply.status, reply.value) == ("answered", False)
    assert [caveat for caveat in reply.caveats if "listened" in caveat] == [f"not listened to again: {NOWHERE}"]
    without = ask(talk(tmp_path), "Did Ben mention Zanzibar?")
    assert not any("listened" in caveat for caveat in without.caveats)


def test_no_more_is_heard_than_the_time_of_a_question_allows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, ear = library(tmp_path, {}), ToneEar()
    ask(made, "Was Timbuktu mentioned?", second=SecondListen(lambda: ear, 60))
    monkeypatch.setattr(listen, "PACE", 10 / Budget().seconds)
    hurried = ToneEar()
    ask(made, "Was Timbuktu mentioned?", second=SecondListen(lambda: hurried, 60))
    assert 0 < sum(hurried.seconds) < 10 < sum(ear.seconds)


def test_a_file_that_is_gone_does_not_keep_from_hearing_the_others(tmp_path: Path) -> None:
    made = library(tmp_path, {16: "Zanzibar"})
    other = talk(tmp_path, title="Other")
    with other.database.writing() as connection:
        connection.execute("UPDATE recording SET path = '/gone/other.wav' WHERE title = 'Other'")
    assert ask(made, "Did Ben mention Zanzibar?", second=TONE).value is True
    silent = ask(made, "Was Timbuktu mentioned?", second=TONE)
    assert sum(caveat.startswith("not heard either: ") for caveat in silent.caveats) == 1
    assert [caveat for caveat in silent.caveats if caveat.startswith("not listened to again: the audio of other-")]
