"""`show ID`: one recording with its streams, voices, labels and what its import or ingest noted."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from agent.front.command import Command, database, json_argument, recording_argument
from agent.front.output import emit, emit_json
from agent.front.summary import VOICES, summary, voice_row

if TYPE_CHECKING:
    from store.catalog import RecordingCatalog


def arguments(parser: ArgumentParser) -> None:
    """Declare which recording."""
    recording_argument(parser)
    json_argument(parser)


def run(options: Namespace) -> int:
    """Show one recording."""
    from store import recordings
    from store.catalog import catalog

    with database(options).reader() as connection:
        (entry,) = catalog(connection, [recordings.find(connection, options.recording)]).recordings
    if options.json:
        emit_json(summary(entry) | {"manifest": entry.recording.manifest})
    else:
        _show(entry)
    return 0


def _show(entry: "RecordingCatalog") -> None:
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
    if entry.voices:
        emit()
        table(VOICES, map(voice_row, entry.voices))
    for word, labels in (("events", entry.events), ("emotions", entry.emotions)):
        if labels:
            ranked = sorted(labels.items(), key=lambda item: (-item[1], item[0]))
            emit(f"\n{word}: " + ", ".join(f"{one_line(label)} {count}" for label, count in ranked))
    for note in recording.manifest.get("notes", ()):
        emit(f"note: {one_line(str(note))}")


COMMAND = Command("show", "show one recording: streams, voices, labels, notes", arguments, run)
