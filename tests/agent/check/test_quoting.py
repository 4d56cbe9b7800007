"""What a diff shows: the words that were said instead, also at either end of a quote."""

from pathlib import Path

import pytest

from store.database import Database
from tests.agent.check.ship import checked


@pytest.mark.parametrize(
    ("quote", "instead"),
    [
        ("The pension fund needs another four hundred and five thousand euros by May", "march"),
        ("The museum opens at half past eight", "nine"),
        ("Nobody asked me about the orchard again", "before"),
        ("Everybody asked me about the orchard before", "nobody"),
        ("the bridge was never safe, and we knew it in 2018 already", "2019"),
    ],
)
def test_a_changed_word_stands_beside_what_was_said(tmp_path: Path, quote: str, instead: str) -> None:
    (claim,) = checked(Database.open(tmp_path), f"They said “{quote}”.").claims
    assert claim.verdict == "altered"
    assert any(change.kind == "said" and instead in change.text.casefold() for change in claim.diff)


def test_words_that_only_end_too_early_are_not_altered(tmp_path: Path) -> None:
    (claim,) = checked(Database.open(tmp_path), "They said “Nobody asked me about the orchard”.").claims
    assert (claim.verdict, claim.diff) == ("verbatim", ())
