"""The truth of a made-up recording, as values: who said, felt and made what when, and what was planted where."""

from dataclasses import dataclass, field
from typing import Literal

from store.record import Emotion, Event, Segment, Turn


@dataclass(frozen=True, slots=True)
class Spec:
    """What makes a world: everything else follows from it.

    With `decoys` namesakes speak, and statements are also asked, denied, taken back and worded freely.
    """

    seed: int
    minutes: float
    cast: int = 4
    decoys: bool = field(default=False, repr=False)


@dataclass(frozen=True, slots=True)
class Fact:
    """One planted statement; `source` names who is quoted, when it is not the speaker's own.

    `corrects` is the value that the same speaker had stated before; `free` wording does not name the attribute;
    `reason` is why, where it is said.
    """

    entity: str
    attribute: str
    value: str
    speaker: str
    t0: int
    t1: int
    source: str | None = None
    corrects: str | None = None
    free: bool = False
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Aside:
    """What sounds like a statement and is none: the same thing asked, or denied."""

    kind: Literal["asked", "negated"]
    entity: str
    attribute: str
    value: str
    speaker: str
    t0: int
    t1: int


@dataclass(frozen=True, slots=True)
class Mention:
    """One planted mention of a topic."""

    topic: str
    speaker: str
    t0: int
    t1: int


@dataclass(frozen=True)
class World:
    """The truth of one made-up recording; times in milliseconds."""

    spec: Spec
    cast: tuple[str, ...]
    absent: tuple[str, ...]
    segments: list[Segment] = field(default_factory=list)
    emotions: list[Emotion] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    asides: list[Aside] = field(default_factory=list)

    @property
    def duration_ms(self) -> int:
        """The recording's length."""
        return round(self.spec.minutes * 60_000)

    @property
    def turns(self) -> list[Turn]:
        """The turns: one a segment."""
        return [Turn(s.t0, s.t1, s.speaker or "", 0.99) for s in self.segments]


@dataclass(frozen=True, slots=True)
class Slot:
    """A turn before it has words: who speaks when, and the how-manieth turn it is."""

    speaker: str
    t0: int
    t1: int
    number: int
