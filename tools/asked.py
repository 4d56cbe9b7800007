"""Labels as people ask for them, and the stored labels they stand for: themselves, synonyms and all below them."""

from collections.abc import Sequence

from store.catalog import Catalog
from store.record import StreamKind
from tools.emotion import labels as emotion
from tools.events import labels as events

_NAMED = 4
Asked = tuple[tuple[str, tuple[str, ...]], ...]


def stored(stream: StreamKind, labels: Sequence[str], catalog: Catalog) -> Asked:
    """Give for each label asked the stored labels it stands for: those present, or what would be stored."""
    present = sorted({name for e in catalog.recordings for name in (e.events if stream == "events" else e.emotions)})
    return tuple((label, _among(stream, meant(stream, label), present)) for label in dict.fromkeys(labels))


def meant(stream: StreamKind, label: str) -> tuple[str, ...]:
    """Give every label that an asked one stands for, present or not, the asked one first."""
    if stream == "events":
        return tuple(dict.fromkeys([label, *sorted(events.resolve(label))]))
    found = emotion.resolve(label)
    words = () if found is None else (found, *(emotion.synonyms(found) if found in emotion.LABELS else ()))
    return tuple(dict.fromkeys([label, *words]))


def known(stream: StreamKind, label: str) -> bool:
    """Say whether a label is one that the stream's vocabulary has a place for."""
    return bool(events.resolve(label)) if stream == "events" else emotion.resolve(label) is not None


def _among(stream: StreamKind, wanted: Sequence[str], present: Sequence[str]) -> tuple[str, ...]:
    """Give the present labels that are wanted; an imported one (crying_baby) by all that it means in our words."""
    forms = {name.casefold() for name in wanted}
    found = (name for name in present if name.casefold() in forms or _within(stream, name, set(wanted)))
    return tuple(found) or tuple(wanted[:_NAMED])


def _within(stream: StreamKind, name: str, wanted: set[str]) -> bool:
    meaning = events.resolve(name) if stream == "events" else frozenset()
    return bool(meaning) and meaning <= wanted
