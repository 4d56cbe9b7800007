"""Items asked again in other people's words: the wordings that a bank has for what an item means.

Whoever wrote the tasks' questions also knows the grammar that reads them; a bank's writers did not. A meaning stands
for an item only where both ask the same thing of the same rows, so the gold answer stays.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from agent.evals.plans.bank import Bank
from agent.evals.plans.filling import ADJECTIVES, Filling, filled
from agent.evals.tasks.item import Item, Task
from agent.evals.tasks.record import Record
from agent.evals.tasks.scores import grouped
from store.clock import clock

SOUNDS = ("E", "E2", "E3")
MEANINGS: Mapping[tuple[Task, str], str] = {
    ("count", "file"): "count_people.all",
    ("count", "span"): "count_people.range",
    ("diarization", "span"): "turns.range",
    ("summary", "span"): "summary.range",
    ("events", "label"): "when.heard",
    ("order", "3 sounds"): "order.listed",
    ("emotion", "mostly"): "emotion.of",
    ("emotion", "when angry"): "when.felt",
}


def reworded(items: Sequence[Item], bank: Bank) -> list[Item]:
    """Give each item whose meaning the bank has in several wordings once a wording, numbered; the others go."""
    return [one for item in items for one in _all(item, bank)]


def whole(records: Sequence[Record]) -> list[bool]:
    """Say of each item whether every one of its wordings was right; an item is what its id says before the number."""
    return [all(one.right for one in records_) for records_ in of_items(records).values()]


def of_items(records: Sequence[Record]) -> Mapping[str, Sequence[Record]]:
    """Give the records of each item that was asked in several wordings."""
    return grouped([replace(one, id=f"{one.preset} {one.id.rpartition('-')[0]}") for one in records], "id")


def _all(item: Item, bank: Bank) -> Sequence[Item]:
    wordings = bank.cases.get(MEANINGS.get((item.task, item.kind), ""), ())
    words = meant(item)
    asked = (filled(wording, words, bank.language) for wording in wordings if len(wordings) > 1)
    return [replace(item, id=f"{item.id}-{number}", question=text) for number, text in enumerate(asked, 1)]


def meant(item: Item) -> Filling:
    """Give what an item asks by the names of a bank's places."""
    asked, found = item.asked, dict[str, str | float]()
    if asked.speaker is not None:
        found["S"] = asked.speaker
    if asked.span is not None:
        found |= {"T1": clock(asked.span[0]), "T2": clock(asked.span[1])}
    if item.task == "emotion" and asked.labels:
        found["F"] = ADJECTIVES[asked.labels[0]]
    elif asked.labels:
        found |= {place: label.lower() for place, label in zip(SOUNDS, asked.labels, strict=False)}
    return found
