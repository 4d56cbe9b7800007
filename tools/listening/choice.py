"""Which recognisers hear, and loading them: what was chosen must be there, a default that is missing is left out.

Voices and words are never left out: without them there is nothing to hear.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any, TypeVar

from store.errors import MissingWeights, UsageError
from store.record import StreamKind
from tools.emotion.recogniser import DEFAULT as EMOTION
from tools.emotion.recogniser import EmotionRecogniser
from tools.emotion.recogniser import load as load_emotion
from tools.events.recogniser import DEFAULT as EVENTS
from tools.events.recogniser import EventRecogniser
from tools.events.recogniser import load as load_events
from tools.speaker.channels import Mode
from tools.speaker.recogniser import DEFAULT as SPEAKER
from tools.speaker.recogniser import SpeakerRecogniser
from tools.speaker.recogniser import recogniser as load_speaker
from tools.transcript.recogniser import STATE_DIMS, Options, TranscriptRecogniser
from tools.transcript.recogniser import load as load_transcript

R = TypeVar("R")
HANDS = 2
_UNTOLD = ("threads", "workers", "trust_model")  # never change what is heard


@dataclass(frozen=True, slots=True)
class Choice:
    """Which recognisers hear, and what they are told; the speaker counts bound the clustering.

    `emotion` is the default's name, or a folder or hub name of a classifier; `diarize_model` and `tagger_model` are
    what `pyannote` and `panns` hear with, else where these look by themselves. `exclusive` gives one voice at a time.
    """

    transcript: str = "whisper-base"
    speaker: str = SPEAKER
    emotion: str | None = EMOTION
    events: str | None = EVENTS
    words: Options = field(default_factory=Options)
    num_speakers: int | None = None
    min_speakers: int | None = None
    max_speakers: int | None = None
    channels: Mode = "auto"
    diarize_model: str | None = None
    exclusive: bool = False
    tagger_model: str | None = None

    def __post_init__(self) -> None:
        """Refuse numbers of voices that cannot be, as UsageError."""
        numbers = (self.num_speakers, self.min_speakers, self.max_speakers)
        if any(number is not None and number < 1 for number in numbers):
            raise UsageError("a number of speakers is at least 1")
        if (self.min_speakers or 1) > (self.max_speakers or self.min_speakers or 1):
            raise UsageError(f"at least {self.min_speakers} and at most {self.max_speakers} speakers cannot both be")

    def told(self, stream: StreamKind) -> dict[str, Any]:
        """Give the parameters that change what is heard of a stream."""
        if stream == "speaker":
            counts = {"speakers": (self.num_speakers, self.min_speakers, self.max_speakers)}
            return {**counts, **({"exclusive": True} if self.exclusive else {})}
        if stream == "transcript":
            words = asdict(self.words).items()
            return {key: value for key, value in words if value is not None and key not in _UNTOLD}
        return {}


@dataclass(frozen=True, slots=True)
class Recognisers:
    """The four, loaded; `notes` says which streams are left out, and why."""

    speaker: SpeakerRecogniser
    transcript: TranscriptRecogniser
    emotion: EmotionRecogniser | None
    events: EventRecogniser | None
    notes: tuple[str, ...]


def recognisers(choice: Choice) -> Recognisers:
    """Load the chosen recognisers.

    MissingWeights or MissingPackage when there is nothing to hear voices or words with, or not what was asked for
    instead of a default; UsageError when a name means nothing or nobody vouches for a model.
    """
    notes: list[str] = []
    trust = choice.words.trust_model
    words = load_transcript(choice.transcript, replace(choice.words, threads=1, workers=HANDS))
    emotion = partial(load_emotion, state_dim=STATE_DIMS.get(words.name), trust_model=trust)
    events = partial(load_events, **_panns(choice, trust))
    return Recognisers(
        load_speaker(choice.speaker, **_speaker(choice, trust)),
        words,
        _optional("emotion", emotion, choice.emotion, EMOTION, notes),
        _optional("events", events, choice.events, EVENTS, notes),
        tuple(notes),
    )


def _speaker(choice: Choice, trust: bool) -> dict[str, Any]:
    if choice.speaker == SPEAKER:
        return {"threads": 1}
    return {"model": choice.diarize_model, "trust_model": trust, "exclusive": choice.exclusive}


def _panns(choice: Choice, trust: bool) -> dict[str, Any]:
    return {"checkpoint": choice.tagger_model, "trust_model": trust} if choice.events == "panns" else {}


def _optional(
    stream: StreamKind, load: Callable[[str], R], name: str | None, default: str, notes: list[str]
) -> R | None:
    if name is None:
        notes.append(f"the {stream} stream is left out, as asked")
        return None
    try:
        return load(name)
    except MissingWeights as error:
        if name != default:
            raise
        notes.append(f"the {stream} stream is left out: {error}")
        return None
