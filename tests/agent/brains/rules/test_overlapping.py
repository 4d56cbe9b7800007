"""Speech that overlaps is no other question of speech: neither the longest silence nor how many people speak."""

import pytest

from agent.brains.protocol import Question
from agent.brains.rules.brain import RulesBrain
from store.catalog import Catalog
from store.database import Database
from tests.agent.brains.rules.small import small_catalog


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    return small_catalog(Database.open(tmp_path_factory.mktemp("library")))


PAIR = {"names": ["Anna", "Ben"]}


@pytest.mark.parametrize(
    ("wording", "asked"),
    [
        ("For how long is there overlapping speech?", {}),
        ("How much overlapping speech is there?", {}),
        ("How much do the speakers overlap?", {}),
        ("How long do the voices overlap?", {}),
        ("For how long do people overlap?", {}),
        ("How long do people talk at the same time?", {}),
        ("How many seconds do people talk over each other?", {}),
        ("How long did people speak simultaneously?", {}),
        ("How much overlap is there?", {}),
        ("What is the total duration of overlap?", {}),
        ("How much crosstalk is there?", {}),
        ("How long do Anna and Ben talk at the same time?", PAIR),
        ("For how many seconds do Anna and Ben overlap?", PAIR),
        ("How long do people overlap between 1:00 and 2:00?", {"start": 60, "end": 120}),
        ("Combien de temps les gens parlent-ils en même temps ?", {}),
    ],
)
def test_how_long_speech_overlaps_is_the_time_of_two_voices_at_once(
    wording: str, asked: dict[str, object], small: Catalog
) -> None:
    planned = RulesBrain().plan(Question(wording), small, None)
    assert planned.understood
    speaker, fuse = (call["args"] for call in planned.tool_calls)
    assert speaker == asked
    assert fuse == {"anchor": "speaker_1", "aggregate": "overlap_duration", "answer_schema": "duration"}


@pytest.mark.parametrize(
    ("wording", "asked"),
    [
        ("How often do people talk over each other?", {}),
        ("How many times do people speak at the same time?", {}),
        ("How often do Anna and Ben talk over each other?", PAIR),
        ("How many overlaps are there?", {}),
    ],
)
def test_how_often_speech_overlaps_counts_the_stretches(wording: str, asked: dict[str, object], small: Catalog) -> None:
    planned = RulesBrain().plan(Question(wording), small, None)
    speaker, fuse = (call["args"] for call in planned.tool_calls)
    assert speaker == asked
    assert fuse == {"anchor": "speaker_1", "aggregate": "overlaps", "answer_schema": "count"}


@pytest.mark.parametrize(
    "wording",
    [
        "How many people speak at the same time?",
        "How long does the longest overlap last?",
        "How long do Anna and Ben talk to each other?",
        "How often do three people talk at once?",
    ],
)
def test_other_questions_of_overlaps_are_not_taken_for_these(wording: str, small: Catalog) -> None:
    planned = RulesBrain().plan(Question(wording), small, None)
    assert all("overlap" not in call["args"].get("aggregate", "none") for call in planned.tool_calls)


@pytest.mark.parametrize(
    ("wording", "family"), [("When is there overlapping speech?", "when"), ("Is there overlapping speech?", "yes_no")]
)
def test_whether_and_when_speech_overlaps_is_found(wording: str, family: str, small: Catalog) -> None:
    fuse = RulesBrain().plan(Question(wording), small, None).tool_calls[-1]["args"]
    assert fuse["answer_schema"] == family
    assert [join["voice"] for join in fuse["joins"]] == ["other"]
