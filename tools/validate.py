"""A plan is held against what exists before it runs; a problem says what was asked, why not, what exists, what works.

An unknown name is refused as absent only where every main voice has a name; elsewhere the voice may be one of the
unnamed. A label that a stream's source cannot emit was never listened for, which is not the same as not heard.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from store import clock
from store.catalog import Catalog, RecordingCatalog, Voice
from store.record import StreamKind
from tools.asked import known, meant, stored
from tools.plan import Call, Join, Plan
from tools.speaker.names import near, resolve
from tools.stream import StreamQuery

Problematic = Literal[
    "unknown_speaker",
    "speaker_unidentified",
    "ambiguous_speaker",
    "unknown_label",
    "stream_missing",
    "out_of_range",
    "not_heard_yet",
    "contradictory_constraints",
]
_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Problem:
    """Why one constraint of a call cannot hold; `exists` is what could be asked instead."""

    reason: Problematic
    call: str
    constraint: Mapping[str, Any]
    message: str
    exists: tuple[str, ...] = ()


def problems(plan: Plan, catalog: Catalog) -> list[Problem]:
    """Give every problem of a plan, call by call, then those between calls."""
    found = [problem for call in plan.calls for problem in _of_call(call, catalog)]
    return found or [problem for join in plan.fuse.joins for problem in _contradictions(join, plan, catalog)]


def _of_call(call: Call, catalog: Catalog) -> Iterator[Problem]:
    there = [entry for entry in catalog.recordings if call.query.stream in entry.streams]
    if not there:
        yield _never_computed(call, catalog)
        return
    for name in names_of(call.query):
        yield from _speaker(call, name, catalog)
    for label in labels_of(call.query):
        yield from _label(call, label, there, catalog)
    yield from _range(call, there)


def names_of(query: StreamQuery) -> tuple[str, ...]:
    """Give the people a call is limited to."""
    given = [getattr(query, "speaker", None), *getattr(query, "names", ())]
    return tuple(name for name in given if name is not None)


def labels_of(query: StreamQuery) -> tuple[str, ...]:
    """Give the labels a call is limited to."""
    return tuple(getattr(query, "labels", ()))


def _never_computed(call: Call, catalog: Catalog) -> Problem:
    stream = call.query.stream
    there = dict.fromkeys(kind for entry in catalog.recordings for kind in entry.streams)
    message = (
        f"the {stream} stream was asked for, and it was never computed {_where(catalog)}; "
        f"there {'is' if len(there) == 1 else 'are'}: {', '.join(there) or 'no stream yet'}"
    )
    return Problem("stream_missing", call.id, {"stream": stream}, message, tuple(there))


def _speaker(call: Call, name: str, catalog: Catalog) -> Iterator[Problem]:
    found = [resolve(entry, name) for entry in catalog.recordings]
    ambiguous = next((voices for voices in found if len(voices) > 1), None)
    if ambiguous is not None:
        ways = ", ".join(_described(voice) for voice in ambiguous)
        message = f"'{name}' can be {len(ambiguous)} voices: {ways}; ask for one of them by its full name or label"
        exists = tuple(_told_apart(ambiguous))
        yield Problem("ambiguous_speaker", call.id, {"speaker": name}, message, exists)
    elif not any(found):
        yield _unknown(call, name, catalog) if _closed(catalog) else _unidentified(call, name, catalog)


def _closed(catalog: Catalog) -> bool:
    return all(entry.closed for entry in catalog.recordings)


def _unknown(call: Call, name: str, catalog: Catalog) -> Problem:
    voices = [voice for entry in catalog.recordings for voice in entry.voices if voice.doubt is None]
    close = dict.fromkeys(voice.display for entry in catalog.recordings for voice in near(entry, name))
    hint = f"; did you mean {' or '.join(close)}?" if close else "; ask for one of them, or for nobody in particular"
    message = f"'{name}' was asked for, and nobody of that name speaks {_where(catalog)}; {_roster(voices)} speak{hint}"
    exists = tuple(dict.fromkeys([*close, *(voice.display for voice in voices)]))
    return Problem("unknown_speaker", call.id, {"speaker": name}, message, exists)


def _unidentified(call: Call, name: str, catalog: Catalog) -> Problem:
    voices = [voice for entry in catalog.recordings if not entry.closed for voice in entry.voices]
    unnamed = [voice for voice in voices if not voice.named]
    if not voices:
        message = (
            f"'{name}' was asked for, and it is not known who speaks {_where(catalog)}; ask for nobody in particular"
        )
        return Problem("speaker_unidentified", call.id, {"speaker": name}, message)
    message = (
        f"'{name}' was asked for, and no voice {_where(catalog)} is known to be {name}; without a name "
        f"{'is' if len(unnamed) == 1 else 'are'} {_roster(unnamed or voices)}: name the voice "
        f"(`overheard speakers ID --rename LABEL={name}`) or ask for its label"
    )
    exists = tuple(dict.fromkeys(voice.display for voice in unnamed or voices))
    return Problem("speaker_unidentified", call.id, {"speaker": name}, message, exists)


def _label(call: Call, label: str, there: Sequence[RecordingCatalog], catalog: Catalog) -> Iterator[Problem]:
    stream = call.query.stream
    states = [entry.streams[stream] for entry in there]
    if any(state.labels is None for state in states) or _present(stream, label, catalog):
        return
    emitted = sorted({name for state in states for name in state.labels or ()})
    wanted = {name.casefold() for name in meant(stream, label)}
    if wanted & {name.casefold() for name in emitted}:
        return
    heard = sorted({name for entry in there for name in (entry.events if stream == "events" else entry.emotions)})
    models = ", ".join(dict.fromkeys(state.model for state in states))
    if known(stream, label):
        message = f"'{label}' was asked for, and {models} cannot hear it, so it was never listened for"
        reason: Problematic = "stream_missing"
    else:
        message = f"'{label}' was asked for, and it is no label that {models} knows"
        reason = "unknown_label"
    message += f"; heard were: {_listed(heard) or 'none'}; it can hear {_listed(emitted)}"
    yield Problem(reason, call.id, {"label": label}, message, tuple(heard or emitted))


def _present(stream: StreamKind, label: str, catalog: Catalog) -> bool:
    ((_, labels),) = stored(stream, [label], catalog)
    here = {name for entry in catalog.recordings for name in (entry.events if stream == "events" else entry.emotions)}
    return any(name in here for name in labels)


def _range(call: Call, there: Sequence[RecordingCatalog]) -> Iterator[Problem]:
    query = call.query
    if query.start is None:
        if all(entry.recording.state == "listening" and entry.recording.heard_ms == 0 for entry in there):
            yield _not_heard(call, there)
        return
    start = clock.start_ms(query.start)
    inside = [entry for entry in there if start < entry.recording.duration_ms]
    if not inside:
        longest = max(entry.recording.duration_ms for entry in there)
        message = (
            f"what is after {clock.clock(start)} was asked for, and "
            f"{'the recording ends' if len(there) == 1 else 'the longest recording ends'} at {clock.clock(longest)}; "
            f"ask for a time before it"
        )
        yield Problem("out_of_range", call.id, _stretch(query), message, (f"0:00 to {clock.clock(longest)}",))
    elif all(entry.recording.state == "listening" and start >= entry.recording.heard_ms for entry in inside):
        yield _not_heard(call, inside)


def _not_heard(call: Call, there: Sequence[RecordingCatalog]) -> Problem:
    heard = max(entry.recording.heard_ms for entry in there)
    message = (
        f"what is {_asked_stretch(call.query)} was asked for, and it has not been heard yet: "
        f"heard so far is 0:00 to {clock.clock(heard)}; ask again later, or for a time before it"
    )
    return Problem("not_heard_yet", call.id, _stretch(call.query), message, (f"0:00 to {clock.clock(heard)}",))


def _contradictions(join: Join, plan: Plan, catalog: Catalog) -> Iterator[Problem]:
    anchor, partner = plan.call(plan.fuse.anchor), plan.call(join.stream)
    if join.kind != "inner":
        return
    if _too_far(join, anchor, partner, catalog):
        message = (
            f"the {anchor.query.stream} {_asked_stretch(anchor.query)} was asked to be {_words(join)} the "
            f"{partner.query.stream} {_asked_stretch(partner.query)}, and no row can be both; widen one of the ranges"
        )
        between = {"range": [_stretch(anchor.query), _stretch(partner.query)], "relation": join.relation}
        yield Problem("contradictory_constraints", partner.id, between, message)
    ours, theirs = (_voices(call.query, catalog) for call in (anchor, partner))
    if ours and theirs and _cannot_be(join.voice, ours, theirs):
        people = [*names_of(anchor.query), *names_of(partner.query)]
        message = (
            f"rows of {' and '.join(people)} were asked to be of {join.voice} voice, and they cannot be; "
            f'ask for one person, or join with voice "any"'
        )
        yield Problem("contradictory_constraints", partner.id, {"speaker": people, "voice": join.voice}, message)


def _too_far(join: Join, anchor: Call, partner: Call, catalog: Catalog) -> bool:
    """Say whether the two ranges lie so that no row of one can stand in the relation to a row of the other."""
    (a0, a1), (p0, p1) = _bounds(anchor.query), _bounds(partner.query)
    if join.relation in ("before", "after", "right_after"):
        return a0 >= p1 if join.relation == "before" else p0 >= a1
    near = 2500 if join.relation in ("nearest", "nearest_midpoint") else 0
    slack = near if join.tolerance is None else clock.end_ms(join.tolerance)
    longest = sum(_longest(call.query.stream, catalog) for call in (anchor, partner))
    return p0 - a1 > longest + slack or a0 - p1 > longest + slack


def _bounds(query: StreamQuery) -> tuple[int, int]:
    start = 0 if query.start is None else clock.start_ms(query.start)
    return start, 1 << 40 if query.end is None else clock.end_ms(query.end)


def _longest(stream: StreamKind, catalog: Catalog) -> int:
    return max((entry.streams[stream].max_dur for entry in catalog.recordings if stream in entry.streams), default=0)


def _voices(query: StreamQuery, catalog: Catalog) -> set[int]:
    names = names_of(query)
    return {voice.id for entry in catalog.recordings for name in names for voice in resolve(entry, name)}


def _cannot_be(voice: str, ours: set[int], theirs: set[int]) -> bool:
    return not ours & theirs if voice == "same" else voice == "other" and len(ours | theirs) == 1


def _words(join: Join) -> str:
    return {"overlaps": "during", "nearest_midpoint": "nearest"}.get(join.relation, join.relation.replace("_", " "))


def _stretch(query: StreamQuery) -> dict[str, Any]:
    return {name: value for name, value in (("start", query.start), ("end", query.end)) if value is not None}


def _asked_stretch(query: StreamQuery) -> str:
    start, end = (None if at is None else clock.clock(clock.start_ms(at)) for at in (query.start, query.end))
    if start and end:
        return f"between {start} and {end}"
    return f"after {start}" if start else f"before {end}" if end else "in the recording"


def _where(catalog: Catalog) -> str:
    only = catalog.recordings[0].recording.public_id if len(catalog.recordings) == 1 else None
    return f"in {only}" if only else f"in any of {len(catalog.recordings)} recordings"


def _roster(voices: Sequence[Voice]) -> str:
    return _listed([_described(voice) for voice in voices])


def _described(voice: Voice) -> str:
    label = "" if voice.display == voice.label else f", {voice.label}"
    return f"{voice.display} ({clock.clock(voice.talk_ms)} of talk{label})"


def _told_apart(voices: Sequence[Voice]) -> Iterator[str]:
    shown = [voice.display for voice in voices]
    for voice in voices:
        yield voice.label if shown.count(voice.display) > 1 else voice.display


def _listed(items: Sequence[str]) -> str:
    more = f" and {len(items) - _SHOWN} more" if len(items) > _SHOWN else ""
    return ", ".join(items[:_SHOWN]) + more
