"""Where a word is put that attention found: in the recording, within its segment, without the silence before it."""

import pytest

from store.record import Word
from tools.transcript.recognisers.alignment import LONGEST, placed


@pytest.mark.parametrize(
    ("found", "place"),
    [
        ((10_500, 10_900), (10.5, 10.9)),
        ((10_000, 14_000), (14.0 - LONGEST, 14.0)),
        ((14_900, 15_300), (14.9, 15.0)),
        ((15_200, 15_300), (15.0, 15.0)),
    ],
    ids=["inside", "after silence", "over the end", "beyond the end"],
)
def test_a_word_lies_within_its_segment_and_is_no_longer_than_words_are(
    found: tuple[int, int], place: tuple[float, float]
) -> None:
    word = placed(Word(*found, "so", 0.5), 15.0)
    assert (word["start"], word["end"]) == pytest.approx(place)
    assert (word["word"], word["score"]) == ("so", 0.5)
