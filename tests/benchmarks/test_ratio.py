"""A missed floor is named, and the run ends with 1; a missed goal is only told."""

import pytest

from tests.benchmarks import table
from tests.benchmarks.ratio import Ratio


@pytest.mark.parametrize(
    ("ratio", "verdict"),
    [
        (Ratio("a", 3.0, floor=3.0), "held"),
        (Ratio("a", 3.1, floor=3.0), "MISSED"),
        (Ratio("a", 49.9, floor=50, side="at least"), "MISSED"),
        (Ratio("a", 50, floor=50, side="at least"), "held"),
        (Ratio("a", 5.0, floor=25, goal=4), "goal missed"),
        (Ratio("a", 61, goal=60, unit="ms"), "goal missed"),
        (Ratio("a", 1.0), ""),
    ],
)
def test_a_ratio_against_its_bounds(ratio: Ratio, verdict: str) -> None:
    assert ratio.verdict == verdict


def test_the_exit_code_and_the_names_come_from_the_floors(capsys: pytest.CaptureFixture[str]) -> None:
    held, short, missed = Ratio("fine", 1, floor=2), Ratio("slow", 9, goal=3), Ratio("worse", 9, floor=3)
    assert table.verdict([held, short]) == 0
    assert "FLOOR" not in capsys.readouterr().out
    assert table.verdict([held, short, missed]) == 1
    told = capsys.readouterr().out
    assert "FLOOR MISSED: worse: 9 x, floor <= 3 x" in told
    assert "goal missed: slow" in told
    assert "2 of 3 hold" in told


def test_figures_are_short() -> None:
    figures = [Ratio("a", value).figure(value) for value in (0.1234, 12.34, 999.4, 1234.5)]
    assert figures == ["0.123 x", "12.3 x", "999 x", "1,234 x"]
