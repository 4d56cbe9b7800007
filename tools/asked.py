"""Labels as people ask for them, and the stored labels they stand for: themselves, synonyms and all below them."""

from collections.abc import Sequence

from store.catalog import Catalog
from store.record import StreamKind
from tools.emotion import labels as emotion

Asked = tuple[tuple[str, tuple[str, ...]], ...]


def stored(stream: StreamKind, labels: Sequence[str], catalog: Catalog) -> Asked:
    """Give for each label asked the stored labels it stands for: those present, or what would be stored."""
    present = sorted({name for e in catalog.recordings for name in (e.events if stream == "events" else e.emotions)})
    return tuple((label, _among(meant(stream, label), present)) for label in dict.fromkeys(labels))


def meant(stream: StreamKind, label: str) -> tuple[str, ...]:
    """Give every label that an asked one stands for, present or not, the asked one first."""
    words: tuple[str, ...] = (label,)
    if stream == "emotion" and (found := emotion.resolve(label)) is not None:
        words = (label, found, *(emotion.synonyms(found) if found in emotion.LABELS else ()))
    return tuple(dict.fromkeys(words))


def known(stream: StreamKind, label: str) -> bool:
    """Say whether a label is one that the stream's vocabulary has a place for."""
    return emotion.resolve(label) is not None if stream == "emotion" else False


def _among(wanted: Sequence[str], present: Sequence[str]) -> tuple[str, ...]:
    forms = {name.casefold() for name in wanted}
    return tuple(name for name in present if name.casefold() in forms) or tuple(wanted[:2])
