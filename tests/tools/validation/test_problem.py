"""The stretch of a call in words says where it begins and ends."""

import pytest

from tools.emotion.query import EmotionQuery
from tools.events.query import EventsQuery
from tools.speaker.query import SpeakerQuery
from tools.transcript.query import TranscriptQuery
from tools.validation.problem import labels_of, names_of, stretch, told


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        (None, None, "in the recording"),
        (0, None, "in the recording"),
        (90, None, "after 1:30"),
        (None, 90, "before 1:30"),
        (0, 90, "before 1:30"),
        (60, 3_661, "between 1:00 and 1:01:01"),
        (-60, None, "in the last 1:00"),
        (-60, -30, "in the last 1:00 but the last 0:30"),
        (-60, 90, "in the last 1:00, before 1:30"),
        (None, -30, "before the last 0:30"),
        (90, -30, "after 1:30 and before the last 0:30"),
    ],
)
def test_a_stretch_in_words(start: float | None, end: float | None, words: str) -> None:
    query = SpeakerQuery(start=start, end=end)
    assert told(query) == words
    assert stretch(query) == {k: v for k, v in (("start", start), ("end", end)) if v is not None}


def test_whom_and_what_a_call_is_limited_to() -> None:
    assert names_of(SpeakerQuery(names=["Ada", "Ben"])) == ("Ada", "Ben")
    assert names_of(TranscriptQuery(keywords=["x"], speaker="Ada")) == ("Ada",)
    assert names_of(TranscriptQuery(keywords=["x"])) == names_of(EventsQuery()) == ()
    assert labels_of(EventsQuery(labels=["Bell"])) == ("Bell",)
    assert labels_of(EmotionQuery(labels=["anger", "fear"])) == ("anger", "fear")
    assert labels_of(SpeakerQuery()) == ()
