"""Whisper on real speech, on silence and on music: what is heard, what is set aside, how often it is encoded."""

import json
from collections.abc import Callable
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from store.errors import UsageError
from store.record import Span, Turn
from tools.media import audio
from tools.transcript.attribution import attribute
from tools.transcript.doubts import plain
from tools.transcript.recogniser import Options, Window
from tools.transcript.recognisers import whisper
from tools.transcript.recognisers.whisper import Whisper, voiced, voiced_share
from tools.transcript.scripts import join

Samples = NDArray[np.float32]
SAMPLE = Path(__file__).parents[4] / "agent" / "evals" / "sample"


@pytest.fixture(scope="module")
def base(weights: Callable[[str], Path]) -> Whisper:
    weights("whisper-base")
    return Whisper("whisper-base", Options())


@pytest.fixture(scope="module")
def tiny(weights: Callable[[str], Path]) -> Whisper:
    weights("whisper-tiny.en")
    return Whisper("whisper-tiny.en", Options())


@pytest.fixture(scope="module")
def meeting() -> tuple[Samples, list[dict[str, Any]]]:
    """The sample's first minute and the truth of it."""
    truth = json.loads((SAMPLE / "truth.json").read_text(encoding="utf-8"))["segments"]
    samples = np.concatenate(list(audio.decode(SAMPLE / "meeting.opus")))[: 60 * 16_000]
    return samples, [row for row in truth if row["end"] < 60]


@pytest.fixture(scope="module")
def heard(tiny: Whisper, meeting: tuple[Samples, list[dict[str, Any]]]) -> list[Window]:
    samples, truth = meeting
    return list(tiny.transcribe(samples, 0, turns_of(truth)))


def turns_of(truth: list[dict[str, Any]]) -> list[Turn]:
    return [Turn(int(row["start"] * 1000), int(row["end"] * 1000), row["speaker"]) for row in truth]


def recording(path: Path) -> Samples:
    return np.concatenate(list(audio.decode(path)))


def test_each_voice_gets_its_own_words(heard: list[Window], meeting: tuple[Samples, list[dict[str, Any]]]) -> None:
    truth = meeting[1]
    segments = attribute([word for window in heard for word in window.words], turns_of(truth))
    for speaker in {row["speaker"] for row in truth}:
        said = set(plain(" ".join(s.text for s in segments if s.speaker == speaker)).split())
        true = set(plain(" ".join(row["text"] for row in truth if row["speaker"] == speaker)).split())
        assert len(true & said) / len(true) > 0.8


def test_words_are_in_order_inside_their_window_and_scored(heard: list[Window]) -> None:
    for window in heard:
        assert all(window.t0 <= word.t0 < word.t1 <= window.t1 for word in window.words)
        assert all(a.t0 <= b.t0 for a, b in zip(window.words, window.words[1:], strict=False))
        assert all(word.score is not None and 0 <= word.score <= 1 for word in window.words)
        assert not any(" " in word.text for word in window.words)
    scores = [word.score or 0 for window in heard for word in window.words]
    assert sum(scores) / len(scores) > 0.7


def test_pieces_of_a_word_are_one_word(heard: list[Window]) -> None:
    text = join([word.text for window in heard for word in window.words])
    assert not any(mark in text for mark in (" ,", " .", " -", " '", " %"))


def test_states_cover_the_window(heard: list[Window]) -> None:
    for window in heard:
        assert window.states is not None
        assert window.states.dtype == np.float32
        assert abs(len(window.states) * window.state_ms - (window.t1 - window.t0)) <= window.state_ms


