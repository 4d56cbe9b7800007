"""What a denial is worth is told only where it was measured, by how well the segments were heard at first."""

import pytest

from store.record import Span
from tools.again.likely import Likely
from tools.again.recall import LEAST, Recall, _table, recall_of

TABLE = (Recall(0.0, 0.5, 20, 8), Recall(0.5, 0.8, LEAST - 1, 9), Recall(0.8, 1.01, 40, 36))


def segment(score: float | None, seconds: int = 4) -> Likely:
    return Likely(1, 1, "Mumble.", Span(0, seconds * 1000), 0, "Marisol", ("Mumble.",), ((0, 1),), score, "en", 1.0)


@pytest.mark.parametrize(
    ("scores", "share"),
    [([0.2], 0.4), ([0.49, None], 0.4), ([0.6], None), ([1.0], 0.9), ([None], None), ([], None)],
)
def test_the_share_is_that_of_segments_heard_as_well_and_none_where_too_few_were_planted(
    scores: list[float | None], share: float | None
) -> None:
    found = recall_of([segment(score) for score in scores], TABLE)
    assert (None if found is None else found.share) == share


def test_a_long_segment_weighs_more_than_a_short_one() -> None:
    found = recall_of([segment(0.9, 9), segment(0.1, 1)], TABLE)
    assert found is not None
    assert found.share == 0.9


def test_the_shipped_table_covers_all_scores_without_gaps_and_claims_no_more_than_was_planted() -> None:
    table = _table()
    assert (table[0].low, table[-1].high > 1) == (0.0, True)
    assert [row.high for row in table[:-1]] == [row.low for row in table[1:]]
    assert all(0 <= row.found <= row.planted for row in table)
