"""Waits of a test's own thread, noted and cut short; those of threads that work beside it stay as long as they are."""

import threading
import time

import pytest

_sleep = time.sleep


def cut_short(monkeypatch: pytest.MonkeyPatch, longest: float = 0.0) -> list[float]:
    """Sleep at most `longest` seconds in this thread; give the list of what was asked for, in seconds."""
    own = threading.get_ident()
    asked: list[float] = []

    def sleep(seconds: float) -> None:
        if threading.get_ident() == own:
            asked.append(seconds)
            seconds = min(seconds, longest)
        _sleep(seconds)

    monkeypatch.setattr(time, "sleep", sleep)
    return asked
