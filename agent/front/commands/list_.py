"""`list`: the recordings of the library."""

from argparse import ArgumentParser, Namespace

from agent.front.command import Command, database, json_argument
from agent.front.output import emit_json, say
from agent.front.summary import summary


def run(options: Namespace) -> int:
    """List all recordings, oldest first."""
    from store import recordings
    from store.catalog import catalog
    from store.clock import clock

    with database(options).reader() as connection:
        entries = catalog(connection, recordings.every(connection)).recordings
    if options.json:
        emit_json([summary(entry) for entry in entries])
        return 0
    if not entries:
        say("the library is empty: `overheard import` or `overheard ingest` brings a recording")
        return 0
    from agent.front.render import table

    rows = [
        (
            entry.recording.public_id,
            entry.recording.title,
            clock(entry.recording.duration_ms),
            len(entry.voices) or None,
            " ".join(entry.streams),
            entry.recording.state,
        )
        for entry in entries
    ]
    table(("id", "title", "length", "voices", "streams", "state"), rows)
    return 0


def arguments(parser: ArgumentParser) -> None:
    """Declare --json alone."""
    json_argument(parser)


COMMAND = Command("list", "list the recordings of the library", arguments, run)
