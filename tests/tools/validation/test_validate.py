"""What cannot hold is told before anything runs: asked, why not, what exists, what would work."""

from typing import Any

import pytest

from store.database import Database
from store.record import Emotion, Event, Segment, StreamKind, Turn
from store.speakers import Profile
from tests.tools.made import Made, made, plan
from tools.health.checks import CONSTANT
from tools.speaker.query import SpeakerQuery
from tools.validation.problem import Problem, told
from tools.validation.validate import UNHEALTHY, problems

ADA, BEN = Turn(0, 60_000, "Ada Lovelace"), Turn(60_000, 90_000, "Ben")
NAMED = Made([Segment(0, 60_000, "red", "Ada Lovelace")], [ADA, BEN], events=[Event(0, 500, "Bell", 0.9)])
OPEN = Made(speaker=[Turn(0, 60_000, "SPEAKER_00"), Turn(60_000, 90_000, "Ben"), Turn(90_000, 91_000, "SPEAKER_02")])
PEOPLE = ("speaker", {"names": ["Grace"]})


def found(
    database: Database, content: Made | list[Made], *calls: tuple[str, dict[str, Any]], **fuse: Any
) -> list[Problem]:
    scope = made(database, *(content if isinstance(content, list) else [content]))
    return problems(plan(*calls, **fuse), scope)


def only(problem: list[Problem]) -> Problem:
    assert len(problem) == 1
    return problem[0]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (NAMED, "unknown_speaker"),
        (OPEN, "speaker_unidentified"),
        (Made(speaker=OPEN.speaker, roster="closed"), "unknown_speaker"),
        (Made(speaker=NAMED.speaker, roster="open"), "speaker_unidentified"),
        (
            Made(speaker=OPEN.speaker, profiles=[Profile("SPEAKER_00", "Ada"), Profile("SPEAKER_02", "Cy")]),
            "unknown_speaker",
        ),
        (
            Made(speaker=OPEN.speaker, profiles=[Profile("SPEAKER_00", "Ada"), Profile("SPEAKER_02", doubt="close")]),
            "unknown_speaker",
        ),
        (Made(speaker=[]), "speaker_unidentified"),
        ([NAMED, OPEN], "speaker_unidentified"),
        ([NAMED, NAMED], "unknown_speaker"),
    ],
)
def test_an_unknown_name_is_absent_only_where_everybody_is_known(database: Database, content: Any, reason: str) -> None:
    problem = only(found(database, content, PEOPLE))
    assert problem.reason == reason
    assert problem.constraint == {"speaker": "Grace"}
    assert problem.call == "a"


def test_an_unknown_speaker_is_told_who_speaks_and_who_was_meant(database: Database) -> None:
    problem = only(found(database, NAMED, ("transcript", {"speaker": "Ada Lovelase", "keywords": ["red"]})))
    assert problem.message == (
        "'Ada Lovelase' was asked for, and nobody of that name speaks in talk-0-00000000; "
        "Ada Lovelace (1:00 of talk), Ben (0:30 of talk) speak; did you mean Ada Lovelace?"
    )
    assert problem.exists == ("Ada Lovelace", "Ben")


def test_unnamed_voices_are_offered_where_a_name_is_not_known(database: Database) -> None:
    problem = only(found(database, OPEN, ("emotion", {"speaker": "Grace"}), anchor="a"))
    assert problem.reason == "stream_missing"
    problem = only(found(database, OPEN, PEOPLE))
    assert problem.exists == ("SPEAKER_00", "SPEAKER_02")
    assert "SPEAKER_00 (1:00 of talk), SPEAKER_02 (0:01 of talk)" in problem.message
    assert "--rename LABEL=Grace" in problem.message


def test_c35_two_johns_are_asked_about(database: Database) -> None:
    """C35: two voices of one name, or of one first name, are never merged in silence."""
    turns = [Turn(0, 10_000, "S1"), Turn(10_000, 15_000, "S2"), Turn(20_000, 21_000, "S3")]
    same = Made(speaker=turns, profiles=[Profile("S1", "John"), Profile("S2", "John"), Profile("S3", "Ann")])
    problem = only(found(database, same, ("speaker", {"names": ["john"]})))
    assert problem.reason == "ambiguous_speaker"
    assert problem.exists == ("S1", "S2")
    assert "John (0:10 of talk, S1), John (0:05 of talk, S2)" in problem.message


def test_a_first_name_of_two_is_told_apart_by_the_whole_names(database: Database) -> None:
    johns = Made(speaker=[Turn(0, 10_000, "John Doe"), Turn(10_000, 15_000, "John Smith")])
    problem = only(found(database, johns, ("speaker", {"names": ["John"]})))
    assert problem.exists == ("John Doe", "John Smith")


@pytest.mark.parametrize(
    ("call", "constraint"),
    [
        (("emotion", {}), {"stream": "emotion"}),
        (("emotion", {"speaker": "Nobody", "labels": ["anger"]}), {"stream": "emotion"}),
    ],
)
def test_a_stream_that_was_never_computed_is_missing(database: Database, call: Any, constraint: Any) -> None:
    problem = only(found(database, NAMED, call))
    assert (problem.reason, problem.constraint) == ("stream_missing", constraint)
    assert problem.exists == ("transcript", "speaker", "events")


