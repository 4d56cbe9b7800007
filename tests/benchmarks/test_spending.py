"""A command's cost is told once it has ended, and one that fails says so; neither leaves a process behind."""

import gc
import sys

import pytest

from tests.benchmarks.spending import run


def test_what_a_command_used_is_told_and_it_is_done() -> None:
    wall, used = run([sys.executable, "-c", "sum(range(10**6))"])
    assert 0 < used.ru_utime <= wall + 1
    gc.collect()  # a process that is taken for running would warn here, and warnings are errors


def test_a_command_that_fails_is_named() -> None:
    with pytest.raises(RuntimeError, match="ended with 3"):
        run([sys.executable, "-c", "raise SystemExit(3)"])
    gc.collect()
