"""The four recognisers side by side: one stretch of audio in, the rows of four streams out.

The order is the data's own: turns first, words inside the turns' boundaries, emotion from the states the words were
decoded from, events on their own windows. Each network runs on one thread and two of them at once, because two threads
in one network gain less: voices and events of the next stretch are heard while the words of this one are decoded. What
fails is told, and costs no other stream; a stream whose weights are missing is left out.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from store.record import Emotion, Event, Row, Segment, StreamKind, Turn, Word
from store.streams import Source
from tools.emotion.recogniser import EmotionRecogniser
from tools.events.recogniser import EventRecogniser
from tools.listening.choice import HANDS, recognisers
from tools.listening.choice import Choice as Choice
from tools.listening.failures import Failure, failed
from tools.listening.heap import keep_freed
from tools.listening.scribe import Said, Scribe
from tools.listening.settle import HASH
from tools.listening.stretches import Stretch
from tools.media.audio import AudioFile
from tools.speaker.channels import by_channel, heard_by
from tools.speaker.recogniser import SpeakerRecogniser, Voices
from tools.transcript import elsewhere
from tools.transcript.recogniser import SetAside, TranscriptRecogniser

R = TypeVar("R")
STAGES: tuple[StreamKind, ...] = ("speaker", "transcript", "emotion", "events")


@dataclass(frozen=True, slots=True)
class Step:
    """How far a stage is: milliseconds of the recording."""

    stage: StreamKind
    done_ms: int


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

    @property
    def shares(self) -> bool:
        """Whether emotion is heard from what the words are decoded from, so that it needs them."""
        return self._emotion is not None and self._emotion.shares

    def told(self) -> list[str]:
        """Give what is to be known of how the last turns were found."""
        note = getattr(self._speaker, "note", None)
        return [note] if note else []

    def sources(self) -> dict[StreamKind, Source]:
        """Give where each stream's rows come from, for the streams that are listened to."""
        emotion, events = self._emotion, self._events
        found: dict[StreamKind, Source] = {
            "speaker": _source(self._speaker, self.choice.told("speaker")),
            "transcript": _source(self._transcript, self.choice.told("transcript")),
        }
        if emotion is not None:
            found["emotion"] = _source(emotion, {}, emotion.labels, emotion.health)
        if events is not None:
            found["events"] = _source(events, {"resolution_ms": events.resolution_ms}, events.labels)
        if elsewhere.written(self._transcript):
            del found["transcript"]
        return found

    def start(self, stretch: Stretch, kinds: frozenset[StreamKind] = frozenset(STAGES)) -> Started:
        """Begin with what needs no other stretch."""
        kinds -= {"transcript"} if elsewhere.written(self._transcript) else set()
        voices = self.soon(_voices, self._speaker, stretch) if "speaker" in kinds else None
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
        emotion = self._emotion if "emotion" in started.kinds else None
        if emotion is not None:  # it is told of turns
            failures += [replace(failure, stage="emotion") for failure in failures]
        alone = self.soon(_by_sound, emotion, stretch, turns) if emotion and not emotion.shares else None
        said = self._said(stretch, turns, started.kinds, last, progress) if "transcript" in started.kinds else None
        moods = failed(failures, "emotion", span, alone.result) if alone else said.emotions if said else []
        progress(Step("emotion", stretch.t1))
        events = failed(failures, "events", span, started.events.result) if started.events else None
        progress(Step("events", stretch.t1))
        return Heard(
            voices,
            (turns or []) if started.voices else None,
            said.segments if said else None,
            None if emotion is None or (emotion.shares and said is None) else moods or [],
            (events or []) if started.events else None,
            tuple(said.set_aside) if said else (),
            (*failures, *(said.failures if said else ())),
        )

    def voices(self, stored: bytes) -> Voices:
        """Read the voices of a stretch back from the ledger."""
        return Voices.from_bytes(stored)

    def hears_voices_as(self, voices: Voices) -> bool:
        """Say whether these voices are what this listener's recogniser would hear."""
        return heard_by(self._speaker, voices)

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
        emotion = self._emotion if self.shares and "emotion" in kinds else None
        scribe = Scribe(self._transcript, emotion, self.soon)
        return scribe.write(stretch, turns, last, lambda done_ms: progress(Step("transcript", done_ms)))


def _voices(speaker: SpeakerRecogniser, stretch: Stretch) -> Voices:
    """Give the voices of a stretch, packed: they are held until the recording ends."""
    return speaker.hear(stretch.samples, stretch.t0).packed()


def _by_sound(emotion: EmotionRecogniser, stretch: Stretch, turns: Sequence[Turn] | None) -> list[Emotion]:
    """Give the emotions of a stretch by one that hears the sound alone."""
    return emotion.emotions(None, stretch.t0, 0, turns or (), stretch.samples)


def load(choice: Choice) -> Listener:
    """Load the chosen recognisers, with the errors of `choice.recognisers`.

    It also sets the malloc of the whole process, for as long as that lives: see `tools.listening.heap`.
    """
    keep_freed()
    found = recognisers(choice)
    four = (found.speaker, found.transcript, found.emotion, found.events)
    return Listener(*four, choice=choice, notes=found.notes)


def _source(
    recogniser: SpeakerRecogniser | TranscriptRecogniser | EmotionRecogniser | EventRecogniser,
    told: Mapping[str, Any],
    labels: Sequence[str] | None = None,
    health: float | None = None,
) -> Source:
    """Give where rows come from: a recogniser by name and version, what it was told, and the hash of its weights."""
    weights = {} if recogniser.sha256 is None else {HASH: recogniser.sha256}
    return Source(f"{recogniser.name} {recogniser.version}", {**told, **weights}, labels, health)
