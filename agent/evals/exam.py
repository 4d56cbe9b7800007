"""An exam: questions with their right answers, and how a reply is held against them.

The comparisons are those of the sample's README; each gives the complaint, or nothing when the reply is right.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from agent.reply import Reply

Naming = Literal["before", "after"]


@dataclass(frozen=True, slots=True)
class Item:
    """One question: what is right, which seconds a citation must touch, which voices a refusal must name."""

    id: str
    question: str
    naming: Naming
    status: str
    reason: str | None
    value: Any
    compare: str | None
    tolerance: float = 0.0
    at: Sequence[Sequence[float]] = ()
    alternatives: Sequence[str] = ()
    demo: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Exam:
    """A recording's questions; `names` gives a second at which each named person surely speaks alone."""

    recording: str
    title: str
    names: Mapping[str, float]
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Key:
    """What names and labels stand for: labels of unnamed voices, and the family of each planted event."""

    voices: Mapping[str, str] = field(default_factory=dict)
    families: Mapping[str, Sequence[str]] = field(default_factory=dict)


def read(path: Path) -> Exam:
    """Read an exam's questions."""
    document = json.loads(path.read_text(encoding="utf-8"))
    items = tuple(Item(**entry) for entry in document["questions"])
    return Exam(document["recording"], document["title"], document["names"], items)


def complaint(item: Item, reply: Reply, key: Key) -> str | None:
    """Say what is wrong with a reply; None when it is right."""
    reason = reply.refusal.reason if reply.refusal else None
    if item.compare == "any":
        return "failed" if reply.status == "failed" else None
    if (reply.status, reason) != (item.status, item.reason):
        return f"{reply.status} {reason or ''} instead of {item.status} {item.reason or ''}".replace("  ", " ").strip()
    if item.compare and (wrong := COMPARISONS[item.compare](item, reply, key)):
        return wrong
    return _uncited(item, reply) or _unnamed(item, reply, key)


def _uncited(item: Item, reply: Reply) -> str | None:
    for start, end in item.at:
        if not any(cited.start < end and start < cited.end for cited in reply.citations):
            return f"no citation touches {start:g}-{end:g}"
    return None


def _unnamed(item: Item, reply: Reply, key: Key) -> str | None:
    shown = json.dumps(reply.model_dump(mode="json"), ensure_ascii=False)
    missing = [name for name in item.alternatives if key.voices.get(name, name) not in shown]
    return f"does not name {', '.join(missing)}" if missing else None


def _equal(item: Item, reply: Reply, key: Key) -> str | None:
    return None if reply.value == item.value else f"{reply.value!r} instead of {item.value!r}"


def _near(item: Item, reply: Reply, key: Key) -> str | None:
    close = isinstance(reply.value, int | float) and abs(reply.value - item.value) <= item.tolerance
    return None if close else f"{reply.value!r} instead of {item.value!r} ± {item.tolerance:g}"


def _set(item: Item, reply: Reply, key: Key) -> str | None:
    given = [reply.value] if isinstance(reply.value, str) else reply.value
    wanted = {key.voices.get(name, name) for name in item.value}
    return None if isinstance(given, list) and set(given) == wanted else f"{given!r} instead of {sorted(wanted)}"


def _spans(item: Item, reply: Reply, key: Key) -> str | None:
    given = reply.value if isinstance(reply.value, list) else []
    pairs = zip(sorted(given), sorted(item.value, key=lambda span: span[0]), strict=False)
    fits = all(_close(a, b, item.tolerance) for mine, right in pairs for a, b in zip(mine, right, strict=True))
    return None if fits and len(given) == len(item.value) else f"{given!r} instead of {item.value!r}"


def _turns(item: Item, reply: Reply, key: Key) -> str | None:
    given = reply.value if isinstance(reply.value, list) else []
    if len(given) != len(item.value):
        return f"{len(given)} turns instead of {len(item.value)}: {given!r}"
    for mine, right in zip(sorted(given), sorted(item.value), strict=True):
        close = all(_close(mine[i], right[i], item.tolerance) for i in (0, 1))
        if not close or mine[2] != key.voices.get(right[2], right[2]):
            return f"{mine!r} instead of {right!r}"
    return None


def _has(item: Item, reply: Reply, key: Key) -> str | None:
    for wanted in item.value:
        words = [wanted] if isinstance(wanted, str) else wanted
        if not any(word.casefold() in reply.answer.casefold() for word in words):
            return f"{' or '.join(words)!r} is not in {reply.answer!r}"
    return None


def _labels(item: Item, reply: Reply, key: Key) -> str | None:
    given = [reply.value] if isinstance(reply.value, str) else list(reply.value or [])
    same = len(given) == len(item.value) and all(map(_akin(key), given, item.value))
    return None if same else f"{given!r} instead of {item.value!r}"


def _labels_first(item: Item, reply: Reply, key: Key) -> str | None:
    given = [reply.value] if isinstance(reply.value, str) else list(reply.value or [])
    return None if given and _akin(key)(given[0], item.value[0]) else f"{given!r} instead of {item.value!r}"


def _labels_include(item: Item, reply: Reply, key: Key) -> str | None:
    given = list(reply.value or [])
    missing = [wanted for wanted in item.value if not any(_akin(key)(label, wanted) for label in given)]
    return f"{missing!r} not in {given!r}" if missing else None


def _akin(key: Key) -> Callable[[str, str], bool]:
    """Say whether a label as answered, the event's own or the words of the question, is in a planted event's family."""
    from tools.events.labels import resolve

    def akin(label: str, wanted: str) -> bool:
        family = set(key.families.get(wanted, (wanted,)))
        return label in family or bool(resolve(label) & family)

    return akin


def _close(mine: float, right: float | None, tolerance: float) -> bool:
    return right is None or abs(mine - right) <= tolerance


COMPARISONS: Mapping[str, Callable[[Item, Reply, Key], str | None]] = {
    "equal": _equal,
    "near": _near,
    "set": _set,
    "spans": _spans,
    "turns": _turns,
    "has": _has,
    "labels": _labels,
    "labels_first": _labels_first,
    "labels_include": _labels_include,
}
