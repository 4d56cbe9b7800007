"""Vector retrieval reads windows of at most 200 words, and only those; without names it cannot tell who speaks."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agent.evals.baselines.lines import WORDS, lines, windows, written
from agent.evals.baselines.names import BASELINES, NEEDS_A_MODEL, baseline
from agent.evals.baselines.retrieval import Retrieval, ranked
from agent.evals.worlds.marking import right
from store.errors import UsageError
from tests.agent.evals.baselines.conftest import Asked


@pytest.fixture(autouse=True)
def minilm(weights: Callable[[str], Path]) -> None:
    weights("minilm")


def test_windows_hold_every_line_once_and_at_most_two_hundred_words(clean: Asked) -> None:
    recording = clean.library.recording(clean.recording)
    whole = lines(clean.library.database, recording, speakers=True)
    cut = list(windows(whole))
    assert [line for window in cut for line in window] == whole
    assert len(cut) > 10
    assert all(sum(line.words for line in window) <= WORDS or len(window) == 1 for window in cut)
    assert all(line.text.startswith("[") or ": " in line.text for line in whole)
    plain = lines(clean.library.database, recording, speakers=False)
    assert {type(line.row).__name__ for line in plain} == {"Segment", "Event"}
    assert written(plain) != written(whole)


def test_the_window_nearest_in_meaning_comes_first() -> None:
    texts = ["The cat sleeps on the warm sofa.", "We raised the price of the licence.", "Rain is likely on Friday."]
    assert ranked("How much does it cost?", texts)[0] == 1
    assert ranked("What will the weather be like?", texts)[0] == 2
    assert ranked("What?", []) == []


def test_it_finds_single_facts_and_cannot_count_what_it_does_not_read(clean: Asked) -> None:
    few = Retrieval(speakers=True, top=5, name="B2s")
    chosen = [item for item in clean.items if item.family in ("duration", "options")]
    replies = [(item, few(clean.library, clean.recording, item.question)) for item in chosen]
    totals = [right(i, r) for i, r in replies if i.family == "duration" and i.question.endswith("speak?")]
    facts = [right(i, r) for i, r in replies if i.family == "options" and i.status == "answered"]
    assert not any(totals)
    assert any(facts)
    whole = Retrieval(speakers=True, top=10**6)
    assert sum(right(i, whole(clean.library, clean.recording, i.question)) for i, _ in replies) > sum(
        right(i, r) for i, r in replies
    )


def test_without_names_nobody_is_told_apart(clean: Asked) -> None:
    reply = Retrieval()(clean.library, clean.recording, "How many people speak?")
    assert reply.status == "not_found"
    by_another = [i for i in clean.items if i.kind == "said by another" and i.family == "options"]
    assert by_another
    plain = [Retrieval(top=40)(clean.library, clean.recording, item.question).status for item in by_another]
    named = [Retrieval(True, 40)(clean.library, clean.recording, item.question).status for item in by_another]
    assert "answered" in plain
    assert set(named) == {"not_found"}


def test_what_needs_a_model_says_so() -> None:
    for name in NEEDS_A_MODEL:
        with pytest.raises(UsageError, match="needs a model"):
            baseline(name)
    with pytest.raises(UsageError, match="there is no baseline 'B9'"):
        baseline("B9")
    assert all(baseline(name) is made for name, made in BASELINES.items())
