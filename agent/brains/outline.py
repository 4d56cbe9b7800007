"""The catalog as a model sees it: compact lines of what can be asked, fenced as data.

Names, titles and labels come from files and recordings. Each stays on its own line without angle brackets, so that
nothing in them can close the fence around them.
"""

from collections.abc import Mapping

from store.catalog import Catalog, RecordingCatalog, Voice
from store.clock import clock
from store.listing import listed
from store.record import STREAMS
from tools.sanitize import one_line

_MOST_RECORDINGS = 8
_MOST_VOICES = 16
_MOST_LABELS = 40


def outline(catalog: Catalog) -> str:
    """Give the catalog in a few lines a recording: streams, voices with talk time, labels with their counts."""
    entries = catalog.recordings
    lines = [line for entry in entries[:_MOST_RECORDINGS] for line in _recording(entry)]
    if len(entries) > _MOST_RECORDINGS:
        lines.append(f"and {len(entries) - _MOST_RECORDINGS} more recordings")
    return "\n".join(lines)


def fenced(text: str) -> str:
    """Give text as data for a prompt: one line, nothing that could be read as a tag."""
    return one_line(text).replace("<", "‹").replace(">", "›")


def _recording(entry: RecordingCatalog) -> list[str]:
    recording = entry.recording
    heard = "" if recording.state == "ready" else f", heard so far until {clock(recording.heard_ms)}"
    missing = ", ".join(kind for kind in STREAMS if kind not in entry.streams)
    return [
        f"recording {recording.public_id}: {fenced(recording.title)}, {clock(recording.duration_ms)} long{heard}"
        + (f", language {recording.language}" if recording.language else ""),
        f"  streams: {', '.join(entry.streams) or 'none'}" + (f"; never computed: {missing}" if missing else ""),
        f"  speakers ({len(entry.voices)}): {listed(list(map(_voice, entry.voices)), _MOST_VOICES) or 'none'}",
        f"  sounds: {_counted(entry.events)}",
        f"  emotions: {_counted(entry.emotions)}",
    ]


def _voice(voice: Voice) -> str:
    aliases = f" (also {fenced(', '.join(voice.aliases))})" if voice.aliases else ""
    doubt = ", doubtful" if voice.doubt else ""
    return f"{fenced(voice.display)}{aliases} {clock(voice.talk_ms)}{doubt}"


def _counted(labels: Mapping[str, int]) -> str:
    by_count = sorted(labels.items(), key=lambda item: (-item[1], item[0]))
    return listed([f"{fenced(label)} {count}" for label, count in by_count], _MOST_LABELS) or "none"