def encoded(whisper: Whisper, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Give a list that fills with the frames of whatever is encoded from now on."""
    frames: list[int] = []
    encode = whisper._model.encode

    def counted(features: Samples) -> object:
        frames.append(features.shape[1])
        return encode(features)

    monkeypatch.setattr(whisper._model, "encode", counted)
    return frames


def test_a_window_is_encoded_once(
    tiny: Whisper, meeting: tuple[Samples, list[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = encoded(tiny, monkeypatch)
    samples, truth = meeting
    windows = list(tiny.transcribe(samples[: 30 * 16_000], 0, turns_of(truth)))
    assert len(windows) == 1
    assert frames == [3_000]


def test_hearing_again_gives_the_same(tiny: Whisper, meeting: tuple[Samples, list[dict[str, Any]]]) -> None:
    samples, truth = meeting
    first, again = (list(tiny.transcribe(samples[: 20 * 16_000], 0, turns_of(truth))) for _ in range(2))
    assert [window.words for window in first] == [window.words for window in again]


def test_a_later_stretch_keeps_recording_time(tiny: Whisper, meeting: tuple[Samples, list[dict[str, Any]]]) -> None:
    samples, truth = meeting
    later = [Turn(turn.t0 + 600_000, turn.t1 + 600_000, turn.speaker) for turn in turns_of(truth)]
    first = list(tiny.transcribe(samples[: 20 * 16_000], 0, turns_of(truth)))
    shifted = list(tiny.transcribe(samples[: 20 * 16_000], 600_000, later))
    assert [w.t0 + 600_000 for p in first for w in p.words] == [w.t0 for p in shifted for w in p.words]


@pytest.mark.parametrize("level", [0.0, 0.01])
def test_c15_nothing_is_evidence_where_a_false_turn_covers_silence_or_noise(tiny: Whisper, level: float) -> None:
    samples = (np.random.default_rng(0).standard_normal(160_000) * level).astype(np.float32)
    windows = list(tiny.transcribe(samples, 0, [Turn(0, 10_000, "A")]))
    assert [word for window in windows for word in window.words] == []
    assert all(doubt.reason == "no_speech" for window in windows for doubt in window.set_aside)


@pytest.mark.parametrize("clip", ["dog_bark/2-116400-A.ogg", "rooster/1-39923-A.ogg", "baby_cry/2-107351-A.ogg"])
def test_c15_a_false_turn_over_an_animal_or_a_baby_says_nothing(base: Whisper, data: Path, clip: str) -> None:
    windows = list(base.transcribe(recording(data / "esc10" / clip), 0, [Turn(0, 5_000, "A")]))
    assert [word for window in windows for word in window.words] == []
    assert {doubt.reason for window in windows for doubt in window.set_aside} == {"no_speech"}


def test_c19_music_without_turns_is_no_speech(tiny: Whisper) -> None:
    t = np.arange(160_000) / 16_000
    chord = sum(0.1 * np.sin(2 * np.pi * f * t) for f in (220, 277, 330, 440))
    assert list(tiny.transcribe(np.asarray(chord, dtype=np.float32), 0, None)) == []


@pytest.mark.parametrize(("length", "turns"), [(0, []), (0, None), (160_000, []), (800, [Turn(0, 50, "A")])])
def test_c19_nothing_to_hear_gives_no_window(tiny: Whisper, length: int, turns: list[Turn] | None) -> None:
    assert list(tiny.transcribe(np.zeros(length, dtype=np.float32), 0, turns)) == []


def test_without_turns_speech_is_found(tiny: Whisper, meeting: tuple[Samples, list[dict[str, Any]]]) -> None:
    samples = meeting[0][: 20 * 16_000]
    words = [word.text for window in tiny.transcribe(samples, 0, None) for word in window.words]
    assert "festival" in plain(" ".join(words))


def test_c17_no_word_ends_after_the_samples(tiny: Whisper, meeting: tuple[Samples, list[dict[str, Any]]]) -> None:
    samples, truth = meeting
    cut = samples[: int(10.3 * 16_000)]  # in the middle of a sentence
    words = [word for window in tiny.transcribe(cut, 0, turns_of(truth)) for word in window.words]
    assert words
    assert max(word.t1 for word in words) <= 10_300


def test_c31_two_languages_in_one_window_are_written_each_in_its_own(base: Whisper, data: Path) -> None:
    english = recording(data / "librispeech" / "103" / "103-1240-0000.flac")[: 8 * 16_000]
    german = recording(next((data / "emodb").glob("*b03N*.flac")))
    samples = np.concatenate([english, np.zeros(8_000, dtype=np.float32), german])
    turns = [Turn(0, 8_000, "E"), Turn(8_500, 8_500 + len(german) // 16, "D")]
    windows = list(base.transcribe(samples, 0, turns))
    assert [window.language for window in windows] == ["en", "de"]
    assert {"chapter", "surprised"} <= {plain(word.text) for word in windows[0].words}
    assert {"wochenenden", "hause"} <= {plain(word.text) for word in windows[1].words}
    assert windows[0].t1 == windows[1].t0


def test_c31_a_short_turn_between_two_of_another_language_is_its_own(
    base: Whisper, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    english = recording(data / "librispeech" / "103" / "103-1240-0000.flac")[: 8 * 16_000]
    german = recording(data / "emodb" / "03a01Fa.flac")
    gap = np.zeros(8_000, dtype=np.float32)
    samples = np.concatenate([english, gap, german, gap, english])
    after = 9_000 + len(german) // 16
    turns = [Turn(0, 8_000, "E"), Turn(8_500, after - 500, "D"), Turn(after, after + 8_000, "E")]
    assert [window.language for window in base.transcribe(samples, 0, turns)] == ["en", "de", "en"]
    frames = encoded(base, monkeypatch)
    monkeypatch.setattr("tools.transcript.recognisers.languages.CERTAIN", 2.0)
    list(base.transcribe(samples, 0, turns))
    assert frames[:2] == [3_000, 1_000]  # a turn in doubt is encoded alone, with less silence after it than a window


def test_the_voice_detector_listens_once_and_only_when_asked(
    meeting: tuple[Samples, list[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    listened: list[int] = []

    def counted(samples: Samples, start_ms: int) -> list[Turn]:
        listened.append(start_ms)
        return voiced(samples, start_ms)

    monkeypatch.setattr(whisper, "voiced", counted)
    share = voiced_share(np.concatenate([np.zeros(80_000, np.float32), meeting[0][: 20 * 16_000]]), 1_000)
    assert listened == []
    assert share(Span(1_500, 5_500)) == 0
    assert share(Span(13_000, 25_000)) > 0.5
    assert listened == [1_000]


@pytest.mark.parametrize(
    ("told", "right"),
    [
        (Options(language="en"), set()),
        (Options(language="en", hotwords="Avonlea, Rachel Lynde"), {"Lynde", "Avonlea"}),
        (Options(language="en", initial_prompt="Mrs. Rachel Lynde lived in Avonlea."), {"Lynde", "Avonlea"}),
    ],
)
def test_hotwords_and_a_prompt_change_how_names_are_written(
    base: Whisper, data: Path, told: Options, right: set[str]
) -> None:
    samples = recording(data / "librispeech" / "103" / "103-1240-0000.flac")[: 9 * 16_000]
    heard = _told(base, told).transcribe(samples, 0, [Turn(0, 9_000, "A")])
    words = {word.text.strip(".,") for window in heard for word in window.words}
    assert words & {"Lynde", "Avonlea"} == right


def test_a_language_that_is_told_is_not_looked_for(base: Whisper, data: Path) -> None:
    samples = recording(next((data / "emodb").glob("*b03N*.flac")))
    turns = [Turn(0, len(samples) // 16, "A")]
    found, told = (
        [window.language for window in _told(base, options).transcribe(samples, 0, turns)]
        for options in (Options(), Options(language="en"))
    )
    assert (found, told) == (["de"], ["en"])


def _told(whisper: Whisper, options: Options) -> Whisper:
    """The same loaded model with other options."""
    other = copy(whisper)
    other._options = options
    return other


@pytest.mark.parametrize(("name", "code"), [("whisper-tiny.en", "de"), ("whisper-tiny.en", "klingon")])
def test_a_language_that_a_model_does_not_hear_is_refused(tiny: Whisper, name: str, code: str) -> None:
    with pytest.raises(UsageError, match=f"{name} does not hear the language '{code}'; it hears en"):
        Whisper(name, Options(language=code))
