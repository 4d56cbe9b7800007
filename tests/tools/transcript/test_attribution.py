"""Every word goes to one turn, in order; a stretched word steals nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.record import Segment, Turn, Word
from tools.transcript.attribution import LONGEST_MS, attribute


def words(text: str) -> list[Word]:
    """Read `0-400 hello 450-900 there` as words of milliseconds."""
    parts = text.split()
    times = [tuple(map(int, part.split("-"))) for part in parts[::2]]
    return [Word(t0, t1, word) for (t0, t1), word in zip(times, parts[1::2], strict=True)]


def said(segments: list[Segment]) -> list[tuple[str | None, str]]:
    return [(segment.speaker, segment.text) for segment in segments]


A, B = Turn(0, 1000, "A"), Turn(1000, 2000, "B")


@pytest.mark.parametrize(
    ("heard", "turns", "expected"),
    [
        ("0-400 hello 1100-1500 hi", [A, B], [("A", "hello"), ("B", "hi")]),
        ("800-1300 so", [A, B], [("B", "so")]),
        ("900-1100 tie", [A, B], [("A", "tie")]),
        ("2500-2600 late", [A, B], [("B", "late")]),
        ("3200-3300 nobody", [A, B], [(None, "nobody")]),
        ("0-400 alone", [], [(None, "alone")]),
        ("0-400 one 1100-1200 two 2300-2400 three", [A, Turn(1000, 1250, "B"), Turn(2200, 2500, "A")],
         [("A", "one"), ("B", "two"), ("A", "three")]),
    ],
)  # fmt: skip
def test_a_word_goes_to_the_turn_it_shares_most_time_with(
    heard: str, turns: list[Turn], expected: list[tuple[str | None, str]]
) -> None:
    assert said(attribute(words(heard), turns)) == expected


def test_c09_a_stretched_last_word_steals_neither_the_next_turn_nor_its_time() -> None:
    turns = [Turn(0, 2_000, "A"), Turn(3_000, 6_000, "B")]
    found = attribute(words("0-400 that's 500-900 all 1900-5700 right 3100-3400 and 3500-3900 yes"), turns)
    assert said(found) == [("A", "that's all right"), ("B", "and yes")]
    assert found[0].t1 <= turns[1].t0


def test_a_voice_goes_on_through_an_overlap() -> None:
    turns = [Turn(0, 5_000, "A"), Turn(2_000, 2_800, "B")]
    found = attribute(words("1500-1900 we 2000-2300 need 2350-2700 more 2900-3300 time"), turns)
    assert said(found) == [("A", "we need more time")]


def test_a_new_sentence_in_an_overlap_goes_to_the_voice_that_began() -> None:
    turns = [Turn(0, 5_000, "A"), Turn(4_000, 7_000, "B")]
    found = attribute(words("3300-3700 nine 3750-4100 thousand. 4200-4500 That 4550-4900 is 5100-5500 good."), turns)
    assert said(found) == [("A", "nine thousand."), ("B", "That is good.")]


def test_a_monologue_is_cut_at_sentence_ends_and_no_part_is_longer_than_15_s() -> None:
    spoken = [Word(i * 500, i * 500 + 450, f"w{i}{'.' if i % 7 == 6 else ''}") for i in range(120)]
    found = attribute(spoken, [Turn(0, 60_000, "A")])
    assert len(found) >= 4
    assert all(segment.t1 - segment.t0 <= LONGEST_MS for segment in found)
    assert all(segment.text.endswith(".") for segment in found[:-1])


def test_without_sentences_a_monologue_is_cut_at_its_longest_pause() -> None:
    spoken = [Word(i * 500 + (700 if i >= 20 else 0), i * 500 + 450 + (700 if i >= 20 else 0), "na") for i in range(40)]
    assert len(attribute(spoken, [Turn(0, 60_000, "A")])[0].words) == 20


def test_words_of_scripts_without_blanks_join_as_they_are_written() -> None:
    spoken = [Word(0, 100, "会議"), Word(100, 200, "です"), Word(200, 300, "OK"), Word(300, 400, "now")]
    assert attribute(spoken, [A])[0].text == "会議です OK now"


_times = st.integers(0, 60_000)
_words = st.lists(st.builds(lambda t, n, i: Word(t, t + n, f"w{i}"), _times, st.integers(1, 5_000), st.integers(0, 99)))
_turns = st.lists(
    st.builds(lambda t, n, who: Turn(t, t + n, who), _times, st.integers(1, 30_000), st.sampled_from("ABC")),
    max_size=12,
)


@settings(max_examples=200, deadline=None)
@given(_words, _turns)
def test_no_word_is_lost_or_doubled_and_the_order_is_kept(heard: list[Word], turns: list[Turn]) -> None:
    segments = attribute(heard, turns)
    given_back = [(word.t0, word.text) for segment in segments for word in segment.words]
    in_order = sorted(heard, key=lambda word: (word.t0, word.t1))
    assert given_back == [(word.t0, word.text) for word in in_order]
    for segment in segments:
        assert segment.t0 == segment.words[0].t0
        assert segment.t1 == max(word.t1 for word in segment.words) > segment.t0
        assert segment.text == " ".join(word.text for word in segment.words)
        assert segment.speaker is None or segment.speaker in {turn.speaker for turn in turns}
        assert segment.t1 - segment.t0 <= LONGEST_MS or len(segment.words) == 1


@given(_words, _turns)
def test_a_word_without_a_speaker_is_more_than_a_second_from_every_turn(heard: list[Word], turns: list[Turn]) -> None:
    for segment in attribute(heard, turns):
        for word in segment.words if segment.speaker is None else ():
            end = min(word.t1, word.t0 + 1_000)
            assert all(max(turn.t0 - end, word.t0 - turn.t1) > 1_000 for turn in turns)
