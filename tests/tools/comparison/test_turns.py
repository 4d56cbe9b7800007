"""The error of one version of the turns against another is the field's own figure."""

import random
from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyannote.core import Annotation, Segment
from pyannote.metrics.diarization import DiarizationErrorRate

from store.record import Turn
from tools.comparison.turns import compare, paired

TURNS = st.lists(
    st.tuples(st.integers(0, 60), st.integers(1, 20), st.sampled_from("ABCD")).map(
        lambda made: Turn(made[0] * 100, (made[0] + made[1]) * 100, made[2])
    ),
    max_size=12,
)


def annotation(turns: list[Turn]) -> Annotation:
    made = Annotation()
    for number, turn in enumerate(turns):
        made[Segment(turn.t0 / 1000, turn.t1 / 1000), number] = turn.speaker
    return made.support()


@settings(max_examples=150)
@given(TURNS, TURNS)
def test_the_figures_are_those_of_pyannote_metrics(before: list[Turn], after: list[Turn]) -> None:
    metric = DiarizationErrorRate(collar=0.0)
    wanted = metric.compute_components(annotation(before), annotation(after), uem=Segment(0, 100))
    found = compare(before, after)
    assert found.speech == round(wanted["total"] * 1000)
    assert found.missed == round(wanted["missed detection"] * 1000)
    assert found.added == round(wanted["false alarm"] * 1000)
    assert found.confused == round(wanted["confusion"] * 1000)


def test_other_names_for_the_same_voices_are_no_difference() -> None:
    before = [Turn(0, 4_000, "Ada"), Turn(4_000, 9_000, "Ben")]
    found = compare(before, [Turn(0, 4_000, "SPEAKER_01"), Turn(4_000, 9_000, "SPEAKER_00")])
    assert found.rate == 0
    assert found.pairs == (("Ada", "SPEAKER_01"), ("Ben", "SPEAKER_00"))


def test_nobody_speaks() -> None:
    assert compare([], []).rate is None
    assert compare([], [Turn(0, 1_000, "A")]).added == 1_000


@pytest.mark.parametrize("sizes", [(1, 4), (4, 1), (5, 5), (3, 6)])
def test_pairs_share_most(sizes: tuple[int, int]) -> None:
    one, two = [f"a{i}" for i in range(sizes[0])], [f"b{i}" for i in range(sizes[1])]
    rng = random.Random(sum(sizes))
    shared = Counter({(a, b): rng.randrange(100) for a in one for b in two})
    pairs = paired(one, two, shared)
    few, many = (one, two) if len(one) <= len(two) else (two, one)
    best = max(
        sum(shared[(a, b) if few is one else (b, a)] for a, b in zip(few, chosen, strict=True))
        for chosen in permutations(many, len(few))
    )
    assert sum(shared[pair] for pair in pairs.items()) == best
