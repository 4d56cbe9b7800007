import pytest

from store.database import Database
from store.errors import NotFound
from store.trace import latest, show
from tests.store.traced import tracing


def test_a_trace_tells_what_was_called_in_order(database: Database) -> None:
    with tracing(database, "who spoke?", ["a-1"], {"transcript": 2}) as log:
        with log.span("chat rules", {"question": "who spoke?"}) as running:
            log.record("execute_tool fuse", {"aggregate": "count"}, 0.25, result_ref="3 rows")
            running.note(result_ref="plan", rounds=1)
        log.finish({"status": "answered", "value": 3})
    with database.reader() as connection:
        trace = show(connection, log.id[:8])
        assert [span.id for span in latest(connection)[0].spans] == []
    assert (trace.question, trace.recordings) == ("who spoke?", ("a-1",))
    assert trace.reply == {"status": "answered", "value": 3}
    root, chat, tool = trace.spans
    assert [span.name for span in trace.spans] == ["invoke_agent overheard", "chat rules", "execute_tool fuse"]
    assert (root.parent, chat.parent, tool.parent) == (None, root.id, chat.id)
    assert chat.args == {"question": "who spoke?", "rounds": 1}
    assert (chat.result_ref, tool.result_ref) == ("plan", "3 rows")
    assert tool.stream_versions == {"transcript": 2}
    assert root.t_end is not None
    assert chat.t_end is not None
    assert root.t_start <= chat.t_start <= chat.t_end <= root.t_end


def test_a_crash_keeps_what_was_done(database: Database) -> None:
    with (
        pytest.raises(KeyboardInterrupt),
        tracing(database, "why?", ["a-1"]) as log,
        log.span("execute_tool fuse", {"n": 1}),
    ):
        raise KeyboardInterrupt
    with database.reader() as connection:
        trace = show(connection, log.id)
    assert trace.reply is None
    assert trace.spans[1].error == "KeyboardInterrupt: "
    assert trace.spans[1].args == {"n": 1}


def _fail_with(database: Database, secret: str) -> None:
    with (
        tracing(database, f"what of {secret}?", ["a-1"]) as log,
        log.span(f"chat {secret}", {"deep": [{"er": secret}], "api_key": "shorty"}),
    ):
        log.record("execute_tool x", {secret: 1}, 0.0, result_ref=secret, error=secret)
        log.finish({"answer": secret})
        raise ValueError(secret)


def test_no_secret_is_stored(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MODEL_API_KEY", "mauve-otter-99")
    secret = "mauve-otter-99 and sk-abcdef1234567890 at http://me:pw12345@host"
    with pytest.raises(ValueError, match="mauve"):
        _fail_with(database, secret)
    with database.maintenance() as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    everything = b"".join(path.read_bytes() for path in database.folder.iterdir() if path.is_file())
    for part in (b"mauve-otter", b"sk-abcdef", b"pw12345", b"shorty"):
        assert part not in everything


def test_a_trace_that_is_not_there_says_which_are(database: Database) -> None:
    with database.reader() as connection, pytest.raises(NotFound, match="no trace 'zz'; the latest are: none yet"):
        show(connection, "zz")
    with tracing(database, "one", []) as log:
        pass
    for key in ("%", "\udcff", "a\0", "\u00e9"):
        with database.reader() as connection, pytest.raises(NotFound, match=log.id):
            show(connection, key)
