"""How a reply to an item is marked: whether it has the form, its score from 0 to 1, whether it is right, its metrics.

What has not the form scores 0. An abstention is right on what cannot be answered, and nothing on what can.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.evals.tasks import metrics
from agent.evals.tasks.forms import abstained, interval, parsed
from agent.evals.tasks.item import Item
from agent.evals.worlds import cast
from agent.reply import Reply

# From which score a reply counts as right, where a score is not simply 0 or 1.
RIGHT = 0.9


@dataclass(frozen=True, slots=True)
class Mark:
    """One marked reply; a metric is None where its library is missing."""

    parsed: bool
    abstained: bool
    score: float
    right: bool
    metrics: Mapping[str, float | None] = field(default_factory=dict)


def mark(item: Item, reply: Reply) -> Mark:
    """Mark a reply."""
    worst = _worst(item) if item.answerable else {}
    if abstained(reply):
        return Mark(True, True, float(not item.answerable), not item.answerable, worst)
    said = parsed(item, reply)
    if said is None or not item.answerable:
        return Mark(said is not None, False, 0.0, False, worst)
    score, found = _MARKS[item.form](item, said)
    if item.task == "count":
        low, high = interval(reply, said)
        found = {**found, "interval": float(low <= item.gold <= high)}
    return Mark(True, False, score, score >= RIGHT, found)


def _worst(item: Item) -> dict[str, float | None]:
    """Give what no answer is worth by each metric of the item; how far off a number is cannot be said."""
    match item.form, item.task:
        case "text", "summary":
            return {"rouge_l": 0.0, "coverage": 0.0}
        case "text", _:
            return {"rouge_l": 0.0, "fact_recall": 0.0}
        case "names", _:
            return {"fact_recall": 0.0}
        case "number", _:
            return {"interval": 0.0}
        case "labels", _:
            return {"spearman": 0.0, "exact": 0.0}
        case "stretches", "emotion":
            return {"iou": 0.0}
        case "stretches", _:
            return {"segment_f1": 0.0, "event_f1": 0.0}
        case "turns", _:
            return {"der": 1.0, "der_collar": 1.0, "jer": 1.0}
    return {}


Marked = tuple[float, Mapping[str, float | None]]


def _text(item: Item, said: str) -> Marked:
    found = {"rouge_l": _measured(lambda: metrics.rouge_l(item.reference, said))}
    recall = _share(_told(fact, said) for fact in item.facts)
    if item.task == "summary":
        false = _false_points(item, said)
        return recall, found | {"coverage": recall, "false_points": false}
    return recall, found | {"fact_recall": recall}


def _told(point: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(point)}(?!\w)", text, re.IGNORECASE) is not None


def _false_points(item: Item, said: str) -> float:
    """Give the share of planted points in a text that were not planted in the span."""
    words = set(re.findall(r"\w+", said))
    table = cast.decoys()
    names = {head + tail for head in table["heads"] for tail in table["tails"]}
    told = {word for word in words if word in names} | {word for word in cast.words("topics") if _told(word, said)}
    return len(told - set(item.facts)) / len(told) if told else 0.0


def _label(item: Item, said: str) -> Marked:
    return float(said == str(item.gold).casefold()), {}


def _letter(item: Item, said: str) -> Marked:
    return float(said == item.gold), {}


def _names(item: Item, said: list[str]) -> Marked:
    return float(sorted(said) == item.gold), {"fact_recall": _share(name in said for name in item.facts)}


def _truth(item: Item, said: bool) -> Marked:
    return float(said is item.gold), {}


def _number(item: Item, said: int) -> Marked:
    return float(said == item.gold), {"error": float(abs(said - item.gold))}


def _labels(item: Item, said: list[str]) -> Marked:
    """Mark an order; labels are compared without case."""
    gold = [label.casefold() for label in item.gold]
    rho = _measured(lambda: metrics.spearman(gold, [label.casefold() for label in said]))
    exact = gold == [label.casefold() for label in said]
    return max(0.0, float(exact) if rho is None else rho), {"spearman": rho, "exact": float(exact)}


def _stretches(item: Item, said: list[metrics.Stretch]) -> Marked:
    gold = [(start, end) for start, end in item.gold]
    if item.task == "emotion":
        shared = metrics.overlap(gold, said)
        return shared, {"iou": shared}
    try:
        found = metrics.events(gold, said)
    except metrics.Missing:
        return metrics.overlap(gold, said), {"segment_f1": None, "event_f1": None}
    return found["segment_f1"], found


def _turns(item: Item, said: list[tuple[float, float, str]]) -> Marked:
    span = item.asked.span or (0, 0)
    try:
        found = metrics.diarization(item.gold, said, (span[0] / 1000, span[1] / 1000))
    except metrics.Missing:
        return 0.0, {"der": None, "der_collar": None, "jer": None}
    return max(0.0, 1 - found["der"]), found


_MARKS: Mapping[str, Callable[[Item, Any], Marked]] = {
    "text": _text,
    "label": _label,
    "letter": _letter,
    "names": _names,
    "number": _number,
    "labels": _labels,
    "stretches": _stretches,
    "turns": _turns,
    "truth": _truth,
}


def _measured(metric: Callable[[], float]) -> float | None:
    try:
        return metric()
    except metrics.Missing:
        return None


def _share(hits: Iterable[bool]) -> float:
    found = list(hits)
    return sum(found) / len(found) if found else 0.0
