"""What plans bring back from small recordings: filters, words, groups, orders, limits; their SQL passes the fence."""

from typing import Any

import pytest

from store.database import Database
from store.guard import PLAN, check
from store.record import Emotion, Event, Segment, Turn
from store.speakers import Profile
from tests.tools.made import Made, made, plan
from tools.call import Session
from tools.evidence import Evidence
from tools.fuse import compile_plan
from tools.plan import Plan

SAID = [
    Segment(0, 2_000, "Red, red and READ: the red folder.", "Ada"),
    Segment(2_000, 4_000, "the blue folder don\u2019t matter", "Ben"),
    Segment(4_000, 9_000, "50% of case_1 is Hi\u1ebfu's multi-agent", "Ada"),
    Segment(9_000, 9_500, "a folder of 50 dollars, caseA1", None),
    Segment(9_500, 60_000, "red tape and blue folder, red folder", "Ben"),
]
TURNS = [Turn(0, 2_000, "Ada"), Turn(1_500, 4_000, "Ben"), Turn(4_000, 9_000, "Ada"), Turn(9_500, 60_000, "Ben")]
MOODS = [
    Emotion(0, 2_000, "anger", 0.9, "Ada"),
    Emotion(4_000, 9_000, "no clear emotion", 0.2, "Ada"),
    Emotion(9_500, 12_000, "sadness", 0.5, "Ben"),
    Emotion(12_000, 13_000, "anger", 0.6, "Ben"),
    Emotion(12_500, 13_500, "anger", 0.6, "Ben"),
]
SOUNDS = [
    Event(30_000, 31_000, "Bell", 0.6),
    Event(500, 800, "Bark", 0.4),
    Event(10_000, 10_500, "Bell", 0.9),
    Event(20_000, 21_000, "Siren", 0.9),
]
TALK = Made(SAID, TURNS, MOODS, SOUNDS)


def run(database: Database, asked: Plan, *content: Made) -> Evidence:
    with Session(database, made(database, *(content or (TALK,)))) as session:
        return session.run(asked)


def starts(evidence: Evidence) -> list[int]:
    return [row.t0 for row in evidence.rows]


def groups(evidence: Evidence) -> list[tuple[str | None, Any]]:
    return [(group.key, group.value) for group in evidence.groups]


@pytest.mark.parametrize(
    ("args", "found"),
    [
        ({}, [0, 2_000, 4_000, 9_000, 9_500]),
        ({"speaker": "Ada"}, [0, 4_000]),
        ({"start": 2.0, "end": 9.0}, [2_000, 4_000]),
        ({"start": 1.999, "end": 9.001}, [0, 2_000, 4_000, 9_000]),
        ({"start": 30.0}, [9_500]),
        ({"keywords": ["red"]}, [0, 9_500]),
        ({"keywords": ["red", "blue"]}, [0, 2_000, 9_500]),
        ({"keywords": ["red", "blue"], "match": "all"}, [9_500]),
        ({"keywords": ["red", "folder"], "match": "phrase"}, [0, 9_500]),
        ({"keywords": ["don't"]}, [2_000]),
        ({"keywords": ["50%"]}, [4_000]),
        ({"keywords": ["case_1"]}, [4_000]),
        ({"keywords": ["Hie\u0302\u0301u"]}, [4_000]),
        ({"keywords": ["multi-agent"]}, [4_000]),
        ({"keywords": ["AND"]}, [0, 9_500]),
        ({"keywords": ["fold"]}, []),
        ({"keywords": ["red", "red"], "match": "phrase"}, [0]),
    ],
)
def test_the_transcript_is_filtered(database: Database, args: dict[str, Any], found: list[int]) -> None:
    """C22, C23, C25: keywords are literal, whatever SQL, FTS or Unicode would make of them."""
    assert starts(run(database, plan(("transcript", args)))) == found


