"""`export ID -f FORMAT`: a recording as a file that others read."""

from argparse import ArgumentParser, Namespace
from pathlib import Path

from agent.front.command import Command, database, recording_argument
from agent.front.output import drawn, say
from store.errors import DataError
from tools.sanitize import sanitize

FORMATS = ("rttm", "json", "csv", "srt", "vtt")


def arguments(parser: ArgumentParser) -> None:
    """Declare the recording, the format and the file."""
    recording_argument(parser)
    parser.add_argument("-f", "--format", choices=FORMATS, required=True, help="json holds everything, csv all rows")
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
    except OSError as error:
        raise DataError(f"{options.output} cannot be written: {error.strerror}") from error
    say(f"wrote {options.output}")
    return 0


COMMAND = Command("export", "write a recording as rttm, json, csv, srt or vtt", arguments, run)
