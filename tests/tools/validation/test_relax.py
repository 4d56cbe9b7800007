"""An empty search is proven: counts with each constraint dropped, the fewest that cannot hold, all countable again."""

import sqlite3

from store.database import Database
from store.record import Event, Segment, Turn
from tests.tools.made import Made, made, plan
from tools.call import Session
from tools.plan import Plan
from tools.validation.relax import constraints, others, prove, without

TALK = Made(
    [
        Segment(0, 1_000, "the budget is red", "Ada"),
        Segment(1_000, 2_000, "the folder is blue", "Ben"),
        Segment(60_000, 61_000, "a budget again", "Ada"),
        Segment(90_000, 91_000, "good bye", "Ben"),
    ],
    [Turn(0, 1_000, "Ada"), Turn(1_000, 2_000, "Ben"), Turn(60_000, 61_000, "Ada"), Turn(90_000, 91_000, "Ben")],
    events=[Event(1_500, 1_700, "Bell", 0.9), Event(60_500, 60_700, "Bark", 0.9)],
)
ASKED = plan(
    ("transcript", {"keywords": ["budget"], "speaker": "Ben", "end": 50.0}),
    ("events", {"labels": ["Bell"]}),
    joins=[{"stream": "b"}],
    aggregate="count",
)


def test_constraints_are_named_and_can_be_dropped_one_by_one() -> None:
    names = [constraint.name for constraint in constraints(ASKED)]
    assert names == ["keywords", "speaker", "range", "labels", "overlaps b"]
    left: Plan = ASKED
    for constraint in constraints(ASKED):
        left = without(left, constraint)
    assert constraints(left) == []
    assert left.fuse.aggregate == "count"


def test_the_same_filter_of_two_calls_has_two_names() -> None:
    asked = plan(("speaker", {"names": ["Ada"]}), ("speaker", {"names": ["Ben"]}), joins=[{"stream": "b"}])
    assert [constraint.name for constraint in constraints(asked)] == ["a names", "b names", "overlaps b"]


def test_a_partner_that_must_be_absent_is_dropped_as_a_whole() -> None:
    apart = plan(("speaker", {}), ("events", {"labels": ["Bell"]}), joins=[{"stream": "b", "kind": "without"}])
    beside = plan(("speaker", {}), ("events", {"labels": ["Bell"]}), joins=[{"stream": "b", "kind": "left"}])
    assert [constraint.name for constraint in constraints(apart)] == ["no overlaps b"]
    assert constraints(beside) == []


def test_the_proof_counts_and_blames_the_fewest(database: Database) -> None:
    with Session(database, made(database, TALK)) as session:
        proof = prove(session, ASKED)
    assert proof.counts == {
        "all": 0,
        "without keywords": 1,
        "without speaker": 0,
        "without range": 0,
        "without labels": 0,
        "without overlaps b": 0,
    }
    assert proof.minimal == ("keywords", "speaker")


def test_one_constraint_alone_can_be_to_blame(database: Database) -> None:
    asked = plan(("transcript", {"keywords": ["plum"], "speaker": "Ada"}))
    with Session(database, made(database, TALK)) as session:
        assert prove(session, asked).minimal == ("keywords",)


def test_a_search_that_finds_something_blames_nothing(database: Database) -> None:
    asked = plan(("transcript", {"keywords": ["budget"], "speaker": "Ada"}))
    with Session(database, made(database, TALK)) as session:
        proof = prove(session, asked)
    assert proof.minimal == ()
    assert proof.counts == {"all": 2, "without keywords": 2, "without speaker": 2}


def test_the_fewest_are_found_among_many_constraints_too(database: Database) -> None:
    calls: list[tuple[str, dict[str, object]]] = [
        ("transcript", {"keywords": ["budget"], "speaker": "Ben", "end": 50.0}),
        ("events", {"labels": ["Bell"], "min_score": 0.5, "end": 50.0}),
        ("speaker", {"names": ["Ben"]}),
    ]
    asked = plan(*calls, joins=[{"stream": "b"}, {"stream": "c"}])
    assert len(constraints(asked)) == 9
    with Session(database, made(database, TALK)) as session:
        assert prove(session, asked).minimal == ("keywords", "speaker")


