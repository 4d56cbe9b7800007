import pytest

from agent.front.traces import head, listed, steps
from store.database import Database
from store.trace import Trace, latest, show
from tests.store.traced import tracing


def _made(database: Database) -> Trace:
    with tracing(database, "How many people speak?", ["talk-1"]) as log:
        with log.span("chat", {"step": "plan"}) as running:
            running.note(result_ref="speaker + fuse")
        with log.span("invoke_agent", {"step": "retrieve"}):
            log.record("execute_tool", {"tool": "speaker", "arguments": {"names": ["Ada"] * 80}}, 0.001, "38 rows")
        log.finish({"status": "answered", "usage": {"seconds": 0.25}})
    with pytest.raises(KeyboardInterrupt), tracing(database, "And who?", ["talk-1"]) as log, log.span("chat"):
        raise KeyboardInterrupt
    with database.reader() as connection:
        return show(connection, next(trace.id for trace in latest(connection) if trace.reply))


def test_the_list_says_what_was_asked_and_what_came_of_it(database: Database) -> None:
    _made(database)
    with database.reader() as connection:
        rows = listed(latest(connection))
    assert {(row[2], row[3], row[4]) for row in rows} == {
        ("answered", "0.25", "How many people speak?"),
        ("stopped", "", "And who?"),
    }


def test_steps_inside_others_stand_further_in(database: Database) -> None:
    trace = _made(database)
    assert head(trace).splitlines()[1] == f"asked of talk-1 at {trace.at}: answered, 0.25 s"
    rows = steps(trace)
    assert [row[2] for row in rows] == [
        "invoke_agent overheard",
        "  chat plan",
        "  invoke_agent retrieve",
        "    execute_tool speaker",
    ]
    assert rows[1][3:] == ("", "speaker + fuse")
    assert rows[3][3].startswith('names=["Ada"')
    assert rows[3][3].endswith("…")
    assert rows[3][4] == "38 rows"


def test_a_stopped_step_shows_its_error(database: Database) -> None:
    _made(database)
    with database.reader() as connection:
        stopped = show(connection, next(trace.id for trace in latest(connection) if trace.reply is None))
    assert steps(stopped)[-1][4].startswith("error: KeyboardInterrupt")
