"""A made interview as sound, and a real endpoint that listens to it and reads off the sound where it is.

A voice is a tone, silence is silence, and the first sample of each second tells its number. What is said when is known,
so the endpoint writes down what lies in the audio that it was sent, as well or as badly as it is told.
"""

import base64
import io
import json
import random
import wave
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from store.record import Span, Turn
from tests.tools.loopback import Json, Loopback, Reply, event, message, serving
from tools.media.audio import RATE

_TALK = (
    "alors euh ben voilà quand je suis arrivé au port il y avait encore des bateaux partout hein mon père travaillait "
    "déjà là depuis longtemps on se levait tôt le matin parce que la criée commençait avant cinq heures tu vois "
    "c'était dur mais bon personne ne se plaignait jamais sauf peut-être ma grand-mère qui disait toujours putain quel "
    "métier enfin pas devant les enfants ensuite nous avons déménagé vers Nantes où ma sœur tenait une boutique"
)
WORDS = _TALK.split()
TONES = {"anne": 300, "luc": 600, "zoé": 1200}
STEP_MS = 570_000


@dataclass(frozen=True)
class Line:
    """What a voice really says."""

    t0: int
    t1: int
    voice: str
    text: str

    def words(self) -> Iterator[tuple[int, int, str]]:
        texts = self.text.split()
        for n, text in enumerate(texts):
            begin, end = (self.t0 + (self.t1 - self.t0) * m // len(texts) for m in (n, n + 1))
            yield begin, end, text

    def within(self, span: Span) -> "Line | None":
        """What of it is heard within a span."""
        heard = [word for word in self.words() if span.t0 <= (word[0] + word[1]) // 2 < span.t1]
        return Line(heard[0][0], heard[-1][1], self.voice, " ".join(word[2] for word in heard)) if heard else None


def script(minutes: float, seed: int = 1, voices: Sequence[str] = ("anne", "luc")) -> list[Line]:
    """Give lines of whole seconds by turns, with short and now and then long pauses."""
    chance = random.Random(seed)
    at, lines = 2_000, list[Line]()
    while at < minutes * 60_000 - 12_000:
        length = chance.choice((1, 2, 3, 4, 5, 6, 8))
        text = " ".join(chance.choice(WORDS) for _ in range(3 * length)).capitalize() + chance.choice(".?…")
        speaker = voices[len(lines) % len(voices)] if chance.random() < 0.8 or not lines else lines[-1].voice
        lines.append(Line(at, at + length * 1000, speaker, text))
        at += length * 1000 + chance.choice((1, 1, 1, 2, 2, 3, 6)) * 1000
    return lines


def sound(lines: Sequence[Line], ms: int) -> NDArray[np.float32]:
    """Give the interview as 16 kHz samples."""
    samples = np.zeros(ms * RATE // 1000, np.float32)
    tones = {voice: 0.3 * np.sin(2 * np.pi * tone * np.arange(RATE) / RATE) for voice, tone in TONES.items()}
    for line in lines:
        for at in range(line.t0, line.t1, 1000):
            samples[at * 16 : at * 16 + RATE] = tones[line.voice][: len(samples) - at * 16]
    samples[::RATE] = np.arange(len(samples[::RATE])) / 32_768
    return samples


def blocks(samples: NDArray[np.float32]) -> Iterator[NDArray[np.float32]]:
    return (samples[begin : begin + 10 * RATE] for begin in range(0, len(samples), 10 * RATE))


def voiced(samples: NDArray[np.float32], start_ms: int) -> list[Turn]:
    """Find where it is not silent, by seconds."""
    loud = [float(np.abs(samples[n + 1 : n + RATE]).max(initial=0)) > 0.05 for n in range(0, len(samples), RATE)]
    return [Turn(start_ms + n * 1000, start_ms + n * 1000 + 1000, "") for n, heard in enumerate(loud) if heard]


def turns(lines: Sequence[Line]) -> list[Turn]:
    """Give what telling voices apart by their sound gives: labels of no names."""
    labels = {voice: f"SPEAKER_{n:02}" for n, voice in enumerate(dict.fromkeys(line.voice for line in lines))}
    return [Turn(line.t0, line.t1, labels[line.voice], 0.9) for line in lines]


def clock(ms: int) -> str:
    seconds = ms // 1000
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


@dataclass(frozen=True)
class Heard:
    """A chunk as the endpoint heard it: times count from its start, ids from its first voice."""

    number: int
    attempt: int
    span: Span
    lines: Sequence[Line]
    names: dict[str, str]
    finish: str = "stop"

    @property
    def ids(self) -> dict[str, str]:
        order = list(dict.fromkeys(line.voice for line in self.lines))
        order = order[::-1] if self.number % 2 else order
        return {voice: str(n) for n, voice in enumerate(order, 1)}

    def rows(self) -> list[str]:
        ids = self.ids
        return [f"{ids.get(v.voice, '9')}\t{clock(v.t0)}\t{clock(v.t1)}\t{v.text}" for v in self.lines]

    def header(self) -> str:
        pairs = (f"Speaker_{n}:{self.names.get(voice, f'Speaker_{n}')}" for voice, n in self.ids.items())
        return "Diarization " + "\\".join(pairs)

    def text(self) -> str:
        return "\n".join([self.header(), *self.rows()])


Answer = Callable[[Heard], str | tuple[str, str] | Reply]


@dataclass
class Listening:
    """The endpoint: `answer` gives text, (text, finish) or a reply to what it heard, `fuse` to what it only read."""

    lines: Sequence[Line]
    answer: Answer = Heard.text
    names: dict[str, str] = field(default_factory=dict)
    fuse: Callable[[str], str] = lambda asked: ""
    refuses: tuple[str, ...] = ()
    spans: list[Span] = field(default_factory=list)

    def __call__(self, request: Json) -> Reply:
        content = request["messages"][-1]["content"]
        if isinstance(content, str):
            return answered(self.fuse(content))
        (audio,) = (part["input_audio"] for part in content if part["type"] == "input_audio")
        if audio["format"] in self.refuses:
            return Reply(json.dumps({"error": {"message": f"unknown format {audio['format']}"}}), status=400)
        span = _read(base64.b64decode(audio["data"]), audio["format"])
        attempt = self.spans.count(span)
        self.spans.append(span)
        said = [part for line in self.lines if (part := line.within(span))]
        lines = [replace(one, t0=one.t0 - span.t0, t1=one.t1 - span.t0) for one in said]
        told = self.answer(Heard(span.t0 // STEP_MS, attempt, span, lines, self.names))
        if isinstance(told, Reply):
            return told
        text, finish = told if isinstance(told, tuple) else (told, "stop")
        return answered(text, finish)


def answered(text: str, finish: str = "stop") -> Reply:
    """One event with all the text, and what it cost."""
    usage = json.dumps({"choices": [], "usage": {"prompt_tokens": 19_200, "completion_tokens": len(text) // 4}})
    pieces = (event(message(text)), event({}, finish), f"data: {usage}\n\n", "data: [DONE]\n\n")
    return Reply(pieces=pieces, kind="text/event-stream")


def _read(sent: bytes, form: str) -> Span:
    """Find where the sound is from, by its first sample, and how long it is."""
    if form == "wav":
        with wave.open(io.BytesIO(sent)) as file:
            assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (RATE, 1, 2)
            samples = np.frombuffer(file.readframes(file.getnframes()), "<i2")
    else:
        import av

        with av.open(io.BytesIO(sent), "r") as container:
            samples = np.concatenate([frame.to_ndarray()[0] for frame in container.decode(audio=0)])
    t0 = int(samples[0]) * 1000
    return Span(t0, t0 + len(samples) * 1000 // RATE)


@contextmanager
def listening(endpoint: Listening) -> Iterator[Loopback]:
    with serving(endpoint, offers=("hears",)) as server:
        yield server