@pytest.mark.parametrize(
    ("stream", "args", "found"),
    [
        ("speaker", {"names": ["Ada"]}, [0, 4_000]),
        ("speaker", {"names": ["Ada", "Ben"]}, [0, 1_500, 4_000, 9_500]),
        ("speaker", {"min_talk": 7.0}, [0, 1_500, 4_000, 9_500]),
        ("speaker", {"min_talk": 7.001}, [1_500, 9_500]),
        ("speaker", {"min_talk": 2.5, "end": 9.0}, [0, 1_500, 4_000]),
        ("speaker", {"min_talk": 2.501, "end": 9.0}, [0, 4_000]),
        ("emotion", {"labels": ["angry"]}, [0, 12_000, 12_500]),
        ("emotion", {"labels": ["anger", "sad"], "min_score": 0.6}, [0, 12_000, 12_500]),
        ("emotion", {"speaker": "Ben", "labels": ["happy"]}, []),
        ("events", {"labels": ["bell"]}, [10_000, 30_000]),
        ("events", {"labels": ["Bell", "Bark"], "min_score": 0.5}, [10_000, 30_000]),
    ],
)
def test_other_streams_are_filtered(database: Database, stream: str, args: dict[str, Any], found: list[int]) -> None:
    assert starts(run(database, plan((stream, args)))) == found


def test_how_often_counts_the_words_and_not_the_segments(database: Database) -> None:
    red = plan(("transcript", {"keywords": ["red"]}), aggregate="count")
    evidence = run(database, red)
    assert evidence.total == 2
    assert groups(evidence) == [(None, 5)]


def test_words_are_counted_by_speaker_by_word_and_as_a_phrase(database: Database) -> None:
    scope = made(database, TALK)
    words = ("transcript", {"keywords": ["red", "folder", "plum"]})
    phrase = ("transcript", {"keywords": ["red", "folder"], "match": "phrase"})
    both = ("transcript", {"keywords": ["red", "blue"], "match": "all"})
    with Session(database, scope) as session:
        by_speaker = session.run(plan(words, aggregate="count", group="speaker", order="-value"))
        by_word = session.run(plan(words, aggregate="count", group="label"))
        phrases = session.run(plan(phrase, aggregate="count"))
        together = session.run(plan(both, aggregate="count"))
        segments = session.run(plan(("transcript", {}), aggregate="count"))
    assert groups(by_speaker) == [("Ben", 5), ("Ada", 4), (None, 1)]
    assert groups(by_word) == [("folder", 5), ("red", 5)]
    assert groups(phrases) == [(None, 2)]
    assert groups(together) == [(None, 1)]
    assert groups(segments) == [(None, 5)]


def test_order_of_first_occurrence_is_keyed_by_the_label_as_asked(database: Database) -> None:
    labels = {"labels": ["siren", "bark", "BELL", "plum"]}
    evidence = run(database, plan(("events", labels), aggregate="first_occurrence", group="label"))
    assert groups(evidence) == [("bark", [500, 800]), ("BELL", [10_000, 10_500]), ("siren", [20_000, 21_000])]
    assert starts(evidence) == [500, 10_000, 20_000]
    assert evidence.total == 4


def test_many_labels_asked_stay_within_the_fence(database: Database) -> None:
    names = [f"sound {n}" for n in range(24)]
    events = [Event(1_000 * (24 - n), 1_000 * (24 - n) + 10, name, 0.5) for n, name in enumerate(names)]
    asked = plan(("events", {"labels": names}), aggregate="first_occurrence", group="label")
    evidence = run(database, asked, Made(events=events))
    assert [group.key for group in evidence.groups] == names[::-1]


def test_durations_are_over_the_union_and_cut_to_the_range(database: Database) -> None:
    scope = made(database, TALK)
    with Session(database, scope) as session:
        talk = session.run(plan(("speaker", {}), aggregate="total_duration", group="speaker", order="-value"))
        every = session.run(plan(("speaker", {}), aggregate="total_duration"))
        part = session.run(plan(("speaker", {"start": 1.0, "end": 10.0}), aggregate="total_duration", group="speaker"))
        angry = session.run(plan(("emotion", {"labels": ["angry"]}), aggregate="total_duration", group="label"))
        most = session.run(plan(("speaker", {}), aggregate="total_duration", group="speaker", order="-value", limit=1))
    assert groups(talk) == [("Ben", 53_000), ("Ada", 7_000)]
    assert groups(every) == [(None, 59_500)]
    assert groups(part) == [("Ada", 6_000), ("Ben", 3_000)]
    assert groups(angry) == [("angry", 3_500)]
    assert groups(most) == [("Ben", 53_000)]
    assert len(most.rows) == 4


