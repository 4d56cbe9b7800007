"""`import`: one recording made of the files that others wrote."""

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from agent.front.command import Command, database, json_argument
from agent.front.output import emit, emit_json, say
from store.errors import UsageError

if TYPE_CHECKING:
    from tools.imports.files import Role
    from tools.imports.recording import Given, Imported


def arguments(parser: ArgumentParser) -> None:
    """Declare the files by what they are."""
    parser.add_argument("files", nargs="*", metavar="FILE", help="files told apart by their endings")
    parser.add_argument(
        "--transcript", metavar="FILE",
        help="vtt, srt, json (Whisper, WhisperX, our own), tsv, TextGrid (a tier a voice), Audacity's labels (txt, aud)"
        " or csv",
    )  # fmt: skip
    parser.add_argument(
        "--speakers", metavar="FILE", help="rttm, TextGrid, labels or csv: the turns, which the voices of the text name"
    )
    parser.add_argument(
        "--events", metavar="FILE",
        help="csv (start,end,label,score in seconds, header optional), TextGrid (its points) or labels",
    )  # fmt: skip
    parser.add_argument("--emotions", metavar="FILE", help="csv (as for --events), TextGrid or labels")
    parser.add_argument("--audio", metavar="FILE", help="the recording itself, for its duration and for `play`")
    parser.add_argument("--title", help="what to call it; else the first file's name")
    parser.add_argument("--names", choices=("open", "closed"), help="whether somebody may have spoken who is not named")
    json_argument(parser)


def run(options: Namespace) -> int:
    """Import, and say what was taken and what was set aside."""
    from tools.embedding import remember
    from tools.imports.recording import import_recording

    library = database(options)
    done = import_recording(library, _given(options))
    left_out = remember(library, done.recording.id)
    for report in done.files:
        say(report.line())
    for caveat in done.caveats:
        say(f"note: {caveat}")
    if left_out:
        say(f"note: {left_out}")
    if options.json:
        emit_json(_document(done))
    else:
        emit(done.recording.public_id)
    return 0


def _given(options: Namespace) -> "Given":
    from store.record import STREAMS
    from tools.imports.files import guess
    from tools.imports.recording import Given

    named: tuple[tuple[Role, str | None], ...] = (
        ("transcript", options.transcript),
        ("speaker", options.speakers),
        ("events", options.events),
        ("emotion", options.emotions),
    )
    files: list[tuple[Role, Path]] = [(role, Path(path)) for role, path in named if path]
    files += [(guess(Path(path)), Path(path)) for path in options.files]
    if not files:
        raise UsageError("import needs a file: --transcript, --speakers, --events or --emotions")
    audio = Path(options.audio) if options.audio else None
    files.sort(key=lambda file: STREAMS.index(file[0]))
    return Given(tuple(files), audio, options.title, options.names or "auto")


def _document(done: "Imported") -> dict[str, object]:
    recording = done.recording
    return {
        "recording": recording.public_id,
        "title": recording.title,
        "duration": recording.duration_ms / 1000,
        "estimated": recording.estimated,
        "fresh": done.fresh,
        "files": [
            {
                "file": report.name,
                "format": report.format,
                "stream": report.role,
                "imported": report.imported,
                "clamped": list(report.clamped),
                "set_aside": list(report.set_aside),
                "unit": report.unit,
            }
            for report in done.files
        ],
        "caveats": list(done.caveats),
    }


COMMAND = Command("import", "make one recording of transcripts, turns and labels that you have", arguments, run)
