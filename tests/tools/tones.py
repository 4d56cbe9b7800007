"""Tiny recognisers that really listen: a voice is a tone, a word is a second of it, an event is a click."""

import wave
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from store.record import Emotion, Event, Turn, Word
from tools.listening.listener import Choice, Listener
from tools.speaker.recogniser import Voices, labelled
from tools.transcript.recogniser import Window

RATE = 16_000
TONES = {300: "low", 600: "mid", 1200: "high"}
SECOND = 1_000
Samples = NDArray[np.float32]


def write(path: Path, tones: Sequence[int]) -> Path:
    """Write a second of each tone (0: silence) as 16 kHz mono."""
    time = np.arange(RATE) / RATE
    samples = np.concatenate([np.sin(2 * np.pi * tone * time) * (tone > 0) for tone in tones]) * 0.3
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((samples * 32767).astype("<i2").tobytes())
    return path


def heard(samples: Samples, start_ms: int) -> list[tuple[int, int, int]]:
    """Give (t0, t1, tone) for each stretch of one tone within samples, on the recording's tenths of a second."""
    runs: list[tuple[int, int, int]] = []
    for begin in range(-start_ms % 100 * 16, len(samples) - 799, 1600):
        piece = samples[begin : begin + 1600]
        if np.abs(piece).max() < 0.05:
            continue
        peak = int(np.argmax(np.abs(np.fft.rfft(piece)))) * RATE // len(piece)
        tone = min(TONES, key=lambda known: abs(known - peak))
        t0 = start_ms + begin // 16
        if runs and runs[-1][1] == t0 and runs[-1][2] == tone:
            runs[-1] = (runs[-1][0], t0 + 100, tone)
        else:
            runs.append((t0, t0 + 100, tone))
    return runs


class ToneVoices:
    """A voice for each tone."""

    name, version, sha256 = "tones", "1", None

    def hear(self, samples: Samples, start_ms: int) -> Voices:
        runs = np.array(heard(samples, start_ms), np.int64).reshape(-1, 3)
        return Voices(self.name, self.version, start_ms, len(samples) // 16, {"runs": runs})

    def turns(
        self,
        heard: Sequence[Voices],
        *,
        num_speakers: int | None = None,
        min_speakers: int | None = None,
        max_speakers: int | None = None,
    ) -> list[Turn]:
        runs = [(t0, t1, tone) for each in heard for t0, t1, tone in each.arrays["runs"].tolist()]
        known = sorted({tone for _, _, tone in runs})[: num_speakers or max_speakers]
        return labelled([(t0, t1, tone if tone in known else known[-1], 0.9) for t0, t1, tone in runs])


class ToneWords:
    """The tone's word for every second of a turn, in a window a turn; the states are the samples' loudness."""

    name, version, sha256 = "tones", "1", None

    def transcribe(self, samples: Samples, start_ms: int, turns: Sequence[Turn] | None) -> Iterator[Window]:
        for t0, t1, tone in heard(samples, start_ms):
            words = tuple(
                Word(t, min(t + SECOND, t1), f"{TONES[tone]}{t // SECOND}", 0.8) for t in range(t0, t1, SECOND)
            )
            yield Window(t0, t1, words, language="en", states=np.full(((t1 - t0) // 20, 4), tone, np.float32))


class ToneEmotions:
    """High tones are happy."""

    name, version = "tones", "1"
    sha256: str | None = None
    labels: tuple[str, ...] = ("happiness", "neutral")
    health: float | None = 0.7
    shares = True

    def emotions(
        self,
        states: NDArray[np.float32] | None,
        t0: int,
        state_ms: int,
        turns: Sequence[Turn],
        samples: Samples | None = None,
    ) -> list[Emotion]:
        assert states is not None
        label = "happiness" if states.mean() > 1_000 else "neutral"
        return [Emotion(turn.t0, turn.t1, label, 0.9, turn.speaker, {label: 0.9}) for turn in turns]


class ToneEvents:
    """A beep for every high tone."""

    name, version, sha256 = "tones", "1", None
    labels: tuple[str, ...] = ("Beep, bleep",)
    resolution_ms = 0

    def hear(self, samples: Samples, start_ms: int) -> list[Event]:
        return [Event(t0, t1, "Beep, bleep", 0.9) for t0, t1, tone in heard(samples, start_ms) if tone == 1200]


class SoundEmotions(ToneEmotions):
    """High tones are happy to who hears the sound alone; its weights have a hash."""

    name, sha256 = "sounding", "5" * 64
    health = None
    shares = False

    def emotions(
        self,
        states: NDArray[np.float32] | None,
        t0: int,
        state_ms: int,
        turns: Sequence[Turn],
        samples: Samples | None = None,
    ) -> list[Emotion]:
        assert states is None
        assert samples is not None
        found = []
        for turn in turns:
            part = samples[(turn.t0 - t0) * 16 : (turn.t1 - t0) * 16]
            label = "happiness" if heard(part, 0)[0][2] == 1200 else "neutral"
            found.append(Emotion(turn.t0, turn.t1, label, 0.9, turn.speaker, {label: 0.9}))
        return found


class Whispered(ToneWords):
    """The same words, written otherwise: another model."""

    name = "whispers"

    def transcribe(self, samples: Samples, start_ms: int, turns: Sequence[Turn] | None) -> Iterator[Window]:
        for window in super().transcribe(samples, start_ms, turns):
            yield replace(window, words=tuple(replace(word, text=f"~{word.text}") for word in window.words))


def listener(choice: Choice | None = None, **others: Any) -> Listener:
    """Give a listener of tones; `others` replace recognisers by stream, None leaves one out."""
    made: dict[str, Any] = {
        "speaker": ToneVoices(), "transcript": ToneWords(), "emotion": ToneEmotions(), "events": ToneEvents(),
    } | others  # fmt: skip
    return Listener(made["speaker"], made["transcript"], made["emotion"], made["events"], choice=choice)
