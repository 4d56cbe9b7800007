"""`show ID`: one recording with its streams and their older versions, voices, labels, and what was noted of it.

`--compare STREAM` holds two versions of a stream against each other instead: those of two recognisers, say; and
`--use-version STREAM=N` makes one of them the one that is asked. What a recogniser wrote and is no evidence is shown
only when asked for, so that nobody quotes it by mistake.
"""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from agent.front.command import Command, database, json_argument, recording_argument
from agent.front.output import emit, emit_json, say
from agent.front.summary import VOICES, summary, voice_row
from store.errors import UsageError
from store.record import STREAMS, StreamKind

if TYPE_CHECKING:
    from store.asides import SetAside
    from store.catalog import RecordingCatalog
    from store.versions import Version


def arguments(parser: ArgumentParser) -> None:
    """Declare which recording."""
    recording_argument(parser)
    parser.add_argument("--aside", action="store_true", help="print the phrases that were set aside as no evidence")
    parser.add_argument(
        "--compare", choices=STREAMS, metavar="STREAM",
        help=f"hold two versions of a stream against each other ({', '.join(STREAMS)}): the newest kept one and the one"
        " that is asked",
    )  # fmt: skip
    parser.add_argument("--versions", type=two_numbers, metavar="A,B", help="with --compare: which two, by number")
    parser.add_argument(
        "--use-version", type=numbered, metavar="STREAM=N",
        help="ask this version of a stream from now on; words and emotions follow the voices that are asked",
    )  # fmt: skip
    json_argument(parser)


def numbered(text: str) -> tuple[StreamKind, int]:
    """Read a stream and the number of a version; ArgumentTypeError."""
    name, _, number = text.partition("=")
    stream = next((stream for stream in STREAMS if stream == name), None)
    if stream is None or not number.isdecimal():
        raise ArgumentTypeError(f"{text!r} is no version of a stream; give STREAM=N ({', '.join(STREAMS)})")
    return stream, int(number)


def two_numbers(text: str) -> tuple[int, int]:
    """Read the numbers of two versions; ArgumentTypeError."""
    try:
        before, after = map(int, text.split(","))
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not two numbers of versions; give A,B") from None
    return before, after


def run(options: Namespace) -> int:
    """Show one recording, or how two versions of a stream of it differ."""
    if options.versions and not options.compare:
        raise UsageError("--versions says which two --compare STREAM compares; without it there is nothing to compare")
    if options.use_version:
        _use(options)
    if options.compare:
        return _compare(options)
    from store import recordings
    from store.asides import asides
    from store.catalog import catalog
    from store.versions import versions

    with database(options).reader() as connection:
        (entry,) = catalog(connection, [recordings.find(connection, options.recording)]).recordings
        found = versions(connection, entry.recording.id)
        aside = asides(connection, entry.recording.id)
    if options.json:
        told = {"aside": [_aside_json(one) for one in aside]} if options.aside else {}
        shown = {"manifest": entry.recording.manifest, "versions": [_json(one) for one in found]}
        emit_json(summary(entry) | shown | told)
    elif options.aside:
        _show_aside(aside)
    else:
        _show(entry, found)
    return 0


def _use(options: Namespace) -> None:
    from store import recordings
    from tools.listening.asked import use

    library = database(options)
    with library.reader() as connection:
        recording = recordings.find(connection, options.recording)
    say(use(library, recording, *options.use_version))


def _compare(options: Namespace) -> int:
    from agent.front import compared
    from store import recordings
    from tools.comparison.pair import compare

    with database(options).reader() as connection:
        recording = recordings.find(connection, options.recording)
        found = compare(connection, recording, options.compare, options.versions or ())
    if options.json:
        emit_json({"recording": recording.public_id, **compared.document(found)})
    else:
        compared.show(found)
    return 0


def _json(version: "Version") -> dict[str, object]:
    return {
        "stream": version.kind,
        "version": version.number,
        "active": version.active,
        "model": version.source.model,
        "rows": version.rows,
        "file": version.origin,
        "heard": version.heard_ms / 1000,
        "checks": dict(version.checks),
    }


def _state(version: "Version", whole_ms: int) -> str:
    """Say whether a version is asked, kept, or still being heard beside the one that is asked."""
    from store.clock import clock

    if version.active:
        return "asked"
    return "kept" if version.heard_ms >= whole_ms or version.origin else f"heard to {clock(version.heard_ms)}"


def _aside_json(one: "SetAside") -> dict[str, object]:
    return {"start": one.t0 / 1000, "end": one.t1 / 1000, "text": one.text, "reason": one.reason}


def _show_aside(aside: "Sequence[SetAside]") -> None:
    from agent.front.render import table
    from store.clock import clock

    if aside:
        table(("at", "reason", "written, but no evidence"), [(clock(a.t0), a.reason, a.text) for a in aside])
    else:
        emit("nothing was set aside")


def _show(entry: "RecordingCatalog", found: "Sequence[Version]") -> None:
    from agent.front.render import table
    from store.clock import clock
    from tools.sanitize import one_line

    recording = entry.recording
    emit(f"{recording.public_id}  {one_line(recording.title)}")
    about = f"{clock(recording.duration_ms)}{' (estimated)' if recording.estimated else ''}, {recording.origin}ed"
    about += f", heard to {clock(recording.heard_ms)}" if recording.state != "ready" else ""
    emit(f"{about}, roster {'closed' if entry.closed else 'open'}, language {recording.language or 'unknown'}\n")
    streams = [(k, s.version, s.model, s.rows, s.health, s.note) for k, s in entry.streams.items()]
    table(("stream", "version", "model", "rows", "health", "note"), streams)
    for kind, state in entry.streams.items():
        for finding in state.findings:
            emit(f"{kind}: {finding}")
    if len(found) > len(entry.streams):
        emit()
        whole = recording.duration_ms
        rows = [(v.kind, v.number, _state(v, whole), v.source.model, v.rows, v.origin) for v in found]
        table(("versions", "version", "state", "model", "rows", "file"), rows)
    if entry.voices:
        emit()
        table(VOICES, map(voice_row, entry.voices))
    for word, labels in (("events", entry.events), ("emotions", entry.emotions)):
        if labels:
            ranked = sorted(labels.items(), key=lambda item: (-item[1], item[0]))
            emit(f"\n{word}: " + ", ".join(f"{one_line(label)} {count}" for label, count in ranked))
    for note in recording.manifest.get("notes", ()):
        emit(f"note: {one_line(str(note))}")


COMMAND = Command("show", "show one recording: streams with their versions, voices, labels, notes", arguments, run)
