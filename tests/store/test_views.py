"""What a question can read: the recordings in scope and nothing else, also where a stream was never computed."""

from collections.abc import Iterator

import pytest

from store.database import Database
from store.edits import rename
from store.errors import SqlRefused
from store.record import Emotion, Event, Segment, Turn, Word
from store.views import PUBLIC, schema
from tests.tools.made import Made, made
from tools.call import Session
from tools.sql import QuerySql

NAMES = [name for name in PUBLIC if name != "keyword_hit"]
FULL = Made(
    [Segment(1, 1_001, "hi 'all'", "Ada", (Word(1, 2, "hi"),)), Segment(1_500, 90_000_000, "é", None)],
    [Turn(0, 1_000, "Ada")],
    [Emotion(0, 1_000, "anger", 0.9, None)],
    [Event(0, 1, "Bell", 0.9)],
    minutes=1_500,
)


@pytest.fixture(params=[0, 1, 2], ids=["none", "one", "two"])
def bare(request: pytest.FixtureRequest, database: Database) -> Iterator[Session]:
    """A scope of so many recordings, of which no stream was ever computed."""
    with Session(database, made(database, *[Made()] * request.param)) as session:
        yield session


@pytest.mark.parametrize("view", NAMES)
def test_a_view_of_nothing_is_empty_and_no_secret(bare: Session, view: str) -> None:
    """To count no rows is to read no column, which the authorizer must not take for a theft."""
    whole = len(bare.catalog.recordings) if view == "recording" else 0
    column = PUBLIC[view][0]
    counts = [f"SELECT {what} FROM {view}" for what in ("COUNT(*)", f"COUNT({column})", f"COUNT(DISTINCT {column})")]
    for sql in (*counts, f"SELECT COUNT(*) FROM {view} v WHERE v.{column} IS NOT NULL"):
        assert bare.query_sql(QuerySql(sql=sql)).rows == [(whole,)], sql
    assert len(bare.query_sql(QuerySql(sql=f"SELECT * FROM {view}")).rows) == whole
    grouped = f"SELECT {column}, COUNT(*) FROM {view} GROUP BY {column}"
    assert len(bare.query_sql(QuerySql(sql=grouped)).rows) == whole


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT COUNT(*) FROM transcript", [(2,)]),
        ("SELECT start_s, end_s, speaker FROM transcript", [(0.001, 1.001, "Ada L."), (1.5, 90_000.0, None)]),
        ("SELECT word, score FROM word", [("hi", None)]),
        ("SELECT speaker FROM speaker", [("Ada L.",)]),
        ("SELECT speaker, label FROM emotion", [(None, "anger")]),
        ("SELECT label FROM events", [("Bell",)]),
        ("SELECT heard_s, duration_s FROM recording", [(90_000.0, 90_000.0)]),
        ("SELECT COUNT(*) FROM transcript WHERE speaker <> 'Ada L.'", [(0,)]),
        ("SELECT COUNT(*) FROM transcript WHERE speaker IS NULL", [(1,)]),
        ("SELECT MAX(end_s) - MIN(start_s) FROM transcript", [(89_999.999,)]),
    ],
)
def test_people_see_seconds_and_the_names_that_voices_have_now(
    database: Database, sql: str, rows: list[tuple[object, ...]]
) -> None:
    scope = made(database, FULL)
    with database.writing() as connection:
        rename(connection, 1, "Ada", "Ada L.")
    with Session(database, scope) as session:
        assert session.query_sql(QuerySql(sql=sql)).rows == rows


def test_a_view_holds_the_recordings_in_scope_alone(database: Database) -> None:
    whole = made(database, FULL, FULL)
    one = type(whole)(whole.recordings[1:])
    with Session(database, one) as session:
        ids = session.query_sql(QuerySql(sql="SELECT DISTINCT recording_id FROM transcript")).rows
        assert ids == [(one.recordings[0].recording.public_id,)]
        for view in NAMES:
            assert session.query_sql(QuerySql(sql=f"SELECT COUNT(*) FROM {view}")).rows[0][0] in (1, 2)
        with pytest.raises(SqlRefused):
            session.query_sql(QuerySql(sql="SELECT voice FROM transcript"))


def test_the_schema_names_every_view_and_column_once() -> None:
    lines = schema().splitlines()
    assert [line.partition("(")[0] for line in lines] == list(PUBLIC)
    assert lines[2] == "word(recording_id, segment_id, start_s, end_s, word, score)"