def test_a_stream_that_some_recording_has_can_be_asked(database: Database) -> None:
    assert found(database, [Made(events=[]), NAMED], ("transcript", {})) == []


@pytest.mark.parametrize(
    ("label", "reason"),
    [("angry", None), ("happiness", None), ("bored", "stream_missing"), ("hangry", "unknown_label")],
)
def test_a_label_that_the_source_cannot_emit_was_never_listened_for(
    database: Database, label: str, reason: str | None
) -> None:
    moods = Made(emotion=[Emotion(0, 10, "anger", 0.9)], emits={"emotion": ["anger", "happiness", "no clear emotion"]})
    problem = found(database, moods, ("emotion", {"labels": [label]}))
    assert [one.reason for one in problem] == ([reason] if reason else [])
    assert all(one.constraint == {"label": label} and one.exists == ("anger",) for one in problem)


def test_an_imported_stream_can_hold_any_label(database: Database) -> None:
    assert found(database, NAMED, ("events", {"labels": ["kazoo solo"]})) == []


@pytest.mark.parametrize(
    ("heard_ms", "span", "reason"),
    [
        (None, {"start": 3_599.9}, None),
        (None, {"start": 3_600.0}, "out_of_range"),
        (None, {"start": 10.0, "end": 9_000.0}, None),
        (600_000, {"start": 3_600.0}, "out_of_range"),
        (600_000, {"start": 600.0}, "not_heard_yet"),
        (600_000, {"start": 599.9}, None),
        (600_000, {}, None),
        (0, {}, "not_heard_yet"),
        (0, {"end": 10.0}, "not_heard_yet"),
        (None, {"start": -60.0}, None),
        (None, {"start": -9_000.0}, None),
        (None, {"start": -9_000.0, "end": -7_200.0}, "out_of_range"),
        (None, {"end": -3_600.0}, "out_of_range"),
        (None, {"end": -3_599.0}, None),
        (None, {"start": 3_500.0, "end": -200.0}, "out_of_range"),
        (None, {"start": -60.0, "end": 3_500.0}, "out_of_range"),
        (600_000, {"start": -60.0}, "not_heard_yet"),
        (600_000, {"start": -3_600.0}, None),
        (600_000, {"start": -3_600.0, "nth": -1}, None),
    ],
)
def test_a_range_lies_in_what_was_recorded_and_heard(
    database: Database, heard_ms: int | None, span: dict[str, float], reason: str | None
) -> None:
    content = Made(speaker=[ADA], heard_ms=heard_ms)
    problem = found(database, content, ("speaker", span))
    assert [one.reason for one in problem] == ([reason] if reason else [])
    if problem:
        assert dict(problem[0].constraint) == span


@pytest.mark.parametrize(
    ("span", "words"),
    [
        ({"start": 60.0}, "after 1:00"),
        ({"end": 60.0}, "before 1:00"),
        ({"start": 60.0, "end": 90.0}, "between 1:00 and 1:30"),
        ({"start": -60.0}, "in the last 1:00"),
        ({"start": -120.0, "end": -60.0}, "in the last 2:00 but the last 1:00"),
        ({"start": -120.0, "end": 3_600.0}, "in the last 2:00, before 1:00:00"),
        ({"end": -60.0}, "before the last 1:00"),
        ({"start": 30.0, "end": -60.0}, "after 0:30 and before the last 1:00"),
        ({}, "in the recording"),
    ],
)
def test_a_stretch_is_told_as_it_was_asked(span: dict[str, float], words: str) -> None:
    assert told(SpeakerQuery.model_validate(span)) == words


CHAIN = [{"stream": "b"}, {"stream": "c", "to": "b", "relation": "after"}]


@pytest.mark.parametrize(
    ("calls", "fuse"),
    [
        ([("speaker", {}), ("events", {}), ("speaker", {"names": ["Grace"]})], {"joins": CHAIN}),
        ([("speaker", {"names": ["Ben"]}), ("speaker", {"names": ["Grace"]})], {"versus": "b", "aggregate": "count"}),
        (
            [("speaker", {}), ("transcript", {"speaker": "Grace"})],
            {"joins": [{"stream": "b", "relation": "anywhere", "kind": "without", "voice": "same"}]},
        ),
        ([("speaker", {"names": ["Grace"], "nth": 2})], {}),
    ],
)
def test_names_are_checked_wherever_a_plan_has_them(database: Database, calls: Any, fuse: dict[str, Any]) -> None:
    assert only(found(database, NAMED, *calls, **fuse)).constraint == {"speaker": "Grace"}


MOODS = tuple(Emotion(n * 1000, n * 1000 + 900, "neutral", 0.9) for n in range(CONSTANT))
EMITS: dict[StreamKind, list[str]] = {"emotion": ["neutral", "anger"]}
EMOTION: tuple[str, dict[str, Any]] = ("emotion", {})


