"""Labels as people ask for them, and the stored labels they stand for: themselves, synonyms and all below them."""

from collections.abc import Sequence

from store.catalog import Catalog, RecordingCatalog
from store.record import StreamKind

Asked = tuple[tuple[str, tuple[str, ...]], ...]


def stored(stream: StreamKind, labels: Sequence[str], catalog: Catalog) -> Asked:
    """Give for each label asked the stored labels it stands for: those present, or the asked one itself."""
    present = {label for entry in catalog.recordings for label in heard(entry, stream)}
    return tuple((label, _among(stream, label, present) or (label,)) for label in dict.fromkeys(labels))


def heard(entry: RecordingCatalog, stream: StreamKind) -> Sequence[str]:
    """Give the labels that a recording's stream really holds."""
    return tuple(entry.events if stream == "events" else entry.emotions)


def _among(stream: StreamKind, label: str, present: set[str]) -> tuple[str, ...]:
    wanted = {name.casefold() for name in meant(stream, label)}
    return tuple(sorted(name for name in present if name.casefold() in wanted))


def meant(stream: StreamKind, label: str) -> tuple[str, ...]:
    """Give every label that an asked one stands for, present or not."""
    return (label,)
