"""A plan is held against what exists before it runs; a problem says what was asked, why not, what exists, what works.

An unknown name is refused as absent only where every main voice has a name; elsewhere the voice may be one of the
unnamed. A label that a stream's source cannot emit was never listened for, which is not the same as not heard.
"""

from collections.abc import Container, Iterator, Sequence

from store import clock
from store.catalog import Catalog, RecordingCatalog, Voice
from store.listing import listed
from store.record import StreamKind
from tools.compiler.labels import known, meant, stored
from tools.events import labels as events
from tools.likeness import resembles
from tools.plan import Call, Plan
from tools.speaker.names import near, resolve
from tools.validation.contradictions import contradictions
from tools.validation.problem import Problem, Problematic, labels_of, names_of, stretch, told

__all__ = ["Problem", "noise", "problems"]

UNHEALTHY = 0.2
_SHOWN = 8
_NEAREST = 3


def problems(plan: Plan, catalog: Catalog) -> list[Problem]:
    """Give every problem of a plan, call by call, then those between calls."""
    needed = {
        plan.call(plan.fuse.anchor).id,
        *(plan.call(join.stream).id for join in plan.fuse.joins if join.kind != "left"),
    }
    found = [problem for call in plan.calls for problem in _of_call(call, catalog, needed)]
    return found or [problem for join in plan.fuse.joins for problem in contradictions(join, plan, catalog)]


def _of_call(call: Call, catalog: Catalog, needed: Container[str]) -> Iterator[Problem]:
    there = [entry for entry in catalog.recordings if call.query.stream in entry.streams]
    unheard = [entry for entry in catalog.recordings if not entry.streams and entry.recording.state == "listening"]
    if not there:
        yield _not_heard(call, unheard) if unheard else _never_computed(call, catalog)
        return
    if call.id in needed and all(noise(entry, call.query.stream) for entry in there):
        yield _unreliable(call, there, catalog)
        return
    for name in names_of(call.query):
        yield from _speaker(call, name, catalog)
    for label in labels_of(call.query):
        yield from _label(call, label, there, catalog)
    yield from _range(call, there)


def _never_computed(call: Call, catalog: Catalog) -> Problem:
    stream = call.query.stream
    there = dict.fromkeys(kind for entry in catalog.recordings for kind in entry.streams)
    message = (
        f"the {stream} stream was asked for, and it was never computed {_where(catalog)}; "
        f"there {'is' if len(there) == 1 else 'are'}: {', '.join(there) or 'no stream yet'}"
    )
    return Problem("stream_missing", call.id, {"stream": stream}, message, tuple(there))


def noise(entry: RecordingCatalog, stream: StreamKind) -> str | None:
    """Say why a stream's rows say nothing about what was heard, None where they may be used."""
    state = entry.streams.get(stream)
    if state is None or state.health is None or not 0 <= state.health < UNHEALTHY:
        return None
    why = "; ".join(filter(None, (state.note, *state.findings)))
    return why or f"its health is {state.health:.2f}, and below {UNHEALTHY} rows are no better than guessed"


def _unreliable(call: Call, there: Sequence[RecordingCatalog], catalog: Catalog) -> Problem:
    stream = call.query.stream
    why = noise(there[0], stream)
    sound = dict.fromkeys(kind for entry in catalog.recordings for kind in entry.streams if noise(entry, kind) is None)
    message = (
        f"the {stream} stream {_where(catalog)} cannot be relied on: {why}; "
        f"there {'is' if len(sound) == 1 else 'are'}: {', '.join(sound) or 'no stream that can'}"
    )
    return Problem("stream_unreliable", call.id, {"stream": stream}, message, tuple(sound))


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
    message += f"; heard were: {listed(heard, _SHOWN) or 'none'}; it can hear {listed(emitted, _SHOWN)}"
    close = _near(stream, label, [*heard, *emitted])
    message += f"; did you mean {' or '.join(close)}?" if close else ""
    yield Problem(reason, call.id, {"label": label}, message, tuple(dict.fromkeys([*close, *(heard or emitted)])))


def _near(stream: StreamKind, label: str, names: Sequence[str]) -> list[str]:
    """Give the labels that look or sound like one asked for, or are of its family, best first."""
    family = events.wider(events.resolve(label)) if stream == "events" else frozenset[str]()
    rated = {name: max(resembles(label, name), 0.5 if name in family else 0.0) for name in names}
    close = sorted((name for name, likeness in rated.items() if likeness), key=lambda name: (-rated[name], name))
    return close[:_NEAREST]


def _present(stream: StreamKind, label: str, catalog: Catalog) -> bool:
    ((_, labels),) = stored(stream, [label], catalog)
    here = {name for entry in catalog.recordings for name in (entry.events if stream == "events" else entry.emotions)}
    return any(name in here for name in labels)


def _range(call: Call, there: Sequence[RecordingCatalog]) -> Iterator[Problem]:
    """Tell of a stretch that no recording has, or that has not been heard; one from the end is as each one's length."""
    query = call.query
    if query.start is None and query.end is None:
        if all(entry.recording.state == "listening" and entry.recording.heard_ms == 0 for entry in there):
            yield _not_heard(call, there)
        return
    spans = [(entry, query.within(entry.recording.duration_ms)) for entry in there]
    inside = [(entry, span) for entry, span in spans if span and span.t0 < entry.recording.duration_ms]
    if not inside:
        longest = max(entry.recording.duration_ms for entry in there)
        message = (
            f"what is {told(query)} was asked for, and "
            f"{'the recording ends' if len(there) == 1 else 'the longest recording ends'} at {clock.clock(longest)}; "
            f"ask for a time before it"
        )
        yield Problem("out_of_range", call.id, stretch(query), message, (f"0:00 to {clock.clock(longest)}",))
    elif all(entry.recording.state == "listening" and span.t0 >= entry.recording.heard_ms for entry, span in inside):
        yield _not_heard(call, [entry for entry, _ in inside])


def _not_heard(call: Call, there: Sequence[RecordingCatalog]) -> Problem:
    heard = max(entry.recording.heard_ms for entry in there)
    message = (
        f"what is {told(call.query)} was asked for, and it has not been heard yet: "
        f"heard so far is 0:00 to {clock.clock(heard)}; ask again later, or for a time before it"
    )
    return Problem("not_heard_yet", call.id, stretch(call.query), message, (f"0:00 to {clock.clock(heard)}",))


def _where(catalog: Catalog) -> str:
    only = catalog.recordings[0].recording.public_id if len(catalog.recordings) == 1 else None
    return f"in {only}" if only else f"in any of {len(catalog.recordings)} recordings"


def _roster(voices: Sequence[Voice]) -> str:
    return listed([_described(voice) for voice in voices], _SHOWN)


def _described(voice: Voice) -> str:
    label = "" if voice.display == voice.label else f", {voice.label}"
    return f"{voice.display} ({clock.clock(voice.talk_ms)} of talk{label})"


def _told_apart(voices: Sequence[Voice]) -> Iterator[str]:
    shown = [voice.display for voice in voices]
    for voice in voices:
        yield voice.label if shown.count(voice.display) > 1 else voice.display
