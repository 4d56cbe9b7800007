"""Ids are joined by words, by name, by elimination, and never two of one chunk."""

from hypothesis import given
from hypothesis import strategies as st

from tools.transcript.interview.grouping import Who, groups

IDS: list[Who] = [(0, "1"), (0, "2"), (1, "1"), (1, "2")]
WHO = st.tuples(st.integers(0, 3), st.sampled_from("123"))


def test_one_word_is_none_but_two_are_and_the_others_are_left() -> None:
    assert groups(IDS, {}, {((0, "1"), (1, "2")): 1}) == [[who] for who in IDS]
    assert groups(IDS, {}, {((0, "1"), (1, "2")): 2}) == [[(0, "1"), (1, "2")], [(0, "2"), (1, "1")]]


def test_names_that_differ_are_not_joined_by_elimination() -> None:
    names = {(0, "2"): "Luc", (1, "1"): "Zoé"}
    assert groups(IDS, names, {((0, "1"), (1, "2")): 5}) == [[(0, "1"), (1, "2")], [(0, "2")], [(1, "1")]]


def test_a_third_voice_is_nobodys() -> None:
    assert groups([*IDS, (1, "3")], {}, {((0, "1"), (1, "1")): 9}) == [
        [(0, "1"), (1, "1")], [(0, "2")], [(1, "2")], [(1, "3")],
    ]  # fmt: skip


@given(
    st.sets(WHO),
    st.dictionaries(WHO, st.sampled_from(["Anne", "anne", "Luc"])),
    st.dictionaries(st.tuples(WHO, WHO), st.integers(0, 9)),
)
def test_every_id_is_in_one_group_and_no_chunk_twice(
    known: set[Who], names: dict[Who, str], same: dict[tuple[Who, Who], int]
) -> None:
    found = groups(sorted(known), names, same)
    assert sorted(who for group in found for who in group) == sorted(known)
    assert all(len({chunk for chunk, _ in group}) == len(group) for group in found)
