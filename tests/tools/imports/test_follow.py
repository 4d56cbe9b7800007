"""Who spoke, corrected in one stream, is corrected in all."""

from hypothesis import given, settings
from hypothesis import strategies as st

from store.record import Emotion, Segment, Turn
from tools.imports.follow import following, renamed, rows_of, turns_of

SAID = [Segment(0, 4000, "a", "S1"), Segment(4000, 8000, "b", "S2"), Segment(8000, 12_000, "c", "S1")]
TURNS = [Turn(0, 3900, "S1", 0.9), Turn(4100, 7900, "S2"), Turn(8000, 14_000, "S1")]


def called(*voices: str | None) -> list[Segment]:
    return [Segment(row.t0, row.t1, row.text, voice) for row, voice in zip(SAID, voices, strict=True)]


def test_a_voice_renamed_throughout_is_renamed_throughout() -> None:
    assert renamed(SAID, called("Ada", "S2", "Ada")) == {"S1": "Ada"}
    assert renamed(SAID, called("Ada", "S2", "Bob")) == {}
    assert renamed(SAID, called("Ada", "S2", "S1")) == {}
    assert turns_of(TURNS, SAID, called("Ada", "S2", "Ada")) == [
        Turn(0, 3900, "Ada", 0.9),
        Turn(4100, 7900, "S2"),
        Turn(8000, 14_000, "Ada"),
    ]


def test_one_corrected_cue_moves_what_was_said_in_it_and_no_more() -> None:
    assert turns_of(TURNS, SAID, called("S1", "S2", "S2")) == [
        Turn(0, 3900, "S1", 0.9),
        Turn(4100, 7900, "S2"),
        Turn(8000, 12_000, "S2"),
        Turn(12_000, 14_000, "S1"),
    ]


def test_voices_that_change_places_do() -> None:
    assert [turn.speaker for turn in turns_of(TURNS, SAID, called("S2", "S1", "S2"))] == ["S2", "S1", "S2", "S1"]


def test_who_speaks_at_the_same_time_is_not_corrected_by_being_there() -> None:
    said = [Segment(0, 9000, "long", "Ada"), Segment(2000, 3000, "mhm", "Bob")]
    turns = [Turn(0, 9000, "Ada"), Turn(2000, 3000, "Bob")]
    assert turns_of(turns, said, said) == turns
    shorter = [said[0], Segment(2100, 3000, "mhm", "Bob")]
    assert turns_of(turns, said, shorter) == turns


def test_a_cue_cut_in_two_gives_the_second_half_to_its_voice() -> None:
    after = [Segment(0, 2000, "a", "S1"), Segment(2000, 4000, "a", "Cy"), *SAID[1:]]
    assert turns_of(TURNS, SAID, after)[:2] == [Turn(0, 2000, "S1", 0.9), Turn(2000, 3900, "Cy", 0.9)]


def test_what_nobody_was_heard_to_say_is_a_turn_of_who_said_it() -> None:
    after = [*SAID, Segment(20_000, 21_000, "d", "Cy")]
    assert turns_of(TURNS, SAID, after) == [*TURNS, Turn(20_000, 21_000, "Cy")]


def test_text_and_emotions_follow_turns() -> None:
    turns = [Turn(0, 3900, "Ada"), Turn(4100, 7900, "S2"), Turn(8000, 14_000, "S2")]
    assert [row.speaker for row in rows_of(SAID, TURNS, turns)] == ["Ada", "S2", "S2"]
    found = following(
        {"transcript": SAID, "speaker": TURNS, "emotion": [Emotion(100, 900, "anger", 0.5, "S1")]},
        {"speaker": turns},
        False,
    )
    assert found["emotion"] == [Emotion(100, 900, "anger", 0.5, "Ada")]
    assert found.keys() == {"transcript", "emotion"}


def test_who_speaks_meanwhile_takes_no_row() -> None:
    before = [Turn(0, 4000, "Ada"), Turn(0, 4000, "Bob")]
    after = [Turn(0, 4000, "Bob"), Turn(0, 4000, "Cy"), Turn(5000, 6000, "Ada")]
    felt = [Emotion(100, 900, "anger", 0.5, "Ada"), Emotion(100, 900, "anger", 0.5, "Bob")]
    assert [row.speaker for row in rows_of(felt, before, after)] == ["Cy", "Bob"]


def test_nothing_follows_where_no_voice_changed() -> None:
    words = [Segment(0, 4000, "other words", "S1"), *SAID[1:]]
    assert following({"transcript": SAID, "speaker": TURNS}, {"transcript": words}, False) == {}
    assert following({"events": []}, {"events": []}, True) == {}


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, 50), st.integers(1, 20), st.sampled_from("ab"), st.sampled_from("abc")), max_size=8
    )
)
def test_a_correction_moves_time_between_voices_and_makes_none(
    drawn: list[tuple[int, int, str, str]],
) -> None:
    before = [Segment(t0, t0 + length, "x", old) for t0, length, old, _ in drawn]
    after = [Segment(t0, t0 + length, "x", new) for t0, length, _, new in drawn]
    turns = [Turn(row.t0, row.t1, row.speaker) for row in before if row.speaker]
    found = turns_of(turns, before, after)
    assert sum(turn.t1 - turn.t0 for turn in found) == sum(turn.t1 - turn.t0 for turn in turns)
    assert all(turn.t0 < turn.t1 for turn in found)
    assert turns_of(turns, before, before) == sorted(turns, key=lambda turn: (turn.t0, turn.t1, turn.speaker))
