"""What a question can ask of, read from real rows: talk time by the union, voices by what they said, rosters."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.database import Database
from store.record import Emotion, Event, Segment, Span, Turn, total
from store.recordings import Roster
from tests.tools.made import Made, made

SPANS = st.lists(
    st.tuples(st.integers(0, 900), st.integers(1, 400), st.sampled_from(["Ada", "Ben"])), min_size=1, max_size=12
)


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(SPANS)
def test_talk_time_is_that_of_the_union(
    tmp_path_factory: pytest.TempPathFactory, spans: list[tuple[int, int, str]]
) -> None:
    turns = [Turn(t0, t0 + ms, who) for t0, ms, who in sorted(spans)]
    (entry,) = made(Database.open(tmp_path_factory.mktemp("union")), Made(speaker=turns)).recordings
    for voice in entry.voices:
        own = [Span(turn.t0, turn.t1) for turn in turns if turn.speaker == voice.display]
        assert (voice.talk_ms, voice.turns) == (total(own), len(own))
    assert [voice.talk_ms for voice in entry.voices] == sorted((v.talk_ms for v in entry.voices), reverse=True)


def test_turns_tell_talk_time_before_segments_and_segments_before_emotions(database: Database) -> None:
    scope = made(
        database,
        Made(
            [Segment(0, 5_000, "red", "Ada"), Segment(0, 3_000, "red", "Ben"), Segment(0, 9_000, "red", None)],
            [Turn(0, 1_000, "Ada")],
            [Emotion(0, 700, "anger", 0.9, "Cleo"), Emotion(0, 700, "anger", 0.9, "Ben")],
        ),
    )
    talk = {voice.display: voice.talk_ms for voice in scope.recordings[0].voices}
    assert talk == {"Ada": 1_000, "Ben": 3_000, "Cleo": 700}


def test_labels_are_those_really_there_with_how_often(database: Database) -> None:
    scope = made(
        database,
        Made(events=[Event(0, 1, "Bell", 0.9), Event(5, 6, "Bell", 0.9), Event(9, 10, "Bark", 0.9)], emotion=[]),
        Made(emotion=[Emotion(0, 1, "anger", 0.9, "Ada")], emits={"emotion": ["anger", "fear"]}),
    )
    first, second = scope.recordings
    assert (dict(first.events), dict(first.emotions)) == ({"Bark": 1, "Bell": 2}, {})
    assert (dict(second.events), dict(second.emotions)) == ({}, {"anger": 1})
    assert second.streams["emotion"].labels == ("anger", "fear")
    assert {kind: len(scope.of(kind)) for kind in ("transcript", "events", "emotion")} == {
        "transcript": 0, "events": 1, "emotion": 2,
    }  # fmt: skip
    assert len(scope.stream_ids) == 3


def test_the_longest_row_is_that_of_all_recordings(database: Database) -> None:
    scope = made(
        database, Made(speaker=[Turn(0, 700, "Ada")]), Made(speaker=[Turn(0, 300, "A"), Turn(400, 1_300, "B")])
    )
    assert (scope.longest("speaker"), scope.longest("events")) == (900, 0)


@pytest.mark.parametrize(
    ("roster", "people", "closed"),
    [
        ("auto", ["Ada", "Ben"], True),
        ("auto", ["Ada", "SPEAKER_01"], False),
        ("auto", [], False),
        ("closed", ["SPEAKER_00"], True),
        ("open", ["Ada"], False),
    ],
)
def test_an_unknown_name_can_be_refused_where_everybody_has_one(
    database: Database, roster: Roster, people: list[str], closed: bool
) -> None:
    turns = [Turn(n * 1_000, n * 1_000 + 900, who) for n, who in enumerate(people)]
    (entry,) = made(database, Made(speaker=turns, roster=roster)).recordings
    assert entry.closed is closed
