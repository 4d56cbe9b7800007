"""The four recognisers side by side: one stretch of audio in, the rows of four streams out.

The order is the data's own: turns first, words inside the turns' boundaries, emotion from the states the words were
decoded from, events on their own windows. A stream whose weights are missing is left out, and said so.
"""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import TypeVar

from store.errors import MissingWeights, UsageError
from store.record import Emotion, Event, Row, Segment, StreamKind, Turn
from store.streams import Source
from tools.emotion.recogniser import EmotionRecogniser
from tools.emotion.recogniser import load as load_emotion
from tools.events.recogniser import EventRecogniser
from tools.events.recogniser import load as load_events
from tools.speaker.recogniser import SpeakerRecogniser, Voices
from tools.speaker.recogniser import recogniser as load_speaker
from tools.stretches import Stretch
from tools.transcript.attribution import attribute
from tools.transcript.recogniser import STATE_DIMS, Options, SetAside, TranscriptRecogniser
from tools.transcript.recogniser import load as load_transcript
from tools.voices import clip, keep_labels

R = TypeVar("R")
STAGES: tuple[StreamKind, ...] = ("speaker", "transcript", "emotion", "events")


@dataclass(frozen=True, slots=True)
class Step:
    """How far a stage is: milliseconds of the recording."""

    stage: StreamKind
    done_ms: int


@dataclass(frozen=True, slots=True)
class Choice:
    """Which recognisers hear, and what they are told; the speaker counts bound the clustering."""

    transcript: str = "whisper-base"
    speaker: str = "onnx"
    emotion: str | None = "emodb"
    events: str | None = "yamnet"
    words: Options = field(default_factory=Options)
    num_speakers: int | None = None
    min_speakers: int | None = None
    max_speakers: int | None = None

    def __post_init__(self) -> None:
        """Refuse numbers of voices that cannot be, as UsageError."""
        numbers = (self.num_speakers, self.min_speakers, self.max_speakers)
        if any(number is not None and number < 1 for number in numbers):
            raise UsageError("a number of speakers is at least 1")
        if (self.min_speakers or 1) > (self.max_speakers or self.min_speakers or 1):
            raise UsageError(f"at least {self.min_speakers} and at most {self.max_speakers} speakers cannot both be")


@dataclass(frozen=True, slots=True)
class Heard:
    """The rows of one stretch; a stream that was not listened to is None."""

    voices: Voices
    turns: list[Turn]
    segments: list[Segment]
    emotions: list[Emotion] | None
    events: list[Event] | None
    set_aside: tuple[SetAside, ...]

    def rows(self) -> dict[StreamKind, Sequence[Row]]:
        """Give the rows by stream, without the streams that were not listened to."""
        heard: dict[StreamKind, Sequence[Row] | None] = {
            "speaker": self.turns,
            "transcript": self.segments,
            "emotion": self.emotions,
            "events": self.events,
        }
        return {kind: rows for kind, rows in heard.items() if rows is not None}


class Listener:
    """Recognisers loaded once, for any number of recordings; `notes` says which streams are left out, and why."""

    def __init__(
        self,
        speaker: SpeakerRecogniser,
        transcript: TranscriptRecogniser,
        emotion: EmotionRecogniser | None,
        events: EventRecogniser | None,
        *,
        choice: Choice | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        self.choice, self.notes = choice or Choice(), tuple(notes)
        self._speaker, self._transcript, self._emotion, self._events = speaker, transcript, emotion, events

    def sources(self) -> dict[StreamKind, Source]:
        """Give where each stream's rows come from, for the streams that are listened to."""
        words = {key: value for key, value in asdict(self.choice.words).items() if value is not None}
        counts = (self.choice.num_speakers, self.choice.min_speakers, self.choice.max_speakers)
        found: dict[StreamKind, Source] = {
            "speaker": Source(_model(self._speaker), {"speakers": counts}),
            "transcript": Source(_model(self._transcript), words),
        }
        if self._emotion is not None:
            found["emotion"] = Source(_model(self._emotion), {}, self._emotion.labels, self._emotion.health)
        if self._events is not None:
            told = {"resolution_ms": self._events.resolution_ms}
            found["events"] = Source(_model(self._events), told, self._events.labels)
        return found

    def hear(
        self, stretch: Stretch, before: Sequence[Voices], published: Sequence[Turn], progress: Callable[[Step], None]
    ) -> Heard:
        """Hear one stretch; the voices and published turns of the stretches before it let its labels go on."""
        voices = self._speaker.hear(stretch.samples, stretch.t0)
        progress(Step("speaker", stretch.t1))
        turns = clip(keep_labels(self.turns([*before, voices]), published), stretch.t0, stretch.t1)
        segments, emotions, aside = self._words(stretch, turns, progress)
        found = self._events.hear(stretch.samples, stretch.t0) if self._events else None
        progress(Step("events", stretch.t1))
        return Heard(voices, turns, segments, emotions if self._emotion else None, found, aside)

    def voices(self, stored: bytes) -> Voices:
        """Read the voices of a stretch back from the ledger."""
        return Voices.from_bytes(stored)

    def turns(self, heard: Sequence[Voices]) -> list[Turn]:
        """Cluster the voices of all stretches heard so far."""
        choice = self.choice
        return self._speaker.turns(
            heard,
            num_speakers=choice.num_speakers,
            min_speakers=choice.min_speakers,
            max_speakers=choice.max_speakers,
        )

    def _words(
        self, stretch: Stretch, turns: Sequence[Turn], progress: Callable[[Step], None]
    ) -> tuple[list[Segment], list[Emotion], tuple[SetAside, ...]]:
        segments: list[Segment] = []
        emotions: list[Emotion] = []
        aside: list[SetAside] = []
        for window in self._transcript.transcribe(stretch.samples, stretch.t0, turns):
            inside = clip(turns, window.t0, window.t1)
            segments += (replace(s, language=window.language) for s in attribute(window.words, inside))
            if self._emotion is not None and window.states is not None:
                emotions += self._emotion.emotions(window.states, window.t0, window.state_ms, inside)
            aside += window.set_aside
            progress(Step("transcript", window.t1))
        progress(Step("transcript", stretch.t1))
        progress(Step("emotion", stretch.t1))
        return segments, emotions, tuple(aside)


def load(choice: Choice) -> Listener:
    """Load the chosen recognisers; MissingWeights when there is nothing to hear voices or words with."""
    notes: list[str] = []
    words = load_transcript(choice.transcript, choice.words)
    return Listener(
        load_speaker(choice.speaker),
        words,
        _optional("emotion", partial(load_emotion, state_dim=STATE_DIMS.get(words.name)), choice.emotion, notes),
        _optional("events", load_events, choice.events, notes),
        choice=choice,
        notes=notes,
    )


def _optional(stream: StreamKind, load: Callable[[str], R], name: str | None, notes: list[str]) -> R | None:
    if name is None:
        notes.append(f"the {stream} stream is left out, as asked")
        return None
    try:
        return load(name)
    except MissingWeights as error:
        notes.append(f"the {stream} stream is left out: {error}")
        return None


def _model(recogniser: SpeakerRecogniser | TranscriptRecogniser | EmotionRecogniser | EventRecogniser) -> str:
    return f"{recogniser.name} {recogniser.version}"
