"""Words are compared by their stems; a clause that is nearly a text's own must not turn what it says."""

import pytest

from agent.graph.stems import differs, share, stems, words_of

SAID = ("We do not sell the orchard this year, because the price is low.",)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("the budgets", "budget"),
        ("planned parties", "plan party"),
        ("running", "run"),
        ("Anna's orchard", "orchards Anna"),
    ],
)
def test_forms_of_a_word_have_one_stem(one: str, other: str) -> None:
    assert stems(one) == stems(other) != frozenset()


@pytest.mark.parametrize("name", ["reporting", "denials"])
def test_words_of_the_table_are_no_content(name: str) -> None:
    assert len(words_of(name)) > 10
    assert stems(" ".join(words_of(name))) == frozenset()


def test_the_share_is_of_the_sentences_own_words() -> None:
    assert share(stems("orchard price"), SAID) == 1
    assert share(stems("orchard rent"), SAID) == 0.5
    assert share(frozenset(), SAID) == 0


@pytest.mark.parametrize(
    ("sentence", "other"),
    [
        ("They do not sell the orchard this year.", False),
        ("They sell the orchard this year.", True),
        ("They never sell the orchard this year.", False),
        ("They do not sell the meadow this year.", True),
        ("The rent is high.", False),
    ],
)
def test_a_clause_that_nearly_repeats_another_may_not_turn_it(sentence: str, other: bool) -> None:
    assert differs(sentence, SAID) is other


def test_a_joint_ends_a_clause_and_so_a_denial() -> None:
    assert not differs("The price is low and they do not sell the orchard this year.", SAID)
    assert words_of("joints") >= {"and", "so that"}
