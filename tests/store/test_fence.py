"""Each layer of the fence alone: with it, its own string is stopped; without it, the string does what it is for."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path

import pytest

from store.allowed import FUNCTIONS
from store.catalog import Catalog
from store.database import Database
from store.errors import SqlRefused
from store.fence import MAX_TEXT, Fence, Layers, open_fence
from store.guard import MODEL, PLAN, Limits
from store.keywords import Hit
from tests.store import world

NONE = Layers(**{field.name: False for field in fields(Layers)})
RANKS = ("row_number", "rank", "dense_rank", "percent_rank", "cume_dist", "ntile")
WINDOWED = (*RANKS, "lag", "lead", "first_value", "last_value", "nth_value")
ARGUMENTS = {
    **dict.fromkeys(["cume_dist", "dense_rank", "percent_rank", "rank", "row_number"], ""),
    **dict.fromkeys(["coalesce", "glob", "ifnull", "instr", "like", "nullif", "pow", "power"], "1, 2"),
    **dict.fromkeys(["format", "printf"], "'%d', 1"),
    **dict.fromkeys(["iif", "replace"], "1, 2, 3"),
    **dict.fromkeys(["substr", "substring"], "text, 1"),
    "nth_value": "text, 2",
    "ntile": "4",
    "strftime": "'%s', 1",
}


@pytest.fixture
def meetings(tmp_path: Path) -> Database:
    return world.library(tmp_path / "meetings")


@pytest.fixture
def scope(meetings: Database) -> Catalog:
    return world.first(meetings)


@pytest.fixture
def fence(meetings: Database, scope: Catalog) -> Iterator[Fence]:
    with open_fence(meetings, scope, world.hits()) as opened:
        yield opened


class Alone:
    """One library, opened with no layer, or with the named ones only."""

    def __init__(self, meetings: Database) -> None:
        self._meetings, self._scope = meetings, world.first(meetings)

    @contextmanager
    def opened(self, *layers: str) -> Iterator[Fence]:
        chosen = replace(NONE, **dict.fromkeys(layers, True))
        with open_fence(self._meetings, self._scope, world.hits(), layers=chosen) as fence:
            yield fence

    def rows(self, sql: str, *layers: str, limits: Limits = MODEL) -> list[tuple[object, ...]]:
        with self.opened(*layers) as fence:
            return fence.run(sql, limits).rows


@pytest.fixture
def alone(meetings: Database) -> Alone:
    return Alone(meetings)


def test_every_layer_holds_unless_a_test_says_otherwise() -> None:
    assert all(getattr(Layers(), field.name) for field in fields(Layers))


def test_guard(alone: Alone) -> None:
    sql = "SELECT text FROM transcript UNION SELECT v FROM secrets"
    assert (world.CANARY,) in alone.rows(sql)
    with pytest.raises(SqlRefused, match="there is no view secrets"):
        alone.rows(sql, "guard")


def test_regenerate(alone: Alone) -> None:
    sql = "SELECT word FROM word"
    assert len(alone.rows(sql, "guard")) > MODEL.rows + 1
    assert len(alone.rows(sql, "guard", "regenerate")) == MODEL.rows + 1


@pytest.mark.parametrize("layer", ["readonly", "query_only"])
def test_readonly_and_query_only(alone: Alone, layer: str) -> None:
    with pytest.raises(SqlRefused, match="readonly"):
        alone.rows("DELETE FROM main.segment RETURNING text", layer)
    assert alone.rows("DELETE FROM main.segment RETURNING text")


def test_trusted_schema(alone: Alone) -> None:
    sql = "SELECT * FROM pragma_trusted_schema"
    assert alone.rows(sql) == [(1,)]
    assert alone.rows(sql, "trusted_schema") == [(0,)]


def test_limits(alone: Alone) -> None:
    unions = " UNION ALL ".join(["SELECT 1"] * 6)
    assert len(alone.rows(unions)) == 6
    with pytest.raises(SqlRefused, match="too many terms"):
        alone.rows(unions, "limits")
    with pytest.raises(SqlRefused, match="too many attached"):
        alone.rows("ATTACH ':memory:' AS o", "limits")
    assert alone.rows("SELECT length(hex(zeroblob(600000)))") == [(1_200_000,)]
    with pytest.raises(SqlRefused, match="too big"):
        alone.rows("SELECT length(hex(zeroblob(600000)))", "limits")


def test_scope(alone: Alone) -> None:
    sql = "SELECT DISTINCT recording_id FROM transcript WHERE recording_id = 'x' OR 1 = 1"
    assert len(alone.rows(sql)) == 2
    assert len(alone.rows(sql, "scope")) == 1


def test_two_levels(alone: Alone) -> None:
    sql = "WITH transcript AS (SELECT text FROM main.segment) SELECT DISTINCT text FROM transcript"
    assert any(world.OTHER in str(row) for row in alone.rows(sql, "authorizer", "scope"))
    with pytest.raises(SqlRefused, match="prohibited"):
        alone.rows(sql, "authorizer", "scope", "two_levels")


def test_inner_names_are_not_told(alone: Alone) -> None:
    sql = "EXPLAIN QUERY PLAN SELECT * FROM speaker a LEFT JOIN word b ON a.start_s < b.start_s"
    with pytest.raises(SqlRefused, match="query plans are not shown"):
        alone.rows(sql, "authorizer", "two_levels")


def test_authorizer(alone: Alone) -> None:
    sql = "SELECT v FROM secrets"
    assert alone.rows(sql) == [(world.CANARY,)]
    with pytest.raises(SqlRefused, match="prohibited"):
        alone.rows(sql, "authorizer")


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM main.segment",
        "INSERT INTO keyword_hit(term) VALUES('x')",
        "UPDATE main.segment SET text = 'x'",
        "CREATE TEMP TABLE x(y)",
        "CREATE TEMP VIEW x AS SELECT 1",
        "DROP VIEW transcript",
        "PRAGMA writable_schema=ON",
        "SAVEPOINT x",
        "COMMIT",
        "REINDEX",
        "ANALYZE",
        "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t LIMIT 3) SELECT n FROM t",
    ],
)
def test_the_authorizer_lets_a_select_alone_happen(alone: Alone, sql: str) -> None:
    with pytest.raises(SqlRefused, match="not authorized|prohibited"):
        alone.rows(sql, "authorizer")
    alone.rows(sql)


def test_functions(alone: Alone) -> None:
    assert alone.rows("SELECT fts3_tokenizer('simple')")
    with pytest.raises(SqlRefused, match="not authorized"):
        alone.rows("SELECT fts3_tokenizer('simple')", "functions")
    assert alone.rows("SELECT length(printf('%.9000000c', 'x'))") == [(9_000_000,)]
    with pytest.raises(SqlRefused, match="user-defined function raised"):
        alone.rows("SELECT length(printf('%.9000000c', 'x'))", "functions")


SLOW = "SELECT count(*) FROM word a, word b, word c WHERE a.word < b.word AND b.score < c.score AND a.start_s < 30"
ONE_STEP = "SELECT length(replace(hex(zeroblob(40000000)), '0', '11'))"


def test_clock(alone: Alone) -> None:
    quick = replace(MODEL, seconds=0.05)
    unstopped = _seconds(lambda: alone.rows(SLOW, limits=quick))
    with pytest.raises(SqlRefused, match=r"longer than 0\.05 s"):
        alone.rows(SLOW, "clock", limits=quick)
    stopped = _seconds(lambda: pytest.raises(SqlRefused, alone.rows, SLOW, "clock", limits=quick))
    assert stopped < unstopped / 2


def test_wall(alone: Alone) -> None:
    """One step of SQLite cannot be interrupted: the caller goes on without it."""
    quick = replace(MODEL, seconds=0.02)
    unstopped = _seconds(lambda: alone.rows(ONE_STEP, "clock", limits=quick))
    with alone.opened("clock", "wall") as fence:
        stopped = _seconds(lambda: pytest.raises(SqlRefused, fence.run, ONE_STEP, quick))
    assert stopped < unstopped


def _seconds(work: Callable[[], object]) -> float:
    began = time.monotonic()
    work()
    return time.monotonic() - began


def test_rows(alone: Alone) -> None:
    sql = "SELECT word FROM word"
    assert len(alone.rows(sql)) > MODEL.rows
    with alone.opened("rows") as fence:
        result = fence.run(sql)
    assert len(result.rows) == MODEL.rows
    assert result.truncated


def test_text(alone: Alone) -> None:
    sql = "SELECT 1, hex(zeroblob(400000)) UNION ALL SELECT 2, hex(zeroblob(400000))"
    assert len(str(alone.rows(sql))) > 1_600_000
    with alone.opened("text") as fence:
        result = fence.run(sql)
    assert sum(len(str(row[1])) for row in result.rows) <= MAX_TEXT
    assert result.truncated


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_allowed_function_passes_both_guard_and_authorizer(fence: Fence, name: str) -> None:
    over = "OVER (ORDER BY start_s)" if name in WINDOWED else ""
    arguments = ARGUMENTS.get(name, "start_s")
    if name == "unixepoch" and sqlite3.sqlite_version_info < (3, 38):
        pytest.skip("SQLite has no unixepoch before 3.38")
    assert fence.run(f"SELECT {name}({arguments}) {over} AS x FROM transcript").rows


def test_hits_outside_the_question_are_left_out(fence: Fence) -> None:
    assert {row[0] for row in fence.run("SELECT segment_id FROM keyword_hit").rows} == {1 << 20, (1 << 20) + 1}
    fence.add_hits([Hit("more", 2 << 20, -1.0), Hit("more", (1 << 20) + 2, -1.0)])
    assert fence.run("SELECT segment_id FROM keyword_hit WHERE term = 'more'").rows == [((1 << 20) + 2,)]
    with pytest.raises(SqlRefused):
        fence.run("INSERT INTO keyword_hit(term) VALUES('x')")


def test_one_snapshot_a_question(meetings: Database, scope: Catalog) -> None:
    with open_fence(meetings, scope) as fence:
        with meetings.writing() as connection:
            connection.execute("UPDATE segment SET words = NULL")
        assert fence.run("SELECT count(*) FROM word").rows[0][0] > 0
    with open_fence(meetings, scope) as fence:
        assert fence.run("SELECT count(*) FROM word").rows == [(0,)]


def test_plans_reach_the_indexes_by_their_hidden_columns(meetings: Database, scope: Catalog, fence: Fence) -> None:
    sql = "SELECT id, t0, voice, rec FROM transcript WHERE t0 < 10000 ORDER BY t0"
    assert [row[1] for row in fence.run(sql, PLAN).rows] == [0, 5000]
    with pytest.raises(SqlRefused, match="no column"):
        fence.run(sql)
    unfenced = Layers(guard=False, authorizer=False)
    bounded = "EXPLAIN QUERY PLAN SELECT text FROM keyed_transcript WHERE voice = 1 AND t0 >= 5 AND t0 < 10"
    with open_fence(meetings, scope, layers=unfenced) as opened:
        plan = str(opened.run(bounded).rows)
    assert "segment_speaker (stream_id=? AND speaker_id=? AND t0>? AND t0<?)" in plan


def test_a_star_never_shows_hidden_columns(fence: Fence) -> None:
    assert fence.run("SELECT * FROM transcript").columns == (
        "recording_id", "segment_id", "start_s", "end_s", "speaker", "text", "language", "score",
    )  # fmt: skip


def test_a_refusal_says_what_exists(fence: Fence) -> None:
    with pytest.raises(SqlRefused, match=r"no column wrods.*transcript\(recording_id, segment_id, start_s"):
        fence.run("SELECT wrods FROM transcript")
    with pytest.raises(SqlRefused, match="text goes into single quotes"):
        fence.run('SELECT text FROM transcript WHERE speaker = "Alice"')
    with pytest.raises(SqlRefused, match=r"no such column: label.*events\(recording_id"):
        fence.run("SELECT label FROM transcript")


def test_opening_costs_little(meetings: Database, scope: Catalog) -> None:
    times = []
    for _ in range(20):
        began = time.perf_counter()
        with open_fence(meetings, scope, world.hits()):
            times.append(time.perf_counter() - began)
    assert sorted(times)[len(times) // 2] < 0.010
