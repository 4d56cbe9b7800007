"""The words of one stretch, and the emotions in the states they were decoded from, part by part on all hands.

A part's windows reach into its neighbours. They are joined in order once they are heard, so that a word on a cut is
written once; what was heard of a part before it failed stays.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial

from store.record import Emotion, Segment, Span, Turn, Word
from tools.emotion.recogniser import EmotionRecogniser
from tools.listening.failures import Failure, failed
from tools.listening.stretches import Stretch, parts, reaching
from tools.transcript.attribution import attribute
from tools.transcript.joining import joined, last_word
from tools.transcript.recogniser import SetAside, TranscriptRecogniser, Window
from tools.transcript.windows import clip as samples_of
from tools.voicing.voices import clip


@dataclass(frozen=True, slots=True)
class Said:
    """What a stretch gave, or a part of it: then windows that reach into its neighbours, without their states."""

    segments: list[Segment] = field(default_factory=list)
    emotions: list[Emotion] = field(default_factory=list)
    set_aside: list[SetAside] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    windows: list[Window] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Scribe:
    """Writes stretches down; `soon` has one of the hands do something, emotion is None where nobody asks for it."""

    transcript: TranscriptRecogniser
    emotion: EmotionRecogniser | None
    soon: Callable[..., "Future[Said]"]

    def write(
        self, stretch: Stretch, turns: Sequence[Turn] | None, last: Word | None, told: Callable[[int], None]
    ) -> Said:
        """Write a stretch down, going on from the last word before it; `told` gets the millisecond it has come to.

        The turns are None where nobody knows who speaks.
        """
        said = Said()
        begun = [(part, self.soon(self._part, part, turns)) for part in parts(stretch, turns)]
        for part, future in begun:
            one = future.result()
            for window in one.windows:
                inside = joined(window, Span(part.t0, part.t1), last_word(said.segments) or last)
                here = clip(turns or (), inside.t0, inside.t1)
                said.segments.extend(replace(s, language=window.language) for s in attribute(inside.words, here))
                said.set_aside.extend(inside.set_aside)
            said.emotions.extend(one.emotions)
            said.failures.extend(one.failures)
            told(part.t1)
        return said

    def _part(self, part: Stretch, turns: Sequence[Turn] | None) -> Said:
        """Hear the words of a part window by window; those heard before a failure stay."""
        found = Said()
        inside = None if turns is None else clip(turns, part.t0, part.t1)
        wide = None if inside is None else [reaching(turn, part) for turn in inside]
        reached, hear = part.t0, partial(self.transcript.transcribe, part.around, part.reach.t0, wide)
        windows = failed(found.failures, "transcript", (part.t0, part.t1), hear) or iter(())
        while (
            window := failed(found.failures, "transcript", (reached, part.t1), partial(next, windows, None))
        ) is not None:
            found.windows.append(replace(window, states=None))
            core = joined(window, Span(part.t0, part.t1), None)
            found.emotions.extend(self._emotions(core, part, clip(inside or (), core.t0, core.t1), found.failures))
            reached = max(reached, core.t1)
        if self.emotion is not None:  # its states are those of the words
            lost = [f for f in found.failures if f.stage == "transcript"]
            found.failures.extend(replace(failure, stage="emotion") for failure in lost)
        return found

    def _emotions(self, core: Window, part: Stretch, turns: Sequence[Turn], failures: list[Failure]) -> list[Emotion]:
        if self.emotion is None or core.states is None or not turns:
            return []
        samples = samples_of(part.samples, part.t0, Span(core.t0, core.t1))
        heard = partial(self.emotion.emotions, core.states, core.t0, core.state_ms, turns, samples)
        return failed(failures, "emotion", (core.t0, core.t1), heard) or []
