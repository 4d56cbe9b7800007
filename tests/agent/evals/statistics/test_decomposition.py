"""Each lost item is put down to one stage, by the definitions, and the losses add up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.evals.statistics.decomposition import STAGES, Record, Stage, decompose

OUTCOMES = st.sampled_from(["right", "wrong", "unreadable"])
RECORDS = st.builds(Record, OUTCOMES, OUTCOMES, OUTCOMES, st.booleans(), st.sampled_from([0.0, 0.5, 1.0]))


@pytest.mark.parametrize(
    ("record", "stage"),
    [
        (Record("right", "right", "right", True, 1.0), None),
        (Record("wrong", "wrong", "wrong", True, 1.0), "judgement"),
        (Record("unreadable", "right", "wrong", True, 1.0), "form"),
        (Record("right", "wrong", "wrong", True, 1.0), "perception"),
        (Record("right", "unreadable", "unreadable", False, 0.0), "perception"),
        (Record("right", "right", "wrong", False, 1.0), "plan"),
        (Record("right", "right", "unreadable", False, 0.0), "plan"),
        (Record("right", "right", "wrong", True, 0.5), "retrieval"),
        (Record("right", "right", "wrong", True, 1.0), "judgement"),
        (Record("right", "right", "unreadable", True, 1.0), "form"),
        # What is right in the end is not lost, whatever broke before.
        (Record("wrong", "wrong", "right", False, 0.0), None),
    ],
)
def test_the_first_stage_that_broke_is_blamed(record: Record, stage: Stage | None) -> None:
    assert record.lost_to == stage
    assert record.lucky == (record.end == "right" and not record.planned)


@given(st.lists(RECORDS, min_size=1, max_size=60))
def test_losses_add_up(records: list[Record]) -> None:
    found = decompose(records)
    assert found.end + sum(found.lost.values()) == pytest.approx(1)
    assert set(found.lost) == set(STAGES)
    assert found.readable >= found.end
    assert found.lucky <= found.end
    assert len(found.lines()) == 4 + len(STAGES)


@given(st.lists(RECORDS, min_size=1, max_size=30))
def test_what_would_be_gained_by_mending_a_stage_is_never_less_than_nothing(records: list[Record]) -> None:
    sound = [Record(r.topline, r.topline, r.topline, True, 1.0) for r in records]
    found = decompose(sound)
    assert found.lost["perception"] == found.lost["plan"] == found.lost["retrieval"] == 0
    assert found.end == found.topline == decompose(records).topline


def test_nothing_is_not_decomposed() -> None:
    with pytest.raises(ValueError, match="nothing"):
        decompose([])
