"""AudioSet's tree as it lies in the table: whole, without circles, and silent about what is not in it."""

import pytest

from tools.events.hierarchy import ancestors, descendants, family, labels


def test_the_tree_is_whole() -> None:
    known = labels()
    places = [node.place for node in known.values() if node.place is not None]
    assert sorted(places) == list(range(521))  # YAMNet's own
    for name, node in known.items():
        assert node.name == name
        assert all(name in known[parent].children for parent in node.parents)
        assert all(name in known[child].parents for child in node.children)
        assert node.family in known


def test_nothing_is_above_or_below_itself() -> None:
    for name in labels():
        assert name not in ancestors(name)
        assert name not in descendants(name)
        assert all(name in descendants(above) for above in ancestors(name))


@pytest.mark.parametrize(
    ("label", "above", "below"),
    [("Bark", "Dog", None), ("Dog", "Animal", "Bark"), ("Siren", "Alarm", None), ("Guitar", "Music", None)],
)
def test_what_lies_above_and_below(label: str, above: str, below: str | None) -> None:
    assert above in ancestors(label)
    assert below is None or below in descendants(label)


@pytest.mark.parametrize("label", ["", "kazoo of doom", "dog", "Bark "])
def test_what_is_not_in_it_stands_alone(label: str) -> None:
    assert ancestors(label) == descendants(label) == frozenset()
    assert family(label) == label
