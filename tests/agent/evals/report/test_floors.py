"""Floors are raised by what becomes better, never lowered, and tell what falls."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.evals.report import floors, found
from agent.evals.report.found import Check, Found, Side, Table

SHARES = st.floats(0, 1, allow_nan=False)
SIDES = st.sampled_from(["at least", "at most", "above"])


@given(st.lists(SHARES, min_size=1), SIDES, st.none() | SHARES)
def test_floors_only_rise_and_what_was_reached_holds(values: list[float], side: Side, bar: float | None) -> None:
    known: dict[str, float] = {}
    for value in values:
        check = Check("a", value, side, bar)
        before, known = known, floors.raised([check], known)
        assert not before or known["a"] == before["a"] or check.better(known["a"], before["a"])
        if known != before:
            assert not list(floors.fallen([check], known))
    best = min(values) if side == "at most" else max(values)
    assert not list(floors.fallen([Check("a", best, side, bar)], known))


@pytest.mark.parametrize(("side", "worse"), [("at least", 0.49), ("at most", 0.51), ("above", 0.49)])
def test_what_falls_is_named(side: Side, worse: float) -> None:
    known = floors.raised([Check("a", 0.5, side)], {})
    (gone,) = floors.fallen([Check("a", worse, side, note="3 items")], known)
    assert str(gone).startswith("a: ")
    assert "3 items" in str(gone)


def test_a_bar_that_is_held_is_its_own_floor() -> None:
    assert floors.raised([Check("a", 0.995, "at least", 0.98)], {}) == {"a": 0.98}
    assert floors.raised([Check("a", 0.97, "at least", 0.98)], {}) == {"a": 0.97}
    assert floors.raised([Check("a", 0.97, "at least", 0.98)], {"a": 0.98}) == {"a": 0.98}


def test_floors_are_read_as_they_were_written(tmp_path: Path) -> None:
    tiers = {"quick": {'order, "clean"': 0.98, "errors": 0.0}, "full": {"a": -12.5}}
    floors.write(tiers, tmp_path / "floors.toml")
    assert floors.read(tmp_path / "floors.toml") == tiers
    assert floors.read(tmp_path / "none.toml") == {}


def test_what_a_part_found_is_read_as_it_was_written(tmp_path: Path) -> None:
    whole = Found((Table("A", ("x", "y"), (("1", "ü|"),), "n"),), (Check("c", 0.5, "above", 0.1, "m"),), "seed 1")
    found.write(whole, tmp_path / "new" / "found.json")
    assert found.read(tmp_path / "new" / "found.json") == whole
