"""Real diarizations answer as another library computes them, and that library is held against plain arithmetic."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyannote.core import Annotation, Segment

from scripts.measure_timelines import asked
from scripts.timelines import items, overlap, read

TURNS = st.lists(
    st.tuples(st.integers(0, 60), st.integers(1, 12), st.sampled_from("abc")), min_size=1, max_size=12, unique=True
)
# What cannot be computed yet, and is not answered.
BEYOND = "overlap: how long"


def annotated(turns: list[tuple[int, int, str]]) -> Annotation:
    found = Annotation()
    for number, (start, length, label) in enumerate(turns):
        found[Segment(start, start + length), number] = label
    return found


@given(TURNS)
def test_overlaps_are_the_seconds_in_which_two_voices_speak(turns: list[tuple[int, int, str]]) -> None:
    voices = [{label for start, length, label in turns if start <= second < start + length} for second in range(80)]
    assert overlap(annotated(turns)).duration() == pytest.approx(sum(len(heard) > 1 for heard in voices))


@given(TURNS)
def test_talk_time_counts_no_second_twice(turns: list[tuple[int, int, str]]) -> None:
    gold = {one.question: one.gold for one in items(annotated(turns))}
    for label in {label for _, _, label in turns}:
        own = [(start, start + length) for start, length, who in turns if who == label]
        seconds = sum(any(a <= second < b for a, b in own) for second in range(80))
        assert gold[f"How long did {label} speak?"] == pytest.approx(seconds)


@pytest.mark.parametrize("name", ["voxconverse/afjiv", "voxconverse/ahnss", "ami_rttm/ES2011a", "ami_rttm/IB4010"])
def test_real_diarizations_are_answered(data: Path, name: str) -> None:
    path = data / f"{name}.rttm"
    found = asked(path)
    assert len(found) >= 12
    assert len(read(path)) == sum(line.startswith("SPEAKER") for line in path.read_text().splitlines())
    wrong = [(one.item.question, one.item.gold, one.reply.value) for one in found if not one.right]
    assert [one for one in wrong if "How long do people" not in one[0]] == []
    assert all(one.abstained for one in found if one.item.kind == BEYOND and not one.right)
