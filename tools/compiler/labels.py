"""Labels as people ask for them, and the stored labels they stand for: themselves, synonyms and all below them.

Where a narrower label is asked for beside a wider one (guitar, music), what is stored under the narrower is its alone.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from store.catalog import Catalog
from store.record import StreamKind
from tools.emotion import labels as emotion
from tools.events import hierarchy
from tools.events import labels as events
from tools.events.regions import is_region

_NAMED = 4
Asked = tuple[tuple[str, tuple[str, ...]], ...]


def stored(stream: StreamKind, labels: Sequence[str], catalog: Catalog) -> Asked:
    """Give for each label asked the stored labels it stands for: those present, or what would be stored.

    A label in several spellings is one, in the first of them.
    """
    present = sorted({name for e in catalog.recordings for name in (e.events if stream == "events" else e.emotions)})
    spelt = {_form(label): label for label in reversed(labels)}.values()
    forms = {label: [_form(name) for name in meant(stream, label)] for label in reversed(spelt)}
    owners = {name: _owners(_meanings(stream, name), forms) for name in present}
    found = {label: tuple(name for name in present if label in owners[name]) for label in forms}
    others = {label: [name for name in meant(stream, label) if name not in owners] for label in forms}
    return tuple((label, found[label] or tuple(others[label][:_NAMED])) for label in forms)


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


def unasked(catalog: Catalog) -> list[str]:
    """Give the stored labels that whoever names no sound does not mean: regions of speech and silence."""
    return sorted({name for entry in catalog.recordings for name in entry.events if is_region(name)})


def regional(labels: Iterable[str]) -> bool:
    """Say whether labels as asked reach a region, so that without them fewer rows are meant, not more."""
    return any(is_region(name) for label in labels for name in meant("events", label))


def _form(label: str) -> str:
    """Give the form in which labels are compared: one for NFC and NFD, wide and narrow letters."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", label).casefold())


def _meanings(stream: StreamKind, name: str) -> tuple[str, ...]:
    """Give a stored label, and what it says in our words when somebody else chose it (crying_baby)."""
    ours = stream != "events" or name in hierarchy.labels()
    return (_form(name), *(() if ours else sorted(_form(word) for word in events.resolve(name))))


def _owners(name: Sequence[str], forms: Mapping[str, Sequence[str]]) -> set[str]:
    """Give the labels asked that a stored one answers to, by itself or by all it means; the narrowest of them."""
    own, *means = name
    sizes = {
        label: len(words) for label, words in forms.items() if own in words or (means and set(means) <= set(words))
    }
    exact = {label for label in sizes if _form(label) == own}
    return exact or {label for label, size in sizes.items() if size == min(sizes.values())}
