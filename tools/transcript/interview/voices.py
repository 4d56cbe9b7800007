"""Who is who across chunks, whose voice ids begin anew each time: by local turns, by the shared half minute, by name.

Turns that were told apart by how voices sound decide where there are any: an id is the voice that shares most of its
time. Otherwise the words that two chunks wrote alike say which id is which, then the names of the headers, and a last
pair is left by elimination. A name never overrules the sound: it is offered, and told where it fits badly.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from store.clock import clock
from store.record import Span, Turn, is_generic
from tools.timeline import Timeline, foremost
from tools.transcript.interview.fuse import Alignment
from tools.transcript.interview.grouping import Same, Who, groups
from tools.transcript.interview.table import Said

_LEAST_MS = 8_000
_OF_ONE = 0.7
_OF_ANOTHER = 0.25
_HEARD = 0.2


@dataclass(frozen=True, slots=True)
class Swap:
    """An id or a name that stands for two voices, in words, and the milliseconds of the rows it concerns."""

    text: str
    ms: int


@dataclass(frozen=True, slots=True)
class Roster:
    """The label of each chunk's voices, the name a model gave most to a label, and what does not fit.

    The rows of a `mixed` id belong to whoever is heard at their own time; `heard` says whether anybody is.
    """

    labels: Mapping[Who, str]
    names: Mapping[str, str]
    mixed: frozenset[Who] = frozenset()
    swaps: Sequence[Swap] = ()
    turns: Timeline = field(default_factory=lambda: Timeline(()))
    heard: bool = False

    def voice(self, row: Said) -> str:
        """Give the label of the voice that says a row."""
        label = self.labels[row.who]
        if row.who not in self.mixed:
            return label
        return self.turns.voice(Span(row.t0, row.t1)) or label


def alike(found: Alignment, end: Sequence[Said], begin: Sequence[Said]) -> Counter[tuple[Who, Who]]:
    """Count the words that a voice of one chunk and a voice of the next are both said to say."""
    return Counter((end[found.end[a].row].who, begin[found.begin[b].row].who) for a, b in found.pairs)


def roster(rows: Sequence[Said], names: Mapping[Who, str], same: Same, turns: Sequence[Turn] | None = None) -> Roster:
    """Give who the voices of all chunks are; `names` are the headers', `same` counts words that two ids share."""
    spoken: Counter[Who] = Counter()
    for row in rows:
        spoken[row.who] += row.t1 - row.t0
    joined = groups(sorted(spoken), names, same)
    if not turns:
        labels = {who: f"Speaker_{number}" for number, group in enumerate(joined, 1) for who in group}
        return Roster(labels, _named(labels, names, spoken), swaps=_renamed(joined, names, spoken))
    timeline = Timeline(turns)
    heard: defaultdict[Who, Counter[str]] = defaultdict(Counter)
    mostly: defaultdict[Who, Counter[str]] = defaultdict(Counter)
    for row in rows:
        shared = timeline.shared(Span(row.t0, row.t1))
        heard[row.who] += shared
        if (voice := foremost(shared)) is not None:
            mostly[row.who][voice] += row.t1 - row.t0
    labels = _sounding(joined, heard, spoken)
    mixed = {who: two for who in spoken if (two := _two_voices(mostly[who]))}
    swaps = [_mixed(who, two, names, mostly[who], rows) for who, two in mixed.items()]
    clear = {who: label for who, label in labels.items() if who not in mixed}
    swaps += _misnamed(clear, names, spoken)
    return Roster(labels, _named(clear, names, spoken), frozenset(mixed), swaps, timeline, heard=True)


def _sounding(
    joined: Sequence[Sequence[Who]], heard: Mapping[Who, Counter[str]], spoken: Counter[Who]
) -> dict[Who, str]:
    """Give each id the voice that shares most of its time; one that shares hardly any goes with its group."""
    labels: dict[Who, str] = {}
    taken = {voice for voices in heard.values() for voice in voices}
    for number, group in enumerate(joined, 1):
        whole: Counter[str] = Counter()
        for who in group:
            voice = foremost(heard[who])
            whole += heard[who]
            if voice is not None and heard[who][voice] >= _HEARD * spoken[who]:
                labels[who] = voice
        theirs = Counter({labels[who]: heard[who].total() for who in group if who in labels})
        other = f"Speaker_{number}" if f"Speaker_{number}" not in taken else f"Speaker_{number}_unheard"
        rest = foremost(theirs) or foremost(whole) or other
        labels |= {who: rest for who in group if who not in labels}
    return labels


def _two_voices(mostly: Counter[str]) -> tuple[str, str] | None:
    """Give the two voices that an id's rows mostly share time with, None when it is one voice by and large."""
    ranked = sorted(mostly, key=lambda voice: (-mostly[voice], voice))
    if len(ranked) < 2:
        return None
    first, second = ranked[:2]
    whole = mostly.total()
    two = mostly[first] < _OF_ONE * whole and mostly[second] >= max(_LEAST_MS, _OF_ANOTHER * whole)
    return (first, second) if two else None


def _mixed(
    who: Who, two: tuple[str, str], names: Mapping[Who, str], mostly: Counter[str], rows: Sequence[Said]
) -> Swap:
    own = [row for row in rows if row.who == who]
    where = f"{clock(own[0].t0)}-{clock(own[-1].t1)}"
    called = names.get(who, f"voice {who[1]}")
    return Swap(f"{where}: {called} stands for two voices, {two[0]} and {two[1]}", mostly[two[1]])


def _misnamed(labels: Mapping[Who, str], names: Mapping[Who, str], spoken: Counter[Who]) -> list[Swap]:
    """Tell names that stand for different voices in different chunks."""
    by_name: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for who, label in labels.items():
        if who in names:
            by_name[names[who]][label] += spoken[who]
    found = []
    for name, voices in by_name.items():
        first, *others = sorted(voices, key=lambda label: (-voices[label], label))
        found += [
            Swap(f"the name {name} stands for {first} and, for {clock(voices[other])}, for {other}", voices[other])
            for other in others
            if voices[other] >= _LEAST_MS
        ]
    return found


def _renamed(joined: Sequence[Sequence[Who]], names: Mapping[Who, str], spoken: Counter[Who]) -> list[Swap]:
    """Tell names that the words of the shared half minutes contradict: one voice bears two, which others bear too."""
    found = []
    for group in joined:
        given: Counter[str] = Counter()
        for who in group:
            if who in names:
                given[names[who]] += spoken[who]
        first, *others = sorted(given, key=lambda name: (-given[name], name)) or [""]
        elsewhere = {names[who] for other in joined if other is not group for who in other if who in names}
        found += [
            Swap(f"the voice named {first} is named {other} for {clock(given[other])}", given[other])
            for other in others
            if other in elsewhere or first in elsewhere
        ]
    return found


def _named(labels: Mapping[Who, str], names: Mapping[Who, str], spoken: Counter[Who]) -> dict[str, str]:
    """Give the name that stands for each label for most of the time, each name to one label."""
    given: Counter[tuple[str, str]] = Counter()
    for who, label in labels.items():
        if who in names and not is_generic(names[who]):
            given[label, names[who]] += spoken[who]
    found: dict[str, str] = {}
    for (label, name), _ in sorted(given.items(), key=lambda item: (-item[1], item[0])):
        if label not in found and name not in found.values():
            found[label] = name
    return found


def relabelled(rows: Sequence[Said], found: Roster) -> list[Said]:
    """Give rows whose voice is the roster's label, so that ids of different chunks can be compared."""
    return [replace(row, voice=found.voice(row)) for row in rows]
