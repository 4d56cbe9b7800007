"""Stretches are joined at their seams, whatever their order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.errors import UsageError
from store.record import Event
from tools.events.recogniser import load, merge

EVENTS = st.lists(
    st.builds(
        lambda t0, length, label: Event(t0, t0 + length, label, 0.5),
        st.integers(0, 60), st.integers(1, 20), st.sampled_from(["Siren", "Dog"]),
    )
)  # fmt: skip


def covered(events: list[Event], label: str, gap: int) -> set[int]:
    """Milliseconds of a label, with pauses of at most `gap` counted in: the definition, slowly."""
    heard = {ms for event in events if event.label == label for ms in range(event.t0, event.t1)}
    ordered = sorted(heard)
    pauses = zip(ordered, ordered[1:], strict=False)
    return heard | {ms for a, b in pauses if b - a - 1 <= gap for ms in range(a, b)}


@given(EVENTS, st.integers(0, 8))
def test_merging_covers_what_was_heard_and_the_short_pauses(events: list[Event], gap: int) -> None:
    merged = merge(events, gap)
    for label in ("Siren", "Dog"):
        mine = [event for event in merged if event.label == label]
        assert covered(mine, label, 0) == covered(events, label, gap)
        assert all(after.t0 - before.t1 > gap for before, after in zip(mine, mine[1:], strict=False))
    assert merged == sorted(merged, key=lambda event: event.t0)
    assert merge(list(reversed(events)), gap) == merged


def test_the_higher_score_is_kept() -> None:
    assert merge([Event(0, 10, "Siren", 0.6), Event(12, 20, "Siren", 0.9)], 5) == [Event(0, 20, "Siren", 0.9)]


def test_an_unknown_recogniser_says_which_exist() -> None:
    with pytest.raises(UsageError, match="yamnet"):
        load("nobody")