@pytest.mark.parametrize(
    ("content", "calls", "fuse", "why"),
    [
        (Made(emotion=MOODS[:5], health={"emotion": 0.1}), [EMOTION], {}, "its health is 0.10"),
        (Made(emotion=MOODS[:5], health={"emotion": UNHEALTHY}), [EMOTION], {}, None),
        (Made(emotion=MOODS, emits=EMITS), [EMOTION], {}, "all its 100 rows say “neutral”"),
        (Made(emotion=MOODS), [EMOTION], {}, None),
        (Made(emotion=MOODS[1:], emits=EMITS), [EMOTION], {}, None),
        (Made(emotion=[*MOODS, Emotion(0, 10, "anger", 0.9)], emits=EMITS), [EMOTION], {}, None),
        (
            Made(emotion=MOODS, emits=EMITS, speaker=[ADA]),
            [("speaker", {}), EMOTION],
            {"joins": [{"stream": "b"}]},
            "all its 100 rows",
        ),
        (
            Made(emotion=MOODS, emits=EMITS, speaker=[ADA]),
            [("speaker", {}), EMOTION],
            {"joins": [{"stream": "b", "kind": "left"}]},
            None,
        ),
    ],
)
def test_a_stream_of_noise_is_refused_where_the_answer_stands_on_it(
    database: Database, content: Made, calls: Any, fuse: dict[str, Any], why: str | None
) -> None:
    problem = found(database, content, *calls, **fuse)
    assert [one.reason for one in problem] == ([] if why is None else ["stream_unreliable"])
    assert all(why in one.message for one in problem if why)


@pytest.mark.parametrize(
    ("join", "anchor", "partner", "contradicts"),
    [
        ({}, {"end": 10.0}, {"start": 1_000.0}, True),
        ({}, {"end": 10.0}, {"start": 60.0}, False),
        ({"kind": "left"}, {"end": 10.0}, {"start": 1_000.0}, False),
        ({"kind": "without"}, {"end": 10.0}, {"start": 1_000.0}, False),
        ({"relation": "nearest", "tolerance": 2_000.0}, {"end": 10.0}, {"start": 1_000.0}, False),
        ({"relation": "after"}, {"end": 10.0}, {"start": 10.0}, True),
        ({"relation": "after"}, {"end": 10.0}, {"start": 9.0}, False),
        ({"relation": "before"}, {"start": 10.0}, {"end": 10.0}, True),
        ({"relation": "before"}, {"start": 10.0}, {"end": 11.0}, False),
    ],
)
def test_ranges_that_cannot_meet_contradict(
    database: Database, join: dict[str, Any], anchor: dict[str, Any], partner: dict[str, Any], contradicts: bool
) -> None:
    problem = found(database, NAMED, ("speaker", anchor), ("events", partner), joins=[{"stream": "b"} | join])
    assert [one.reason for one in problem] == (["contradictory_constraints"] if contradicts else [])


@pytest.mark.parametrize(
    ("voice", "names", "contradicts"),
    [("same", ["Ben"], True), ("same", ["Ada", "Ben"], False), ("other", ["Ada"], True), ("any", ["Ben"], False)],
)
def test_people_that_cannot_be_of_one_voice_contradict(
    database: Database, voice: str, names: list[str], contradicts: bool
) -> None:
    joins = [{"stream": "b", "voice": voice}]
    problem = found(database, NAMED, ("speaker", {"names": ["Ada"]}), ("speaker", {"names": names}), joins=joins)
    assert [one.reason for one in problem] == (["contradictory_constraints"] if contradicts else [])


def test_every_problem_of_every_call_is_told_at_once(database: Database) -> None:
    calls = [("speaker", {"names": ["Grace", "Hal"], "start": 9_999.0}), ("emotion", {})]
    assert [one.reason for one in found(database, NAMED, *calls)] == [
        "unknown_speaker",
        "unknown_speaker",
        "out_of_range",
        "stream_missing",
    ]


@pytest.mark.parametrize("call", [("speaker", {}), ("transcript", {"keywords": ["x"], "start": 5.0}), ("events", {})])
def test_what_is_being_heard_for_the_first_time_is_not_heard_yet(database: Database, call: Any) -> None:
    problem = only(found(database, Made(heard_ms=0), call))
    assert problem.reason == "not_heard_yet"
    assert "heard so far is 0:00 to 0:00" in problem.message


@pytest.mark.parametrize(
    ("label", "reason", "first"),
    [("cyren", "unknown_label", "Siren"), ("guitar", "stream_missing", "Music"), ("xylem", "unknown_label", "Music")],
)
def test_a_label_that_cannot_be_is_told_with_what_is_near(
    database: Database, label: str, reason: str, first: str
) -> None:
    heard = [Event(0, 500, "Music", 0.9), Event(900, 999, "Siren", 0.9)]
    sounds = Made(events=heard, emits={"events": ["Music", "Siren", "Speech"]})
    problem = only(found(database, sounds, ("events", {"labels": [label]})))
    assert problem.reason == reason
    assert problem.exists[0] == first
    assert (f"did you mean {first}" in problem.message) is (label != "xylem")
