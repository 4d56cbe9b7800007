"""Who a voice may be, by what is said: proposed with its evidence, never applied, since people joke and are misheard.

A voice that says its name is likely that person; one that answers to most calls of a name, and to none of another,
may be. What speaks against it is shown too: a voice that calls somebody by the name it goes by is hardly that person.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from store import checks
from store.catalog import RecordingCatalog, Voice
from store.record import Span
from tools.likeness import plain
from tools.speaker.names import folded
from tools.speaker.titles import untitled
from tools.voicing.introductions import Kind, Naming, namings

SHARE = 0.75  # of all calls of a name, which a voice answers to be suggested for it; scripts/measure_suggestions.py
REACH_MS = 10_000
NAMES = "names"
"""Where a transcript's checks keep the names that whoever wrote it down gave, by the voice's label."""
NEAR = 100  # characters between a name and the end of its line, for whoever speaks next to be called by it
QUOTE = 120


@dataclass(frozen=True, slots=True)
class Line:
    """What one voice says: the voice's label and times in milliseconds."""

    t0: int
    t1: int
    voice: str
    text: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A line with a name in it, its quote cut to the sentence; `written`: a name only the transcript's writer gave."""

    line: Line
    kind: Kind | Literal["written"]
    quote: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A name a voice may have, or (`known`) has and is contradicted; what speaks for it and what against."""

    label: str
    name: str
    known: bool
    evidence: tuple[Evidence, ...]
    against: tuple[Evidence, ...] = ()

    @property
    def confident(self) -> bool:
        """Whether the voice said it of itself, and nothing contradicts it."""
        return not self.known and not self.against and any(e.kind == "own" for e in self.evidence)


@dataclass(frozen=True, slots=True)
class _Said:
    name: str
    evidence: Evidence
    before: str | None
    after: str | None


def suggestions(connection: sqlite3.Connection, entry: RecordingCatalog) -> list[Suggestion]:
    """Give what the active transcript of a recording suggests of its voices, in the voices' order."""
    if "transcript" not in entry.streams:
        return []
    rows = connection.execute(
        "SELECT s.t0, s.t1, v.label, s.text FROM segment s JOIN speaker v ON v.id = s.speaker_id"
        " WHERE s.stream_id = ? ORDER BY s.t0, s.t1, s.id",
        (entry.streams["transcript"].id,),
    )
    names = {v.label: (v.display, *v.aliases) for v in entry.voices if v.named}
    lines = [Line(*row) for row in rows]
    found = suggest(lines, names)
    found += _written(checks.read(connection, entry.streams["transcript"].id).get(NAMES, {}), lines, names, found)
    order = [voice.label for voice in entry.voices]
    return sorted((s for s in found if s.label in order), key=lambda s: (order.index(s.label), not s.known, s.name))


def contradictions(connection: sqlite3.Connection, entry: RecordingCatalog, voice: Voice) -> list[Suggestion]:
    """Give what contradicts the name of one voice among the lines in which it says that name; quick, for each question.

    That a voice says another name of itself is only among `suggestions`.
    """
    if "transcript" not in entry.streams or not voice.named:
        return []
    names = (voice.display, *voice.aliases)
    parts = sorted({part for name in names for part in name.split() if len(part) > 1})
    said = " OR ".join("instr(text, ?)" for _ in parts)
    rows = connection.execute(
        f"SELECT t0, t1, text FROM segment WHERE stream_id = ? AND speaker_id = ? AND ({said or 0}) ORDER BY t0",
        (entry.streams["transcript"].id, voice.id, *parts),
    )
    return suggest([Line(t0, t1, voice.label, text) for t0, t1, text in rows], {voice.label: names})


def suggest(lines: Sequence[Line], names: Mapping[str, Sequence[str]]) -> list[Suggestion]:
    """Give suggestions for voices without a name, and contradictions of names; `names` has all names of those named."""
    said = _named(lines)
    own = [one for one in said if one.evidence.kind == "own"]
    calls = [one for one in said if one.evidence.kind != "own"]
    found = [*_own(own, names), *_answering(calls, own, names)]
    return [*(_opposed(one, calls, own) for one in found), *_contradicted(own, calls, names)]


def _written(
    given: Mapping[str, str], lines: Sequence[Line], names: Mapping[str, Sequence[str]], found: Sequence[Suggestion]
) -> list[Suggestion]:
    """Give the names that whoever wrote the transcript down gave to voices without one, beyond what is found there."""
    suggested = []
    for label, name in sorted(given.items()):
        line = next((line for line in lines if line.voice == label), None)
        if line is None or label in names or any(one.label == label and alike(one.name, name) for one in found):
            continue
        suggested.append(Suggestion(label, name, False, (Evidence(line, "written", line.text[:QUOTE]),)))
    return suggested


