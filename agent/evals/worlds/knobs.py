"""The knobs of noise, each for one kind of error, and the sets of them that have names."""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

from store.record import STREAMS, Emotion, Event, Segment, StreamKind, Turn

Break = Literal["absent", "empty", "constant", "shifted", "truncated", "duplicated"]
BREAKS: tuple[Break, ...] = get_args(Break)


@dataclass(frozen=True, slots=True)
class Noise:
    """The knobs; rates are shares of words, turns, emotions or events. `keywords` is the error rate of planted words.

    Words: `loops` segments say themselves over and over, `invented` pauses hold words nobody said, `flips` segments are
    written in another language. Times: `jitter_ms` is the deviation of edges, `drift` the share by which the clock of
    words runs fast, `reversed` rows end before they begin. Voices: `confused` turns get another voice, `missed` turns
    are not there, `split` is the share of voices in two labels, `false_alarms` pauses have a turn, `merged` is the
    share of voices taken for another, `relabelled` the minutes after which labels are dealt anew, `unknown` rows bear
    no name, `second_dropped` is the share of interrupting voices that are lost. Events: `synonyms` bear a finer label.
    `broken` streams are absent, empty and so on.
    """

    seed: int = 0
    words: float = 0.0
    keywords: float | None = None
    confused: float = 0.0
    missed: float = 0.0
    split: float = 0.0
    emotions: float = 0.0
    events_missed: float = 0.0
    events_false: float = 0.0
    temperature: float = 1.0
    loops: float = 0.0
    invented: float = 0.0
    flips: float = 0.0
    jitter_ms: float = 0.0
    drift: float = 0.0
    reversed: float = 0.0
    false_alarms: float = 0.0
    merged: float = 0.0
    relabelled: float = 0.0
    unknown: float = 0.0
    second_dropped: float = 0.0
    synonyms: float = 0.0
    broken: tuple[tuple[StreamKind, Break], ...] = ()

    def manifest(self) -> dict[str, Any]:
        """Give every knob, for the report."""
        return asdict(self) | {"broken": [list(one) for one in self.broken]}

    @staticmethod
    def read(manifest: Mapping[str, Any]) -> "Noise":
        """Give the knobs of a manifest; TypeError names one that there is not."""
        broken: Iterable[Any] = manifest.get("broken", ())
        return Noise(**(dict(manifest) | {"broken": tuple(tuple(one) for one in broken)}))


CLEAN = Noise()
PAPER = Noise(words=0.1, confused=0.08, missed=0.03, emotions=0.3, events_missed=0.15, events_false=0.1)
FIELD = Noise(words=0.25, confused=0.15, missed=0.08, split=0.25, emotions=0.45, events_missed=0.3, events_false=0.3)
PRESETS = {"clean": CLEAN, "paper": PAPER, "field": FIELD}


def preset(name: str) -> Noise:
    """Give the knobs of a name: clean, paper, field, broken-STREAM or broken-STREAM-HOW; ValueError names them."""
    if name in PRESETS:
        return PRESETS[name]
    word, _, rest = name.partition("-")
    stream, _, how = rest.partition("-")
    for kind in STREAMS:
        for breaking in BREAKS:
            if (word, stream, how or "shifted") == ("broken", kind, breaking):
                return Noise(broken=((kind, breaking),))
    raise ValueError(f"no preset '{name}': {', '.join(PRESETS)}, broken-STREAM[-{'|'.join(BREAKS)}]")


@dataclass(frozen=True)
class Heard:
    """The streams of a recording as they were heard; an absent one has no version at all."""

    segments: list[Segment] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    emotions: list[Emotion] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    absent: tuple[StreamKind, ...] = ()