def test_the_longest_gap_is_between_what_is_covered(database: Database) -> None:
    scope = made(database, TALK)
    with Session(database, scope) as session:
        silence = session.run(plan(("speaker", {}), aggregate="longest_gap"))
        bells = session.run(plan(("events", {"labels": ["bell"]}), aggregate="longest_gap"))
        none = session.run(plan(("events", {"labels": ["siren"]}), aggregate="longest_gap"))
    assert groups(silence) == [(None, [9_000, 9_500])]
    assert groups(bells) == [(None, [10_500, 30_000])]
    assert groups(none) == []


def test_a_majority_is_weighed_by_time_and_unclear_rows_do_not_vote(database: Database) -> None:
    scope = made(database, TALK)
    with Session(database, scope) as session:
        ben = session.run(plan(("emotion", {"speaker": "Ben"}), aggregate="majority"))
        each = session.run(plan(("emotion", {}), aggregate="majority", group="speaker", order="time"))
        who = session.run(plan(("speaker", {}), aggregate="majority"))
    assert groups(ben) == [("sadness", 2_500), ("anger", 1_500)]
    assert sorted(groups(each)) == [("Ada", "anger"), ("Ben", "sadness")]
    assert groups(who) == [("Ben", 53_000), ("Ada", 7_000)]


def test_c12_doubtful_voices_are_counted_beside_and_not_among(database: Database) -> None:
    """C12: two main voices and four phantoms of 3.7, 3.0, 1.3 and 0.1 % are two, with both numbers told."""
    shares = (46_000, 45_900, 3_700, 3_000, 1_300, 100)
    turns = [Turn(n * 100_000, n * 100_000 + share, f"SPEAKER_{n:02}") for n, share in enumerate(shares)]
    phantoms = [Profile(f"SPEAKER_{n:02}", doubt="no clean turn of 1.5 s") for n in range(2, 6)]
    scope = made(database, Made(speaker=turns, profiles=phantoms))
    with Session(database, scope) as session:
        many = session.run(plan(("speaker", {}), aggregate="count_distinct", answer_schema="count"))
        who = session.run(plan(("speaker", {}), aggregate="total_duration", group="speaker"))
    assert groups(many) == [(None, 2)]
    assert many.caveats == ("2 main speakers (6 labels, 4 doubtful)",)
    assert [key for key, _ in groups(who)] == ["SPEAKER_00", "SPEAKER_01"]
    assert who.caveats == ("4 doubtful voices are left out",)


def test_c12_voices_of_an_imported_file_all_count(database: Database) -> None:
    turns = [Turn(n * 100_000, n * 100_000 + 10 ** (n % 4), f"v{n}") for n in range(6)]
    evidence = run(database, plan(("speaker", {}), aggregate="count_distinct"), Made(speaker=turns))
    assert groups(evidence) == [(None, 6)]
    assert evidence.caveats == ()


def test_c07_both_voices_of_an_overlap_are_found(database: Database) -> None:
    """C07: the nearest midpoint drops the second voice of an overlap; overlaps keeps both."""
    events = [Event(1_600, 1_900, "Door", 0.9)]
    both = plan(("events", {}), ("speaker", {}), joins=[{"stream": "b"}])
    one = plan(("events", {}), ("speaker", {}), joins=[{"stream": "b", "relation": "nearest_midpoint"}])
    scope = made(database, Made(speaker=TURNS, events=events))
    with Session(database, scope) as session:
        assert [p.speaker for p in session.run(both).rows[0].partners] == ["Ada", "Ben"]
        assert [p.speaker for p in session.run(one).rows[0].partners] == ["Ada"]


