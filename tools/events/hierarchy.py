"""The AudioSet hierarchy as facts of our own: each label's parents, and the family of what sounds like one thing.

Made by scripts/make_audioset_table.py. A label may have several parents, so the hierarchy is a graph without cycles.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

TABLE = Path(__file__).parent / "audioset.tsv"


@dataclass(frozen=True, slots=True)
class Label:
    """One node: its display name, the nodes right above and below it, its family.

    `place` is its place in YAMNet's output, `official` in AudioSet's own list of 527 classes, which PANNs follow.
    """

    name: str
    parents: tuple[str, ...]
    children: tuple[str, ...]
    family: str
    place: int | None
    official: int | None


@cache
def labels() -> dict[str, Label]:
    """Give all nodes by display name, YAMNet's first and in its order."""
    rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()[1:]]
    above = {name: tuple(parents.split(" | ")) if parents else () for name, parents, *_ in rows}
    below: dict[str, list[str]] = {name: [] for name in above}
    for name, parents in above.items():
        for parent in parents:
            below[parent].append(name)
    return {
        name: Label(name, above[name], tuple(below[name]), family, _place(place), _place(official))
        for name, _, family, place, official in rows
    }


@cache
def officially() -> tuple[str, ...]:
    """Give the 527 display names of AudioSet in its own order."""
    listed = [(label.official, label.name) for label in labels().values() if label.official is not None]
    return tuple(name for _, name in sorted(listed))


@cache
def ancestors(label: str) -> frozenset[str]:
    """Give all labels above one, without itself; none for a label that is not AudioSet's."""
    node = labels().get(label)
    return frozenset() if node is None else frozenset(node.parents).union(*map(ancestors, node.parents))


@cache
def descendants(label: str) -> frozenset[str]:
    """Give all labels below one, without itself; none for a label that is not AudioSet's."""
    node = labels().get(label)
    return frozenset() if node is None else frozenset(node.children).union(*map(descendants, node.children))


def family(label: str) -> str:
    """Give the head of the family a label belongs to, itself when it is not AudioSet's."""
    node = labels().get(label)
    return label if node is None else node.family


def _place(cell: str) -> int | None:
    return int(cell) if cell else None