def alike(name: str, other: str) -> bool:
    """Say whether one name may be short for the other."""
    one, two = ({plain(part) for part in untitled(folded(text)) or folded(text).split()} for text in (name, other))
    return one <= two or two <= one


def _own(own: Sequence[_Said], names: Mapping[str, Sequence[str]]) -> list[Suggestion]:
    """Give the names that voices without one say of themselves, the longest form of each."""
    by_voice: defaultdict[str, list[_Said]] = defaultdict(list)
    for one in own:
        if one.evidence.line.voice not in names:
            by_voice[one.evidence.line.voice].append(one)
    found = []
    for voice, ones in by_voice.items():
        left = ones
        while left:
            name = max((one.name for one in left), key=len)
            mine = tuple(one.evidence for one in left if alike(one.name, name))
            found.append(Suggestion(voice, name, False, mine))
            left = [one for one in left if not alike(one.name, name)]
    return found


def _answering(calls: Sequence[_Said], own: Sequence[_Said], names: Mapping[str, Sequence[str]]) -> list[Suggestion]:
    """Give for each name that is called the voice that mostly answers, unless somebody says it is theirs."""
    by_name: defaultdict[str, list[_Said]] = defaultdict(list)
    for one in calls:
        by_name[folded(one.name)].append(one)
    taken = [name for given in names.values() for name in given] + [one.name for one in own]
    found = []
    for ones in by_name.values():
        if any(alike(ones[0].name, name) for name in taken):
            continue
        answered: defaultdict[str, list[Evidence]] = defaultdict(list)
        for one in ones:
            for voice in {one.before, one.after} if one.evidence.kind == "thanked" else {one.after}:
                if voice is not None:
                    answered[voice].append(one.evidence)
        voice = max(answered, key=lambda each: len(answered[each]), default=None)
        if voice is not None and len(answered[voice]) >= SHARE * len(ones) and voice not in names:
            others = (len(evidence) for each, evidence in answered.items() if each != voice)
            if max(others, default=0) < len(answered[voice]):
                found.append(Suggestion(voice, ones[0].name, False, tuple(answered[voice])))
    spoken = {one.evidence.line.voice for one in own}
    return [one for one in found if one.label not in spoken and [s.label for s in found].count(one.label) == 1]


def _opposed(found: Suggestion, calls: Sequence[_Said], own: Sequence[_Said]) -> Suggestion:
    """Add what speaks against a suggestion: the voice calls that name, has another, or another voice has it."""
    against = [one for one in calls if one.evidence.line.voice == found.label and alike(one.name, found.name)]
    against += [one for one in own if (one.evidence.line.voice == found.label) != alike(one.name, found.name)]
    return replace(found, against=tuple(one.evidence for one in against))


def _contradicted(own: Sequence[_Said], calls: Sequence[_Said], names: Mapping[str, Sequence[str]]) -> list[Suggestion]:
    """Give the names that voices go by and that what they say contradicts."""
    found = []
    for voice, given in names.items():
        mine = [one for one in (*own, *calls) if one.evidence.line.voice == voice]
        against = tuple(
            one.evidence for one in mine if any(alike(one.name, name) for name in given) != (one.evidence.kind == "own")
        )
        if against:
            found.append(Suggestion(voice, given[0], True, (), against))
    return found


def _named(lines: Sequence[Line]) -> list[_Said]:
    """Give the names in all lines, with the voice that spoke just before one and that which speaks just after it."""
    found = []
    for before, line, after in zip((None, *lines[:-1]), lines, (*lines[1:], None), strict=False):
        for naming in namings(line.text):
            evidence = Evidence(line, naming.kind, _quote(line.text, naming))
            first = _near(before, line) if naming.start <= NEAR else None
            then = _near(after, line) if len(line.text) - naming.end <= NEAR else None
            found.append(_Said(naming.name, evidence, first, then))
    return found


def _near(other: Line | None, line: Line) -> str | None:
    """Give the voice of a line next to this one, when it is another and not long before or after."""
    if other is None or other.voice == line.voice or Span(other.t0, other.t1).gap(Span(line.t0, line.t1)) > REACH_MS:
        return None
    return other.voice


def _quote(text: str, naming: Naming) -> str:
    """Give the sentence around a name, cut to what can be read at a glance."""
    begin = max((text.rfind(stop, 0, naming.start) + 1 for stop in ".!?…"), default=0)
    ends = [place + 1 for stop in ".!?…" if (place := text.find(stop, naming.end)) >= 0]
    quote = text[begin : min(ends, default=len(text))].strip()
    if len(quote) <= QUOTE:
        return quote
    begin = max(0, quote.find(naming.name) - QUOTE // 2)
    return f"… {quote[begin : begin + QUOTE].strip()} …"
