"""`import`: one recording made of the files that others wrote, or one that is there corrected by them (`--into`)."""

from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from agent.front.command import Command, database, json_argument
from agent.front.output import emit, emit_json, say
from store.errors import UsageError

if TYPE_CHECKING:
    from store.database import Database
    from tools.imports.files import Role
    from tools.imports.into import Corrected
    from tools.imports.recording import Imported


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
    parser.add_argument(
        "--into", metavar="ID",
        help="correct a recording that is there: what the file says becomes a new version of its stream, other streams"
        " follow its voices, the old version is kept (`show`) and comes back with the old file",
    )  # fmt: skip
    parser.add_argument("--title", help="what to call it; else the first file's name")
    parser.add_argument(
        "--names",
        choices=("open", "closed"),
        help="closed: nobody spoke who is not named; open: somebody may have; else the names tell",
    )
    json_argument(parser)


def run(options: Namespace) -> int:
    """Import, and say what was taken and what was set aside."""
    files = _files(options)
    if options.into is None:
        return _new(options, files)
    if options.title or options.names or options.audio:
        raise UsageError("--into keeps title, names and audio of the recording: leave out --title, --names and --audio")
    return _into(options, files)


def _new(options: Namespace, files: "tuple[tuple[Role, Path], ...]") -> int:
    from tools.imports.recording import Given, import_recording

    library = database(options)
    audio = Path(options.audio) if options.audio else None
    done = import_recording(library, Given(files, audio, options.title, options.names or "auto"))
    _tell(library, done, options.json, {"fresh": done.fresh})
    return 0


def _into(options: Namespace, files: "tuple[tuple[Role, Path], ...]") -> int:
    from tools.imports.into import import_into

    library = database(options)
    done = import_into(library, options.into, files)
    streams = [
        {"stream": change.kind, "version": change.version, "before": change.before, "fresh": change.fresh}
        for change in done.changes
    ]
    _tell(library, done, options.json, {"streams": streams}, [change.line() for change in done.changes])
    return 0


def _files(options: Namespace) -> "tuple[tuple[Role, Path], ...]":
    from store.record import STREAMS
    from tools.imports.files import guess

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
    return tuple(sorted(files, key=lambda file: STREAMS.index(file[0])))


def _tell(
    library: "Database", done: "Imported | Corrected", as_json: bool, more: dict[str, object], lines: Sequence[str] = ()
) -> None:
    from tools.embedding import remember

    left_out = remember(library, done.recording.id)
    for line in (*(report.line() for report in done.files), *lines):
        say(line)
    for caveat in (*done.caveats, *([left_out] if left_out else [])):
        say(f"note: {caveat}")
    if as_json:
        emit_json(_document(done) | more)
    else:
        emit(done.recording.public_id)


def _document(done: "Imported | Corrected") -> dict[str, object]:
    recording = done.recording
    return {
        "recording": recording.public_id,
        "title": recording.title,
        "duration": recording.duration_ms / 1000,
        "estimated": recording.estimated,
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


COMMAND = Command(
    "import", "make one recording of transcripts, turns and labels that you have, or correct one", arguments, run
)
