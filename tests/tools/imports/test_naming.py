"""Turns of one file, voices of another: the turns stay and the voices name them."""

from store.record import Emotion, Segment, Turn, Word
from tools.imports.naming import name_turns, speak

TURNS = [Turn(0, 10_000, "SPEAKER_00"), Turn(10_000, 20_000, "SPEAKER_01"), Turn(20_000, 24_000, "SPEAKER_02")]


def test_the_largest_overlap_names_a_turn() -> None:
    segments = [Segment(0, 10_500, "a", "Ada"), Segment(10_000, 19_000, "b", "Bob"), Segment(21_000, 22_000, "c")]
    named = name_turns(segments, TURNS)
    assert named.names == {"SPEAKER_00": "Ada", "SPEAKER_01": "Bob"}
    assert [segment.speaker for segment in named.segments] == ["SPEAKER_00", "SPEAKER_01", "SPEAKER_02"]
    assert named.caveats == ()


def test_a_contradiction_is_told_and_the_turns_stay() -> None:
    segments = [Segment(0, 9000, "a", "Ada"), Segment(10_000, 19_000, "b", "Bob"), Segment(12_000, 13_000, "c", "Ada")]
    named = name_turns(segments, TURNS)
    assert [segment.speaker for segment in named.segments] == ["SPEAKER_00", "SPEAKER_01", "SPEAKER_01"]
    assert named.caveats == ("1 cues name another voice than the turns, which stay: 0:12 Ada (turns: Bob)",)


def test_one_voice_never_names_two_labels() -> None:
    named = name_turns([Segment(0, 10_000, "a", "Ada"), Segment(20_000, 24_000, "b", "Ada")], TURNS)
    assert named.names == {"SPEAKER_00": "Ada"}
    assert any("SPEAKER_02" in caveat for caveat in named.caveats)


def test_a_label_that_is_a_name_is_not_renamed_and_a_code_is() -> None:
    turns = [Turn(0, 1000, "Grace"), Turn(1000, 2000, "MEE009")]
    named = name_turns([Segment(0, 1000, "a", "Ada"), Segment(1000, 2000, "b", "Bob")], turns)
    assert named.names == {"MEE009": "Bob"}
    assert "the turns say Grace where the text mostly says Ada" in named.caveats[0]


def test_c09_a_word_stretched_over_silence_steals_no_attribution() -> None:
    turns = [Turn(0, 2000, "Ada"), Turn(2500, 5000, "Bob")]
    words = (Word(1000, 1200, "yes"), Word(1200, 5000, "well"))
    assert name_turns([Segment(1000, 5000, "yes well", words=words)], turns).segments[0].speaker == "Ada"


def test_a_voice_without_a_turn_is_kept_with_a_turn_of_its_own() -> None:
    named = name_turns([Segment(30_000, 31_000, "x", "Zed"), Segment(32_000, 33_000, "y", "SPEAKER_07")], TURNS)
    assert named.turns == (Turn(30_000, 31_000, "Zed"),)
    assert named.segments[1].speaker is None
    assert len(named.caveats) == 2


def test_emotions_are_joined_to_voices_by_overlap() -> None:
    felt = [Emotion(9000, 12_000, "anger", 1.0), Emotion(40_000, 41_000, "neutral", 1.0)]
    assert [emotion.speaker for emotion in speak(felt, TURNS)] == ["SPEAKER_01", None]
