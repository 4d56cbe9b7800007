"""What the guard refuses by itself, and why it says so: one line a case."""

import pytest

from store.errors import SqlRefused
from store.guard import MODEL, PLAN, check

REFUSED = {
    "SELECT 1; SELECT 2": "more than one statement",
    "": "does not begin with SELECT",
    "-- nothing": "does not begin with SELECT",
    "VALUES (1)": "does not begin with SELECT",
    "SELECT 'a": "not one SELECT",
    "SELECT FROM FROM": "not one SELECT",
    "SELECT text\0 FROM transcript": "NUL",
    "SELECT '\ud800' FROM transcript": "half a character",
    f"SELECT '{'x' * 4096}'": "4,105 bytes; at most 4,096",
    "SELECT " + "(" * 900 + "1" + ")" * 900: "nested too deeply",
    "SELECT * FROM secrets": "no view secrets; these exist: recording, transcript",
    "SELECT * FROM main.transcript": "form that is not allowed",
    "SELECT * FROM pragma_table_list()": "PRAGMA_TABLE_LIST|pragma_table_list is not allowed",
    "SELECT * FROM keyed_transcript": "no view keyed_transcript",
    "SELECT t0 FROM transcript": "no column t0",
    "SELECT rowid FROM transcript": "no column rowid",
    "SELECT text FROM transcript WHERE speaker IN recording": "form that is not allowed",
    "SELECT text FROM transcript WHERE speaker IN title": "form that is not allowed",
    "WITH transcript AS (SELECT 1 AS text) SELECT text FROM transcript": "may not be called transcript",
    "WITH a AS (SELECT 1 AS n), A AS (SELECT 2 AS n) SELECT n FROM a": "may not be called a",
    "WITH a AS (SELECT n FROM b), b AS (SELECT 1 AS n) SELECT n FROM a": "no view b",
    "WITH a(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM a) SELECT n FROM a": "no view a",
    "WITH RECURSIVE a(n) AS (SELECT 1) SELECT n FROM a": "form that is not allowed",
    "SELECT * FROM (WITH a AS (SELECT 1 AS n) SELECT n FROM a)": "WITH stands inside",
    "SELECT 1 FROM word a, word b, word c, word d, word e, word f": "5 joins; at most 4",
    "SELECT text FROM transcript LIMIT (SELECT 1)": "LIMIT is not a plain number",
    "SELECT text FROM transcript LIMIT -1": "LIMIT is not a plain number",
    "SELECT text FROM transcript LIMIT ?": "not allowed|not a plain number",
    "SELECT text FROM transcript WHERE text MATCH 'x'": "MATCH",
    "SELECT text FROM transcript WHERE text REGEXP 'x'": "regexp_like is not allowed",
    "SELECT x'41' FROM transcript": "HEXSTRING is not allowed",
    "SELECT CAST(text AS BLOB) FROM transcript": "CAST to VARBINARY",
    "SELECT text COLLATE secret FROM transcript": "no collation secret",
    "SELECT random() FROM transcript": "rand is not allowed",
    "SELECT text FROM transcript FOR UPDATE": "form that is not allowed|LOCK",
    "SELECT DISTINCT ON (speaker) text FROM transcript": "form that is not allowed",
    "SELECT text FROM transcript QUALIFY 1": "form that is not allowed",
    "SELECT v FROM (SELECT 1 AS n) AS x(v)": "SQLite cannot say this",
}


@pytest.mark.parametrize("sql", REFUSED)
def test_a_refusal_names_its_reason(sql: str) -> None:
    with pytest.raises(SqlRefused, match=REFUSED[sql]):
        check(sql)


@pytest.mark.parametrize(
    ("asked", "run"),
    [
        ("", " LIMIT 201"),
        (" LIMIT 5", " LIMIT 5"),
        (" LIMIT 5000", " LIMIT 201"),
        (" LIMIT 3 OFFSET 9", " LIMIT 3 OFFSET 9"),
    ],
)
def test_a_limit_is_forced(asked: str, run: str) -> None:
    assert check(f"SELECT text FROM transcript{asked}") == f"SELECT text FROM transcript{run}"
    both = "SELECT speaker FROM transcript UNION SELECT speaker FROM emotion"
    assert check(both + asked) == both + run


def test_comments_and_quotes_do_not_survive() -> None:
    sql = 'SELECT/*x*/"text" -- y\nFROM [transcript] ;;'
    assert check(sql) == 'SELECT text FROM "transcript" LIMIT 201'


def test_a_plan_may_ask_more() -> None:
    joins = "SELECT 1 AS n FROM word a, word b, word c, word d, word e, word f"
    assert "keyed_word AS a" in check(joins, PLAN)
    named = "SELECT t.rec, speaker.voice FROM transcript t JOIN speaker ON speaker.t0 = t.t0"
    assert check(named, PLAN) == (
        "SELECT t.rec, speaker.voice FROM keyed_transcript AS t JOIN keyed_speaker AS speaker"
        f" ON speaker.t0 = t.t0 LIMIT {PLAN.rows + 1}"
    )
    with pytest.raises(SqlRefused):
        check(named, MODEL)
