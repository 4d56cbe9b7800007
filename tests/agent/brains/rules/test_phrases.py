"""The parts of sentences: each says what a call was limited to, and an absence never says more than was looked at."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.brains.rules.phrases import did, listed, missing, nothing, scope, small, span, verb
from tests.tools.made import plan
from tools.emotion.query import EmotionQuery
from tools.events.query import EventsQuery
from tools.speaker.query import SpeakerQuery
from tools.stream import StreamQuery
from tools.transcript.query import TranscriptQuery


@given(st.lists(st.text("abc", min_size=1), max_size=12), st.integers(1, 10))
def test_a_list_names_the_first_and_counts_the_rest(items: list[str], most: int) -> None:
    parts = listed(items, most=most).replace(" and ", ", ").split(", ") if items else []
    left = len(items) - most
    assert parts == items[:most] + ([f"{left} more"] if left > 0 else [])


@pytest.mark.parametrize(
    ("number", "word", "form"),
    [(1, "speaks", "speaks"), (2, "speaks", "speak"), (2, "is", "are"), (1, "was", "was"), (0, "was", "were")],
)
def test_a_verb_agrees_with_those_who_do_it(number: int, word: str, form: str) -> None:
    assert verb(number, word) == form


SAID: dict[str, Any] = {"keywords": ["budget"]}
FOUND: list[tuple[StreamQuery, str, str]] = [
    (TranscriptQuery(**SAID), "“budget” is mentioned", "“budget” is not in the transcript"),
    (TranscriptQuery(**SAID, speaker="Ada"), "Ada mentions “budget”",
     "“budget” is not in the transcript of what Ada says"),
    (TranscriptQuery(keywords=["red", "blue"]), "“red” or “blue” is mentioned",
     "“red” or “blue” is not in the transcript"),
    (TranscriptQuery(keywords=["red", "blue"], match="all"), "“red” and “blue” are mentioned",
     "“red” and “blue” are not together in the transcript"),
    (TranscriptQuery(keywords=["red", "blue"], match="phrase"), "“red blue” is mentioned",
     "“red blue” is not in the transcript"),
    (TranscriptQuery(**SAID, nth=3), "“budget” is mentioned the 3rd time",
     "“budget” is not a 3rd time in the transcript"),
    (TranscriptQuery(speaker="Ada"), "Ada speaks", "Ada was not heard to speak"),
    (SpeakerQuery(), "Somebody speaks", "Nobody speaks"),
    (SpeakerQuery(names=["Ada", "Ben"]), "Ada and Ben speak", "Ada and Ben were not heard to speak"),
    (SpeakerQuery(min_talk=90), "Somebody speaks for 90 s or more", "Nobody speaks for 90 s or more"),
    (SpeakerQuery(names=["Ada"], nth=11), "Ada speaks the 11th time", "Ada was not heard to speak an 11th time"),
    (SpeakerQuery(names=["Ada"], nth=-1), "Ada speaks the last time", "Ada was not heard to speak"),
    (SpeakerQuery(nth=-22), "Somebody speaks the 22nd last time", "Nobody speaks a 22nd time"),
    (EventsQuery(), "A sound was heard", "No sound event was heard"),
    (EventsQuery(labels=["bell"]), "“bell” was heard", "“bell” was not among the sounds heard"),
    (EventsQuery(labels=["bell"], nth=2), "“bell” was heard the 2nd time", "“bell” was not heard a 2nd time"),
    (EmotionQuery(speaker="Ada"), "Ada sounds some way", "No emotion of Ada was heard"),
    (EmotionQuery(labels=["anger", "furious"]), "Somebody sounds angry", "Nobody was heard to sound angry"),
]  # fmt: skip


@pytest.mark.parametrize(("query", "found", "none"), FOUND, ids=lambda value: value if isinstance(value, str) else "")
def test_what_was_found_and_what_was_not(query: StreamQuery, found: str, none: str) -> None:
    assert did(query) == found
    assert missing(query, " after 1:00") == f"{none} after 1:00"


def test_who_did_it_is_named_where_a_call_is_limited_to_nobody() -> None:
    assert did(EmotionQuery(labels=["anger"]), ["Ada", "Ben"]) == "Ada and Ben sound angry"
    assert did(EmotionQuery(labels=["anger"], speaker="Ada"), ["Ben"]) == "Ada sounds angry"


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        (None, None, ""),
        (0, None, " after 0:00"),
        (90, 3_661, " between 1:30 and 1:01:01"),
        (None, 90, " before 1:30"),
        (-60, None, " in the last 1:00"),
        (-60, -30, " between 1:00 from the end and 0:30 from the end"),
        (None, -30, " before 0:30 from the end"),
    ],
)
def test_a_stretch(start: float | None, end: float | None, words: str) -> None:
    assert span(SpeakerQuery(start=start, end=end)) == words


@pytest.mark.parametrize(
    ("partner", "join", "words"),
    [
        (("events", {"labels": ["bell"]}), {}, " during the “bell”"),
        (("events", {"labels": ["bell"], "nth": 3}), {"relation": "right_after"}, " right after the 3rd “bell”"),
        (("events", {"nth": -1}), {"relation": "before"}, " before the last sound"),
        (("events", {}), {"kind": "without"}, " not during a sound"),
        (("transcript", {**SAID, "speaker": "Ada"}), {}, " while talking about “budget”"),
        (("transcript", {**SAID, "speaker": "Ben"}), {}, " while Ben mentions “budget”"),
        (("speaker", {"names": ["Ben"]}), {"relation": "nearest"}, " close to where Ben speaks"),
        (("speaker", {}), {}, " while somebody speaks"),
    ],
    ids=str,
)
def test_a_relation_to_a_partner(partner: tuple[str, dict[str, Any]], join: dict[str, str], words: str) -> None:
    asked = plan(("transcript", {"speaker": "Ada", "keywords": ["red"]}), partner, joins=[{"stream": "b"} | join])
    assert scope(asked) == words
    assert nothing(asked) == f"“red” is not in the transcript of what Ada says{words}"


def test_names_keep_their_capitals_within_a_sentence() -> None:
    assert [small(text) for text in ("Nobody speaks", "Ada speaks", "“Red” is")] == [
        "nobody speaks",
        "Ada speaks",
        "“Red” is",
    ]
