"""What a relation's values say: how far it reaches, whether one partner or all, which class of rows is walked."""

from typing import get_args

import pytest

from store.link import SPLIT_MS, TAU_MS, Link, Relation

RELATIONS: tuple[Relation, ...] = get_args(Relation)
NEAR = ("nearest", "nearest_midpoint", "right_after")


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("tolerance", [None, 0, 1, 86_400_000])
def test_slack_is_what_was_said_else_what_is_usual(relation: Relation, tolerance: int | None) -> None:
    slack = Link("rows", relation, 1_000, tolerance).slack
    if tolerance is not None:
        assert slack == tolerance
    elif relation in ("before", "after"):
        assert slack is None
    else:
        assert slack == (TAU_MS if relation in NEAR else 0)


@pytest.mark.parametrize("relation", RELATIONS)
def test_what_is_blurred_reaches_as_much_farther(relation: Relation) -> None:
    sharp, blurred = Link("rows", relation, 1_000, 500), Link("rows", relation, 1_000, 500, blur=480)
    ordering = relation in ("before", "after", "right_after")
    assert blurred.blurred == ordering
    assert (blurred.slack or 0) - (sharp.slack or 0) == (480 if ordering else 0)
    assert blurred.source == ("rows_sure_480" if ordering else sharp.source)
    assert Link("rows", "before", 1_000, None, blur=480).slack is None


@pytest.mark.parametrize("relation", RELATIONS)
def test_long_rows_are_a_class_of_their_own_only_beyond_the_limit(relation: Relation) -> None:
    open_to_the_left = relation in ("overlaps", "within", *NEAR)
    assert not Link("rows", relation, SPLIT_MS).split
    assert Link("rows", relation, SPLIT_MS + 1).split == open_to_the_left
    assert Link("rows", "after", SPLIT_MS + 1, 0).split
    assert not Link("rows", "after", SPLIT_MS + 1).split


@pytest.mark.parametrize(
    ("relation", "tolerance", "voice", "edged"),
    [
        ("before", None, "any", True),
        ("before", None, "same", True),
        ("before", None, "other", False),
        ("before", 0, "any", False),
        ("after", None, "any", True),
        ("right_after", None, "any", False),
        ("anywhere", None, "any", False),
        ("overlaps", None, "any", False),
    ],
)
def test_one_edge_decides_where_any_distance_is_near_enough(
    relation: Relation, tolerance: int | None, voice: str, edged: bool
) -> None:
    assert Link("rows", relation, 1, tolerance, voice).edged == edged  # type: ignore[arg-type]


def test_tables_of_links_to_the_same_rows_are_never_mistaken_for_each_other() -> None:
    links = [
        Link("rows", relation, 1, None, voice, blur=blur)
        for relation in ("before", "after", "anywhere")
        for voice in ("any", "same")
        for blur in (0, 480)
    ]  # fmt: skip
    edges = {(link.edge, link.relation, link.voice, link.blurred) for link in links if link.edged}
    assert len({edge for edge, *_ in edges}) == len(edges)
    assert {link.single for link in links} == {True}
    assert not Link("rows", "overlaps", 1).single
    assert Link("rows", "anywhere", 1).source == "rows_firsts"
