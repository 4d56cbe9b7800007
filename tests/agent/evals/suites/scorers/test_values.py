"""Scorers of values: equal as JSON, sets, orders, and spans, each against an independent count where there is one."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.stats import spearmanr

from agent.evals.suites.scorers.spans import Span, span_iou
from agent.evals.suites.scorers.values import alike, spearman
from tests.agent.evals.suites.made import cited, mark, reply, right

TABLE: list[tuple[str, Any, Any, bool]] = [
    ("value", 1, True, False),
    ("value", True, 1, False),
    ("value", False, 0, False),
    ("value", 0, False, False),
    ("value", 4, 4.0, True),
    ("value", 4, "4", False),
    ("value", 4, [4], False),
    ("value", "B", "B", True),
    ("value", {"target": 41.8, "tolerance": 5}, 45, True),
    ("value", {"target": 41.8, "tolerance": 5}, 47, False),
    ("value", {"target": 41.8, "tolerance": 5}, None, False),
    ("value", {"target": {"a": [1, 2]}}, {"a": [1, 2]}, True),
    ("value", {"target": {"a": [1, 2]}}, {"a": [2, 1]}, False),
    ("value", {"target": {"a": 1}}, {"a": 1, "b": 2}, False),
    ("set", ["Ada", "Ben"], ["Ben", "Ada"], True),
    ("set", ["Ada"], "Ada", True),
    ("set", ["Ada"], ["Ada", "Ada"], False),
    ("set", ["Ada"], ["Ada", "Ben"], False),
    ("set", ["Ada"], [["Ada"]], False),
    ("set", ["Ada"], None, False),
    ("labels", ["Siren", "Applause"], ["siren", "dog"], False),
    ("labels", ["Siren", ["Applause", "Clapping"]], ["siren", "clapping"], True),
    ("labels", ["Siren", "Applause"], ["Applause", "Siren"], False),
    ("labels", {"target": ["Siren"], "mode": "first"}, ["Siren", "Applause"], True),
    ("labels", {"target": ["Siren"], "mode": "first"}, ["Applause", "Siren"], False),
    ("labels", {"target": ["Siren"], "mode": "include"}, ["Applause", "Siren"], True),
    ("labels", {"target": ["Siren", "Dog"], "mode": "include"}, ["Applause", "Siren"], False),
    ("labels", ["Siren"], [], False),
    ("spearman", ["a", "b", "c"], ["a", "b", "c"], True),
    ("spearman", ["a", "b", "c"], ["a", "c", "b"], False),
    ("spearman", {"target": ["a", "b", "c"], "at_least": 0.5}, ["a", "c", "b"], True),
    ("spearman", {"target": ["a", "b", "c"], "at_least": 0.1}, ["a", "c"], False),
    ("spearman", {"target": ["a", "b"], "at_least": 0.1}, ["a", "b", "c"], False),
    ("spearman", {"target": ["a", "b"], "at_least": 0.1}, "a b", False),
    ("spans", [[1, 2]], [[1, 2]], True),
    ("spans", [[1, None]], [[1, 77]], True),
    ("spans", {"target": [[1, 2]], "tolerance": 0.5}, [[1.5, 2.5]], True),
    ("spans", {"target": [[1, 2]], "tolerance": 0.5}, [[1.6, 2]], False),
    ("spans", [[1, 2]], [[1, 2], [5, 6]], False),
    ("spans", [[1, 2], [5, 6]], [[5, 6], [1, 2]], True),
    ("spans", [[1, 2]], "1-2", False),
    ("spans", [[1, 2]], [[1, "2"]], False),
    ("turns", {"target": [[0, 1, "Ada"]], "tolerance": 0.2}, [[0.1, 1.1, "Ada"]], True),
    ("turns", {"target": [[0, 1, "Ada"]], "tolerance": 0.2}, [[0.1, 1.1, "Ben"]], False),
    ("turns", {"target": [[0, 1, "Ada"]], "tolerance": 0.2}, [[True, 1, "Ada"]], False),
    ("span_iou", {"target": [[0, 10]], "at_least": 0.5}, [[0, 6]], True),
    ("span_iou", {"target": [[0, 10]], "at_least": 0.5}, [[0, 4]], False),
    ("span_iou", [[0, 10]], None, False),
]


@pytest.mark.parametrize(("name", "wanted", "value", "passes"), TABLE)
def test_the_table(name: str, wanted: Any, value: Any, passes: bool) -> None:
    assert right(name, wanted, reply("said", value)) is passes


def test_citations_are_touched_or_measured() -> None:
    said = reply("said", citations=cited((1, 2), (5, 6)))
    assert right("cites", [[1.5, 3]], said)
    assert not right("cites", [[2, 3]], said)  # half-open: what ends at 2 does not touch what begins there
    assert right("span_iou", {"target": [[1, 2], [5, 6]], "of": "citations"}, said)
    assert not right("span_iou", {"target": [[1, 2], [5, 6]], "of": "citations", "speaker": "Ada"}, said)
    assert mark("span_iou", [[1, 2]], said).why == "no spans in value"


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12))
def test_spearman_is_that_of_scipy_ties_and_all(pairs: list[tuple[int, int]]) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    if len(set(one)) < 2 or len(set(other)) < 2:
        assert spearman(one, other) == 0
        return
    assert spearman(one, other) == pytest.approx(spearmanr(one, other).statistic)


SPANS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(1, 9)).map(lambda s: (float(s[0]), float(s[0] + s[1]))), max_size=5
)


@given(SPANS, SPANS)
def test_the_iou_is_that_of_counted_seconds(one: list[Span], other: list[Span]) -> None:
    mine, right_ = ({s for a, b in spans for s in range(int(a), int(b))} for spans in (one, other))
    assume(mine or right_)
    assert span_iou(one, other) == pytest.approx(len(mine & right_) / len(mine | right_))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, JSON)
def test_values_are_alike_exactly_when_their_json_is(one: Any, other: Any) -> None:
    import json

    assert alike(one, one)
    assert alike(one, other) == (json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True))