def test_where_three_of_many_are_to_blame_none_of_those_named_can_be_dropped(database: Database) -> None:
    calls: list[tuple[str, dict[str, object]]] = [
        ("transcript", {"keywords": ["budget"], "end": 50.0}),
        ("events", {"labels": ["Bell"], "min_score": 0.5, "start": 1.0}),
        ("speaker", {"min_talk": 1.0}),
    ]
    asked = plan(*calls, joins=[{"stream": "b"}, {"stream": "c"}])
    assert len(constraints(asked)) == 8
    with Session(database, made(database, TALK)) as session:
        minimal = prove(session, asked).minimal
        rest = [constraint for constraint in constraints(asked) if constraint.name not in minimal]
        blamed = asked
        for constraint in rest:
            blamed = without(blamed, constraint)
        assert session.count(blamed)[0] == 0
        assert len(minimal) >= 3
        for constraint in constraints(blamed):
            assert session.count(without(blamed, constraint))[0] > 0


def test_every_count_can_be_counted_again_by_its_sql(database: Database) -> None:
    scope = made(database, TALK)
    with Session(database, scope) as session:
        proof = prove(session, ASKED)
        terms = [("budget", segment) for (segment,) in _segments(database, "budget")]
    for name, sql in proof.sql.items():
        assert _count(database, sql, terms) == proof.counts[name]


def test_who_else_said_it_is_found_once_for_each_speaker(database: Database) -> None:
    asked = plan(("transcript", {"keywords": ["budget"], "speaker": "Ben"}), answer_schema="quote")
    with Session(database, made(database, TALK)) as session:
        found = others(session, asked)
        assert others(session, plan(("transcript", {}))) is None
    assert found is not None
    assert [(row.speaker, row.t0, row.text) for row in found.rows] == [("Ada", 0, "the budget is red")]
    assert found.total == 2


def _segments(database: Database, word: str) -> list[tuple[int]]:
    with database.reader() as connection:
        return [(row[0],) for row in connection.execute("SELECT id FROM segment WHERE text LIKE ?", (f"%{word}%",))]


def _count(database: Database, sql: str, terms: list[tuple[str, int]]) -> int:
    """Run a count without any of the fence: plain views of the same shape over the one recording."""
    names = "(SELECT COALESCE(name, label) FROM speaker p WHERE p.id = s.speaker_id)"
    columns = (
        f"s.rec_id AS rec, s.id, s.t0, s.t1, 'r' AS recording_id, s.score, s.speaker_id AS voice, {names} AS speaker"
    )
    with sqlite3.connect(database.path) as connection:
        connection.execute(f"CREATE TEMP VIEW transcript AS SELECT {columns}, s.text FROM segment s")
        connection.execute(
            "CREATE TEMP VIEW events AS SELECT s.rec_id AS rec, s.id, s.t0, s.t1, 'r' AS recording_id, s.label, s.score"
            " FROM event s"
        )
        connection.execute("CREATE TEMP TABLE keyword_hit(term, segment_id, rank, occurrences)")
        connection.executemany("INSERT INTO keyword_hit VALUES(?, ?, 0, 1)", terms)
        return int(connection.execute(sql).fetchone()[0])


def test_a_region_that_was_asked_for_is_no_constraint_to_drop_because_without_it_sounds_alone_are_meant() -> None:
    for labels in (["Silence"], ["speech", "Bell"], ["quiet"]):
        asked = plan(("events", {"labels": labels, "end": 50.0}))
        assert [constraint.name for constraint in constraints(asked)] == ["range"]


def test_who_names_no_sound_means_no_region(database: Database) -> None:
    heard = Made(
        events=[Event(0, 90_000, "Speech", 1.0), Event(5, 9, "Bell", 0.9), Event(90_000, 95_000, "silence", 1.0)]
    )
    with Session(database, made(database, heard)) as session:
        counts = [
            session.count(plan(("events", args)))[0] for args in ({}, {"labels": ["silence"]}, {"labels": ["speech"]})
        ]
    assert counts == [1, 1, 1]
