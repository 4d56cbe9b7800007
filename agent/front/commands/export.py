"""`export ID -f FORMAT`: a recording as a file that others read."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from agent.front.command import Command, database, recording_argument
from agent.front.output import drawn, say
from store.errors import DataError, reason
from tools.sanitize import sanitize

FORMATS = ("srt", "vtt", "rttm", "tsv", "json", "whisperx", "textgrid", "csv", "aud", "md", "book")
_HELP = (
    "json holds everything, csv all rows, rttm the turns, the others the transcript: srt and vtt subtitles, tsv"
    " Whisper's, whisperx WhisperX's json, textgrid Praat's, aud Audacity's labels, md to read with times, book to"
    " read as a printed interview"
)


def arguments(parser: ArgumentParser) -> None:
    """Declare the recording, the format and the file."""
    recording_argument(parser)
    parser.add_argument("-f", "--format", choices=FORMATS, required=True, help=_HELP)
    parser.add_argument("-o", "--output", metavar="FILE", help="where to write; else to stdout")


def run(options: Namespace) -> int:
    """Write the recording."""
    from store import recordings
    from tools.exports.content import content
    from tools.exports.formats import FORMATS as WRITERS

    with database(options).reader() as connection:
        recording = recordings.find(connection, options.recording)
        text = sanitize(WRITERS[options.format](content(connection, recording)))
    if options.output is None:
        drawn(text)
        return 0
    try:
        Path(options.output).write_text(text, encoding="utf-8", newline="\n")
    except (OSError, ValueError) as error:
        raise DataError(f"{options.output!r} cannot be written: {reason(error)}") from error
    say(f"wrote {options.output}")
    return 0


COMMAND = Command(
    "export", "write a recording as subtitles, json, turns, labels or an interview to read", arguments, run
)
