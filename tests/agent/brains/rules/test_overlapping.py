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


@pytest.mark.parametrize(
    "wording",
    [
        "For how long is there overlapping speech?",
        "How much overlapping speech is there?",
        "How much do the speakers overlap?",
        "How long do the voices overlap?",
    ],
)
def test_how_long_speech_overlaps_is_taken_for_nothing_else(wording: str, small: Catalog) -> None:
    planned = RulesBrain().plan(Question(wording), small, None)
    assert planned.read_as is None
    assert all(call["args"].get("aggregate", "none") == "none" for call in planned.tool_calls)


@pytest.mark.parametrize(
    ("wording", "family"), [("When is there overlapping speech?", "when"), ("Is there overlapping speech?", "yes_no")]
)
def test_whether_and_when_speech_overlaps_is_found(wording: str, family: str, small: Catalog) -> None:
    fuse = RulesBrain().plan(Question(wording), small, None).tool_calls[-1]["args"]
    assert fuse["answer_schema"] == family
    assert [join["voice"] for join in fuse["joins"]] == ["other"]
