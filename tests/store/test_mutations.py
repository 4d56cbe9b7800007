"""A quick share of the mutations with every test run; `python -m tests.store.mutations 5000` makes the whole."""

from pathlib import Path

from tests.store.mutations import run


def test_no_mutation_leaks_crashes_or_lasts(tmp_path: Path) -> None:
    outcomes = run(1000, seed=2, folder=tmp_path / "meetings")
    assert outcomes.total() == 1000
    assert outcomes["ran"] > 50, "hardly any mutation is legal: the generator tests nothing but the parser"
