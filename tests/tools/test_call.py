"""A session checks, times and records every call, and nothing of what was refused runs."""

from collections.abc import Mapping
from typing import Any

import pytest

from store.database import Database
from store.errors import SqlRefused, ToolError
from store.record import Event, Segment, Turn
from tests.tools.made import Made, made, plan
from tools.call import Session
from tools.sql import QuerySql, table, views

TALK = Made(
    [Segment(0, 1_000, "red folder", "Ada"), Segment(2_000, 3_000, "red and red", "Ben")],
    [Turn(0, 1_000, "Ada"), Turn(2_000, 3_000, "Ben")],
    events=[Event(500, 700, "Bell", 0.9)],
)


class Notes:
    """A tracer that keeps what it is told."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, Mapping[str, Any], int | None, str | None]] = []
        self.seconds: list[float] = []

    def record(self, name: str, args: Mapping[str, Any], seconds: float, rows: int | None, error: str | None) -> None:
        self.calls.append((name, args, rows, error))
        self.seconds.append(seconds)


def test_a_plan_is_recorded_call_by_call_with_its_counts(database: Database) -> None:
    notes = Notes()
    asked = plan(("transcript", {"keywords": ["red"]}), ("events", {"labels": ["bell"]}), joins=[{"stream": "b"}])
    with Session(database, made(database, TALK), tracer=notes) as session:
        evidence = session.run(asked)
    assert evidence.found == {"a": 2, "b": 1}
    assert {name: rows for name, _, rows, _ in notes.calls} == {"transcript": 2, "events": 1, "fuse": 1}
    assert all(error is None for *_, error in notes.calls)
    assert sum(notes.seconds) > 0
    assert [(row.t0, [p.label for p in row.partners]) for row in evidence.rows] == [(0, ["Bell"])]
    assert len(evidence.sql) == 3
    assert evidence.milliseconds > 0


def test_a_model_s_sql_counts_words_through_keyword_hit(database: Database) -> None:
    notes = Notes()
    sql = "SELECT speaker, occurrences FROM keyword_hit JOIN transcript USING (segment_id) ORDER BY start_s"
    with Session(database, made(database, TALK), tracer=notes) as session:
        result = session.query_sql(QuerySql(sql=sql, keywords=["red"]))
        again = session.query_sql(QuerySql(sql=sql, keywords=["red"]))
    assert table(result) == {"columns": ["speaker", "occurrences"], "rows": [["Ada", 1], ["Ben", 2]], "more": False}
    assert again.rows == result.rows
    assert [name for name, *_ in notes.calls] == ["query_sql", "query_sql"]
    assert "keyword_hit(term" in views()


def test_what_is_refused_is_recorded_as_an_error(database: Database) -> None:
    notes = Notes()
    with Session(database, made(database, TALK), tracer=notes) as session, pytest.raises(SqlRefused):
        session.query_sql(QuerySql(sql="DELETE FROM transcript"))
    ((name, args, rows, error),) = notes.calls
    assert (name, rows) == ("query_sql", None)
    assert args == {"sql": "DELETE FROM transcript"}
    assert error


def test_hidden_columns_are_for_plans_alone(database: Database) -> None:
    with Session(database, made(database, TALK)) as session, pytest.raises(SqlRefused):
        session.query_sql(QuerySql(sql="SELECT t0 FROM transcript"))


def test_meaning_cannot_be_searched_without_its_model(database: Database) -> None:
    with Session(database, made(database, TALK)) as session, pytest.raises(ToolError, match="keywords work without it"):
        session.run(plan(("transcript", {"semantic": "a colour"})))


def test_a_long_result_says_that_there_is_more(database: Database) -> None:
    many = Made([Segment(n * 10, n * 10 + 5, "red", "Ada") for n in range(60)])
    with Session(database, made(database, many)) as session:
        result = session.query_sql(QuerySql(sql="SELECT start_s FROM transcript"))
    shown = table(result)
    assert len(shown["rows"]) == 50
    assert shown["more"]


@pytest.mark.parametrize(
    ("fuse", "people"),
    [
        ({"aggregate": "count", "order": "-value", "limit": 1}, ["Ada", "Ben"]),
        ({"aggregate": "total_duration", "order": "-value", "limit": 1}, ["Ada", "Ben"]),
        ({"aggregate": "count", "order": "value", "limit": 1}, ["Cleo"]),
        ({"aggregate": "count", "order": "value", "limit": 2}, ["Cleo", "Ada", "Ben"]),
        ({"aggregate": "count", "order": "-value", "limit": 3}, ["Ada", "Ben", "Cleo"]),
        ({"aggregate": "count", "limit": 1}, ["Ada"]),
    ],
)
def test_a_limit_on_values_never_cuts_between_equal_ones(
    fuse: dict[str, Any], people: list[str], database: Database
) -> None:
    names = ("Ada", "Ben", "Cleo", "Ben", "Ada")
    talk = Made(speaker=[Turn(10_000 * n, 10_000 * n + 5_000, name) for n, name in enumerate(names)])
    asked = plan(("speaker", {}), **({"group": "speaker"} | fuse))
    with Session(database, made(database, talk)) as session:
        evidence = session.run(asked)
    assert [group.key for group in evidence.groups] == people
    assert evidence.beyond == 0
    assert not evidence.caveats
