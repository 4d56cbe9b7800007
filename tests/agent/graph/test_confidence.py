"""How sure a reply is can only fall with worse scores, weaker streams and wider searches, for every kind of reply."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.ask import ask
from agent.graph.confidence import ABSENT, EITHER, NOT_UNDERSTOOD, Features, by_table, confidence
from tests.agent.graph.talk import talk

KINDS = st.sampled_from(["count", "when", "who", "quote", "duration", "share", "emotion", "text", "no such", *ABSENT])
SHARES = st.floats(0, 1)
FEATURES = st.builds(Features, KINDS, SHARES, SHARES, st.integers(0, 5_000), st.booleans())


@given(FEATURES, SHARES, SHARES)
def test_nothing_that_is_worse_makes_surer(found: Features, score: float, health: float) -> None:
    worse = Features(found.kind, min(found.score, score), min(found.health, health), found.rows, True)
    assert 0 < confidence(worse) <= confidence(found) + 1e-12
    assert confidence(found) < 1


@given(FEATURES, st.integers(0, 5_000))
def test_more_rows_of_an_unsure_stream_are_not_surer(found: Features, rows: int) -> None:
    more = Features(found.kind, found.score, found.health, found.rows + rows, found.widened)
    assert confidence(more) <= confidence(found) + 1e-12


@pytest.mark.parametrize(
    ("kind", "slopes"),
    [("count", "lists"), ("order", "wholes"), ("not_found", "absent"), ("zero", "absent"), ("who", "picks")],
)
def test_which_weights_a_kind_of_reply_is_rated_by(kind: str, slopes: str) -> None:
    found = Features(kind, 0.9, 0.9, 3, False)
    assert found.slopes == slopes
    weights = {name: [0, 0, 0, int(name == slopes)] for name in ("lists", "wholes", "absent", "picks")}
    table = {"kinds": {"other": 0.0}, "weights": weights}
    assert by_table(found, table) == 0.5
    assert by_table(Features(kind, 0.9, 0.9, 3, True), table) < 0.5


def test_a_weak_stream_and_a_question_that_was_not_understood_are_rated_so(tmp_path: Path) -> None:
    sound, weak = talk(tmp_path / "a"), talk(tmp_path / "b", health={"transcript": 0.4})
    question = "How often was the train mentioned?"
    assert ask(weak, question).confidence < ask(sound, question).confidence
    unread = ask(sound, "The train, furiously, would it be so or thus?")
    assert unread.confidence <= NOT_UNDERSTOOD


def test_who_calls_somebody_else_by_their_own_name_is_one_or_the_other(tmp_path: Path) -> None:
    lines = ((0, 4_000, 0, "Thank you, Anna. The train is late."), (4_100, 9_000, 1, "So is the budget."))
    reply = ask(talk(tmp_path, lines=lines), "What did Anna say about the train?")
    assert any("may not be Anna" in caveat for caveat in reply.caveats)
    assert reply.confidence <= EITHER
