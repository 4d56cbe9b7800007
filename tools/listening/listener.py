"""The four recognisers side by side: one stretch of audio in, the rows of four streams out.

The order is the data's own: turns first, words inside the turns' boundaries, emotion from the states the words were
decoded from, events on their own windows. Each network runs on one thread and two of them at once, because two threads
in one network gain less: voices and events of the next stretch are heard while the words of this one are decoded. What
fails is told, and costs no other stream; a stream whose weights are missing is left out.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from store.errors import MissingWeights, UsageError
from store.record import Emotion, Event, Row, Segment, StreamKind, Turn, Word
from store.streams import Source
from tools.emotion.recogniser import EmotionRecogniser
from tools.emotion.recogniser import load as load_emotion
from tools.events.recogniser import EventRecogniser
from tools.events.recogniser import load as load_events
from tools.listening.failures import Failure, failed
from tools.listening.scribe import Said, Scribe
from tools.listening.stretches import Stretch
from tools.media.audio import AudioFile
from tools.speaker.channels import Mode, by_channel
from tools.speaker.recogniser import SpeakerRecogniser, Voices
from tools.speaker.recogniser import recogniser as load_speaker
from tools.transcript import elsewhere
from tools.transcript.recogniser import STATE_DIMS, Options, SetAside, TranscriptRecogniser
from tools.transcript.recogniser import load as load_transcript

R = TypeVar("R")
STAGES: tuple[StreamKind, ...] = ("speaker", "transcript", "emotion", "events")
HANDS = 2
_UNTOLD = ("threads", "workers", "trust_model")  # never change what is heard


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
    channels: Mode = "auto"

    def __post_init__(self) -> None:
        """Refuse numbers of voices that cannot be, as UsageError."""
        numbers = (self.num_speakers, self.min_speakers, self.max_speakers)
        if any(number is not None and number < 1 for number in numbers):
            raise UsageError("a number of speakers is at least 1")
        if (self.min_speakers or 1) > (self.max_speakers or self.min_speakers or 1):
            raise UsageError(f"at least {self.min_speakers} and at most {self.max_speakers} speakers cannot both be")


@dataclass(frozen=True, slots=True)
class Heard:
    """The rows of one stretch; a stream that was not listened to is None, as are voices that could not be heard."""

    voices: Voices | None
    turns: list[Turn] | None
    segments: list[Segment] | None
    emotions: list[Emotion] | None
    events: list[Event] | None
    set_aside: tuple[SetAside, ...]
    failures: tuple[Failure, ...] = ()

    def rows(self) -> dict[StreamKind, Sequence[Row]]:
        """Give the rows by stream, without the streams that were not listened to."""
        heard: dict[StreamKind, Sequence[Row] | None] = {
            "speaker": self.turns,
            "transcript": self.segments,
            "emotion": self.emotions,
            "events": self.events,
        }
        return {kind: rows for kind, rows in heard.items() if rows is not None}


@dataclass(frozen=True, slots=True, eq=False)
class Started:
    """A stretch whose voices and events are being heard: they need no other stretch."""

    stretch: Stretch
    kinds: frozenset[StreamKind]
    voices: "Future[Voices] | None"
    events: "Future[list[Event]] | None"


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
        self._hands = ThreadPoolExecutor(HANDS, thread_name_prefix="listening")

    def soon(self, work: Callable[..., R], *given: Any) -> "Future[R]":
        """Have one of the hands do something."""
        return self._hands.submit(work, *given)

    def on(self, file: AudioFile) -> "Listener":
        """Give the listener for a file: by its channels where they are two people, see `tools.speaker.channels`."""
        speaker = by_channel(self._speaker, file, self.choice.channels)
        others = (self._transcript, self._emotion, self._events)
        return Listener(speaker, *others, choice=self.choice, notes=self.notes)

    def told(self) -> list[str]:
        """Give what is to be known of how the last turns were found."""
        note = getattr(self._speaker, "note", None)
        return [note] if note else []

    def sources(self) -> dict[StreamKind, Source]:
        """Give where each stream's rows come from, for the streams that are listened to."""
        told = asdict(self.choice.words).items()
        words = {key: value for key, value in told if value is not None and key not in _UNTOLD}
        counts = (self.choice.num_speakers, self.choice.min_speakers, self.choice.max_speakers)
        found: dict[StreamKind, Source] = {
            "speaker": Source(_model(self._speaker), {"speakers": counts}),
            "transcript": Source(_model(self._transcript), words),
        }
        if self._emotion is not None:
            found["emotion"] = Source(_model(self._emotion), {}, self._emotion.labels, self._emotion.health)
        if self._events is not None:
            resolution = {"resolution_ms": self._events.resolution_ms}
            found["events"] = Source(_model(self._events), resolution, self._events.labels)
        if elsewhere.written(self._transcript):
            del found["transcript"]
        return found

    def start(self, stretch: Stretch, kinds: frozenset[StreamKind] = frozenset(STAGES)) -> Started:
        """Begin with what needs no other stretch."""
        kinds -= {"transcript"} if elsewhere.written(self._transcript) else set()
        voices = self.soon(self._speaker.hear, stretch.samples, stretch.t0) if "speaker" in kinds else None
        events = self._events if "events" in kinds else None
        return Started(
            stretch, kinds, voices, self.soon(events.hear, stretch.samples, stretch.t0) if events is not None else None
        )

    def finish(
        self,
        started: Started,
        turns_of: Callable[[Stretch, Voices | None], list[Turn] | None],
        last: Word | None,
        progress: Callable[[Step], None] = lambda step: None,
    ) -> Heard:
        """Hear a stretch that was started, whose words go on from the last one before it.

        `turns_of` gives its turns, None where nobody knows who speaks.
        """
        stretch, failures = started.stretch, list[Failure]()
        span = (stretch.t0, stretch.t1)
        voices = failed(failures, "speaker", span, started.voices.result) if started.voices else None
        turns = failed(failures, "speaker", span, partial(turns_of, stretch, voices))
        progress(Step("speaker", stretch.t1))
        if self._hears_emotion(started.kinds):  # it is told of turns
            failures += [replace(failure, stage="emotion") for failure in failures]
        said = self._said(stretch, turns, started.kinds, last, progress) if "transcript" in started.kinds else None
        events = failed(failures, "events", span, started.events.result) if started.events else None
        progress(Step("events", stretch.t1))
        return Heard(
            voices,
            (turns or []) if started.voices else None,
            said.segments if said else None,
            said.emotions if said and self._hears_emotion(started.kinds) else None,
            (events or []) if started.events else None,
            tuple(said.set_aside) if said else (),
            (*failures, *(said.failures if said else ())),
        )

    def voices(self, stored: bytes) -> Voices:
        """Read the voices of a stretch back from the ledger."""
        return Voices.from_bytes(stored)

    def hears_voices_as(self, voices: Voices) -> bool:
        """Say whether these voices are what this listener's recogniser would hear."""
        return (voices.recogniser, voices.version) == (self._speaker.name, self._speaker.version)

    def turns(self, heard: Sequence[Voices]) -> list[Turn]:
        """Cluster the voices of all stretches heard so far."""
        choice = self.choice
        return self._speaker.turns(
            heard,
            num_speakers=choice.num_speakers,
            min_speakers=choice.min_speakers,
            max_speakers=choice.max_speakers,
        )

    def _said(
        self,
        stretch: Stretch,
        turns: Sequence[Turn] | None,
        kinds: frozenset[StreamKind],
        last: Word | None,
        progress: Callable[[Step], None],
    ) -> Said:
        emotion = self._emotion if self._hears_emotion(kinds) else None
        scribe = Scribe(self._transcript, emotion, self.soon)
        said = scribe.write(stretch, turns, last, lambda done_ms: progress(Step("transcript", done_ms)))
        progress(Step("emotion", stretch.t1))
        return said

    def _hears_emotion(self, kinds: frozenset[StreamKind]) -> bool:
        return self._emotion is not None and "emotion" in kinds


def load(choice: Choice) -> Listener:
    """Load the chosen recognisers; MissingWeights when there is nothing to hear voices or words with."""
    notes: list[str] = []
    words = load_transcript(choice.transcript, replace(choice.words, threads=1, workers=HANDS))
    return Listener(
        load_speaker(choice.speaker, **({"threads": 1} if choice.speaker == "onnx" else {})),
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
