"""Who speaks when turns and text come from different files: the turns stay, the text's voices name them.

A turn's label is named by the voice it shares most time with, when the label is a form or a code (SPEAKER_00, MEE009)
and not itself a name. One voice names one label: two labels of one name may be two people, and a wrong name is worse
than none. Whatever contradicts the turns is told and changes nothing.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from store.clock import clock
from store.record import Emotion, Segment, Span, Turn, is_generic
from tools.timeline import Timeline, foremost

LONGEST_WORD_MS = 1000  # a longer one is a recogniser's word stretched over the silence behind it


@dataclass(frozen=True, slots=True)
class NamedTurns:
    """Segments with the turns' labels as speakers, names for some labels, turns of voices that only the text has."""

    segments: tuple[Segment, ...]
    names: dict[str, str]
    turns: tuple[Turn, ...]
    caveats: tuple[str, ...]


def name_turns(segments: Sequence[Segment], turns: Sequence[Turn]) -> NamedTurns:
    """Put the turns' voices on segments, and the text's names on the turns' voices."""
    timeline = Timeline(turns)
    shared = [_spoken(segment, timeline) for segment in segments]
    together: Counter[tuple[str, str]] = Counter()
    for segment, heard in zip(segments, shared, strict=True):
        if segment.speaker is not None:
            for label, ms in heard.items():
                together[label, segment.speaker] += ms
    names, caveats = _names(together)
    labels = {name: label for label, name in names.items()}
    placed = [
        replace(segment, speaker=foremost(heard) or _elsewhere(segment.speaker, labels))
        for segment, heard in zip(segments, shared, strict=True)
    ]
    caveats += _contradictions(segments, placed, names)
    known = {turn.speaker for turn in turns}
    alone = tuple(Turn(s.t0, s.t1, s.speaker) for s in placed if s.speaker is not None and s.speaker not in known)
    if alone:
        only = ", ".join(sorted({turn.speaker for turn in alone}))
        caveats.append(f"only the text knows {only}; {len(alone)} cues where the turns hear nobody are their turns")
    return NamedTurns(tuple(placed), names, alone, tuple(caveats))


def voices(segments: Iterable[Segment]) -> list[Turn]:
    """Give the voices of a text as turns, where no file of turns says better."""
    return [Turn(row.t0, row.t1, row.speaker, row.score) for row in segments if row.speaker is not None]


def speak(emotions: Iterable[Emotion], turns: Sequence[Turn]) -> list[Emotion]:
    """Give emotions whose file names no speaker the voice they share most time with."""
    timeline = Timeline(turns)
    return [e if e.speaker else replace(e, speaker=timeline.voice(Span(e.t0, e.t1))) for e in emotions]


def _spoken(segment: Segment, timeline: Timeline) -> Counter[str]:
    """Give the time a segment's words (the segment itself without words) share with each voice."""
    found: Counter[str] = Counter()
    for word in segment.words:
        found += timeline.shared(Span(word.t0, min(word.t1, word.t0 + LONGEST_WORD_MS)))
    return found or timeline.shared(Span(segment.t0, segment.t1))


def _elsewhere(voice: str | None, labels: dict[str, str]) -> str | None:
    """Give the speaker of a cue where no turn is: the label its voice names, else the voice if it is a name."""
    if voice is None or is_generic(voice):
        return None
    return labels.get(voice, voice)


def _names(together: Counter[tuple[str, str]]) -> tuple[dict[str, str], list[str]]:
    names: dict[str, str] = {}
    caveats: list[str] = []
    seen: set[str] = set()
    for (label, voice), ms in sorted(together.items(), key=lambda item: (-item[1], item[0])):
        if label in seen or ms <= 0:
            continue
        seen.add(label)
        if _same(label, voice) or (is_generic(label) and is_generic(voice)):
            continue
        if not _is_code(label):
            caveats.append(f"the turns say {label} where the text mostly says {voice} ({clock(ms)}); the turns stay")
        elif voice in names.values():
            caveats.append(f"{label} also speaks mostly as {voice} ({clock(ms)}), who is somebody else; it has no name")
        else:
            names[label] = voice
    return names, caveats


def _contradictions(before: Sequence[Segment], after: Sequence[Segment], names: dict[str, str]) -> list[str]:
    told = [
        (old, names.get(new.speaker, new.speaker))
        for old, new in zip(before, after, strict=True)
        if old.speaker and new.speaker and not _same(names.get(new.speaker, new.speaker), old.speaker)
    ]
    told = [(old, name) for old, name in told if not is_generic(old.speaker or "")]
    lost = sum(1 for segment in after if segment.speaker is None)
    caveats = [f"{lost} cues lie where the turns hear nobody; they have no speaker"] if lost else []
    if told:
        some = ", ".join(f"{clock(old.t0)} {old.speaker} (turns: {name})" for old, name in told[:3])
        caveats.append(f"{len(told)} cues name another voice than the turns, which stay: {some}")
    return caveats


def _same(one: str, other: str) -> bool:
    return one.casefold() == other.casefold()


def _is_code(label: str) -> bool:
    return is_generic(label) or len(label) == 1 or re.search(r"\d", label) is not None
