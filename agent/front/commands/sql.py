"""`sql ID "SELECT ..."`: a statement of yours behind the same fence as a model's."""

from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from agent.front.command import Command, database
from agent.front.output import emit, emit_json, say
from store.errors import Exit, SqlRefused, UsageError

if TYPE_CHECKING:
    from store.fence import Result


def arguments(parser: ArgumentParser) -> None:
    """Declare the recording, the statement and the form of its rows."""
    parser.add_argument("recording", nargs="?", metavar="ID", help="a recording: id, beginning of it, or title")
    parser.add_argument("statement", nargs="?", metavar="SELECT", help="one SELECT over the views of --schema")
    parser.add_argument("--schema", action="store_true", help="print the views and their columns")
    parser.add_argument("--keyword", action="append", default=[], metavar="TERM", help="fill keyword_hit with a term")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the rows as JSON")
    form.add_argument("--csv", action="store_true", help="print the rows as CSV")


def run(options: Namespace) -> int:
    """Run the statement on one recording."""
    from store import keywords, recordings, views
    from store.catalog import catalog
    from store.fence import open_fence

    if options.schema:
        emit(views.schema())
        return 0
    if not options.recording or not options.statement:
        raise UsageError('sql needs a recording and a statement: overheard sql ID "SELECT ..." (--schema: the views)')
    library = database(options)
    with library.reader() as connection:
        scope = catalog(connection, [recordings.find(connection, options.recording)])
        (entry,) = scope.recordings
        transcript = entry.streams.get("transcript")
        texts = [(entry.recording.id, transcript.id)] if transcript else []
        hits = keywords.hits(connection, texts, options.keyword)
    try:
        with open_fence(library, scope, hits) as fence:
            _print(fence.run(options.statement), options)
    except SqlRefused as refusal:
        say(f"overheard: {refusal}")
        return int(Exit.REFUSED)
    return 0


def _print(result: "Result", options: Namespace) -> None:
    if options.json:
        emit_json([dict(zip(result.columns, row, strict=True)) for row in result.rows])
    elif options.csv:
        import csv
        import io

        out = io.StringIO()
        csv.writer(out, lineterminator="\n").writerows([result.columns, *result.rows])
        emit(out.getvalue().rstrip("\n"))
    else:
        from agent.front.render import table

        table(result.columns, result.rows)
    if result.truncated:
        say(f"only the first {len(result.rows)} rows are shown")


COMMAND = Command("sql", "run one SELECT on a recording's views, behind the fence", arguments, run)