def test_rows_come_in_the_order_asked_and_no_more_than_asked(database: Database) -> None:
    scope = made(database, TALK)
    with Session(database, scope) as session:
        last = session.run(plan(("events", {}), order="-time", limit=2))
        sure = session.run(plan(("events", {}), order="-value"))
        capped = session.run(plan(("events", {})), most=3)
    assert starts(last) == [30_000, 20_000]
    assert last.total == 4
    assert last.caveats == ()
    assert starts(sure) == [10_000, 20_000, 30_000, 500]
    assert starts(capped) == [500, 10_000, 20_000]
    assert capped.caveats == ("4 rows were found, of which the first 3 are listed",)


def test_the_best_match_comes_first_by_rank(database: Database) -> None:
    long = "red " + "and so on and so forth " * 20
    said = [Segment(0, 10, long, "Ada"), Segment(20, 30, "red", "Ada"), Segment(40, 50, "blue", "Ada")]
    evidence = run(database, plan(("transcript", {"keywords": ["red"]}), order="rank"), Made(said))
    assert starts(evidence) == [20, 0]


def test_names_that_are_sql_words_are_plain_names(database: Database) -> None:
    names = ["Select", "Order", "NULL", "O'Brien; --", "%"]
    turns = [Turn(n * 10, n * 10 + 5, name) for n, name in enumerate(names)]
    scope = made(database, Made(speaker=turns))
    with Session(database, scope) as session:
        for n, name in enumerate(names):
            assert starts(session.run(plan(("speaker", {"names": [name]})))) == [n * 10]
        by = session.run(plan(("speaker", {}), aggregate="total_duration", group="speaker"))
    assert groups(by) == [(name, 5) for name in names]


def test_groups_by_recording_carry_public_ids(database: Database) -> None:
    other = Made(events=[Event(0, 10, "Bell", 0.5)])
    evidence = run(database, plan(("events", {"labels": ["bell"]}), aggregate="count", group="recording"), TALK, other)
    assert groups(evidence) == [("talk-0-00000000", 2), ("talk-1-00000000", 1)]


def test_the_largest_plan_passes_the_fence(database: Database) -> None:
    scope = made(database, TALK)
    words = {"keywords": [f"a rather long keyword number {n}" for n in range(24)], "match": "all", "speaker": "Ada"}
    sounds = {"labels": [f"a rather long label number {n}" for n in range(24)], "start": 1, "end": 2}
    joins = [{"stream": name, "relation": "nearest_midpoint", "kind": "left"} for name in "bcde"]
    calls = [("events", sounds)] * 2 + [("transcript", words)] * 3
    asked = plan(*calls, joins=joins, aggregate="first_occurrence", group="label")
    compiled = compile_plan(asked, scope)
    statements = [compiled.rows_sql, compiled.total_sql, compiled.value_sql or "", *compiled.partner_sql]
    assert len(statements) == 7
    for statement in statements:
        assert check(statement, PLAN)


@pytest.mark.parametrize("word", ["DISTINCT ON", "QUALIFY", "ASOF", "LATERAL", "RECURSIVE"])
def test_no_statement_uses_what_does_not_carry(database: Database, word: str) -> None:
    scope = made(database, TALK)
    joins = [{"stream": "b", "relation": "nearest"}]
    compiled = compile_plan(plan(("events", {}), ("speaker", {}), joins=joins, aggregate="majority"), scope)
    for statement in (compiled.rows_sql, compiled.total_sql, compiled.value_sql or "", *compiled.partner_sql):
        assert word not in statement
        assert statement.count("LIMIT") <= 1
        assert statement.rfind("LIMIT") in (-1, statement.rfind(" ", 0, statement.rfind(" ")) + 1)


def test_a_call_that_fuse_does_not_name_costs_nothing(database: Database) -> None:
    scope = made(database, TALK)
    compiled = compile_plan(plan(("events", {}), ("transcript", {"keywords": ["red"]})), scope)
    assert compiled.terms == ()
    assert "transcript" not in compiled.rows_sql
