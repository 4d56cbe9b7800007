"""Emotion labels of others in our ten words, so that a question finds `angry` under anger."""

from collections.abc import Iterable
from dataclasses import replace

from store.record import Emotion
from tools.emotion.labels import LABELS, resolve


def known(rows: Iterable[Emotion]) -> tuple[list[Emotion], list[str]]:
    """Give rows with our labels, and the labels that nobody knows, whose rows are `other`."""
    found: list[Emotion] = []
    unknown: dict[str, None] = {}
    for row in rows:
        label = resolve(row.label)
        if label is None:
            unknown[row.label] = None
        spread: dict[str, float] = {}
        for name, share in row.scores.items():
            spread[resolve(name) or name] = spread.get(resolve(name) or name, 0.0) + share
        found.append(replace(row, label=label or LABELS[-1], scores=spread))
    return found, list(unknown)[:8]


def note(unknown: Iterable[str]) -> list[str]:
    """Tell which labels nobody knows, in at most one line."""
    labels = ", ".join(unknown)
    return [f"no emotion that Overheard knows, taken as other: {labels}"] if labels else []
