"""Confidence is what it says: on fresh worlds under noise, what is stated at p is right about p of the time."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from agent.evals.statistics.calibration import by_bin, ece
from agent.evals.worlds.calibration import Rated, fit, ratings
from agent.evals.worlds.noise import FIELD, PAPER, Noise
from agent.evals.worlds.world import Spec
from agent.graph.confidence import TABLE, Features, by_table, confidence

SURE = Features("who", 0.95, 0.95, 3, False)
BOUND = 0.12


def test_fresh_worlds_hold_the_bound(tmp_path: Path) -> None:
    noises = [Noise(words=0.02), PAPER, replace(FIELD, seed=5, words=0.2, confused=0.12)]
    rated = list(ratings(tmp_path, [Spec(9_001, 6, 4)], noises))
    pairs = [(found.stated, found.right) for found in rated]
    assert len(pairs) > 120
    assert ece(pairs) < BOUND
    high = [right for stated, right in pairs if stated > 0.9]
    low = [right for stated, right in pairs if stated < 0.6]
    assert sum(high) / len(high) > 0.85 > sum(low) / len(low)


@pytest.mark.parametrize("kind", ["count", "who", "when", "zero", "not_found", "refused_rows", "a new family"])
def test_worse_rows_never_make_a_reply_more_sure(kind: str) -> None:
    base = replace(SURE, kind=kind)
    for worse in (replace(base, score=0.5), replace(base, health=0.5), replace(base, widened=True)):
        assert confidence(worse) <= confidence(base)
    assert confidence(replace(base, health=0.8, rows=200)) <= confidence(replace(base, health=0.8))
    assert 0 < confidence(base) < 1


def test_the_shipped_figures_are_those_of_the_shipped_table() -> None:
    table = json.loads(TABLE.read_text(encoding="utf-8"))
    assert table["figures"]["fresh seeds"]["ece"] < 0.05
    assert table["figures"]["fresh seeds and levels"]["ece"] < 0.06
    assert all(weight >= 0 for weights in table["weights"].values() for weight in weights)
    assert set(table["weights"]) == {"lists", "wholes", "picks", "absent"}
    for kind in (kind for kind in table["kinds"] if kind != "other"):
        sure = replace(SURE, kind=kind)
        assert by_table(sure, table) >= by_table(replace(sure, score=0.3), table)
        assert by_table(sure, table) >= by_table(replace(sure, health=0.3), table)


def test_a_fit_finds_what_is_right_how_often() -> None:
    many = [
        Rated(replace(SURE, score=s), 0.5, n % 10 < tenths) for s, tenths in ((0.3, 2), (0.9, 9)) for n in range(400)
    ]
    table = fit(many)
    assert abs(by_table(replace(SURE, score=0.3), table) - 0.2) < 0.05
    assert abs(by_table(replace(SURE, score=0.9), table) - 0.9) < 0.05


def test_the_error_is_the_weighted_gap_of_the_bins() -> None:
    pairs = [(0.95, True)] * 8 + [(0.95, False)] * 2 + [(0.25, False)] * 10
    assert ece(pairs) == pytest.approx((abs(9.5 - 8) + 2.5) / 20)
    size, stated, right = by_bin(pairs)["0.9"]
    assert (size, round(stated, 2), right) == (10, 0.95, 0.8)
