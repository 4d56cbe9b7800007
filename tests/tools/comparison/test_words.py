"""Words that differ are counted as a word error rate counts them, also over the ends of blocks."""

import random
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.record import Segment, Span, Word
from tools.comparison import words
from tools.comparison.words import Change, compare, spoken


def said(text: str, *, step: int = 400, shift: int = 0) -> list[Segment]:
    each = text.split()
    made = tuple(Word(shift + i * step, shift + (i + 1) * step, word) for i, word in enumerate(each))
    return [Segment(shift, shift + len(each) * step, text, None, made)] if made else []


@pytest.mark.parametrize(
    ("before", "after", "counts"),
    [
        ("the stage costs nothing", "The stage, costs nothing!", (4, 0, 0, 0)),
        ("the stage costs nothing", "the sage costs nothing", (3, 1, 0, 0)),
        ("the stage costs nothing", "the costs nothing at all", (3, 0, 1, 2)),
        ("one two", "three", (0, 1, 1, 0)),
        ("", "words from nowhere", (0, 0, 0, 3)),
        ("", "", (0, 0, 0, 0)),
    ],
)
def test_words_are_the_same_changed_missing_or_added(before: str, after: str, counts: tuple[int, ...]) -> None:
    found = compare(said(before), said(after))
    assert (found.same, found.changed, found.missing, found.added) == counts
    assert found.rate == (sum(counts[1:]) / len(before.split()) if before else None)


def test_a_difference_says_where_it_is_and_what_each_wrote() -> None:
    found = compare(said("we keep the food stalls here"), said("we keep the fuel stall here", shift=40))
    assert found.changes == (Change(Span(1_200, 2_040), "food stalls", "fuel stall"),)
    assert found.apart_ms == 40


def test_words_without_times_share_their_segments() -> None:
    (first, second) = spoken([Segment(1_000, 2_000, "no times - here"[:8])])
    assert (first, second) == (Word(1_000, 2_000, "no"), Word(1_000, 2_000, "times"))
    assert compare([Segment(0, 1_000, "no times")], said("no times")).same == 2


def change(text: Sequence[str], rng: random.Random) -> list[str]:
    """Change a tenth of the words, in known numbers."""
    made = []
    for place, word in enumerate(text):
        kind = rng.choice(("changed", "missing", "added")) if place % 10 == 5 else ""
        made += {"changed": [f"x{place}"], "missing": [], "added": [word, f"y{place}"], "": [word]}[kind]
    return made


@pytest.mark.parametrize("block", [40, 200, 100_000])
def test_the_ends_of_blocks_change_no_count(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(0)
    text = [f"w{rng.randrange(300)}" for _ in range(3_000)]
    after = change(text, rng)
    whole = compare(said(" ".join(text)), said(" ".join(after)))
    monkeypatch.setattr(words, "BLOCK", block)
    found = compare(said(" ".join(text)), said(" ".join(after)))
    assert found == whole
    assert found.before - found.same == found.changed + found.missing
    assert found.changed + found.missing + found.added == pytest.approx(300, abs=15)


def test_transcripts_with_nothing_in_common_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(words, "BLOCK", 20)
    one, two = said(" ".join(f"a{i}" for i in range(300))), said(" ".join(f"b{i}" for i in range(500)), step=250)
    found = compare(one, two)
    assert (found.same, found.changed, found.missing, found.added) == (0, 300, 0, 200)
    late = compare(one, said("b c d", shift=900_000))
    assert (late.same, late.changed + late.missing, late.added + late.changed) == (0, 300, 3)


TEXT = st.lists(st.sampled_from("abcd"), max_size=30)


@given(TEXT, TEXT, st.integers(4, 9))
def test_every_word_is_counted_once(one: list[str], two: list[str], block: int) -> None:
    before, words.BLOCK = words.BLOCK, block
    try:
        found = compare(said(" ".join(one)), said(" ".join(two)))
    finally:
        words.BLOCK = before
    assert found.same + found.changed + found.missing == found.before == len(one)
    assert found.same + found.changed + found.added == found.after == len(two)
