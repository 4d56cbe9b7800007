"""How sure replies are against how often they are right, on noisy worlds: features, a monotone fit, the error left."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.ask import ask
from agent.evals.worlds.marking import right
from agent.evals.worlds.noise import Noise
from agent.evals.worlds.options import constrained
from agent.evals.worlds.questions import Item, items
from agent.evals.worlds.streams import publish
from agent.evals.worlds.world import Spec, make
from agent.graph.confidence import Features
from agent.library import Library
from agent.reply import Reply
from store.trace import show

SHRINK = 2.0
STEPS = 12_000
RATE = 0.05
WIDENED = 1.0
# Under noise a total is never exact: within a twentieth, or a second, it is right.
NEAR_SHARE, NEAR_S = 0.05, 1.0


@dataclass(frozen=True, slots=True)
class Rated:
    """One reply: what it is rated by, what it said of itself, and whether it was right."""

    features: Features
    stated: float
    right: bool


def ratings(folder: Path, specs: Sequence[Spec], noises: Sequence[Noise]) -> Iterator[Rated]:
    """Ask everything of each world under each noise; each in a library of its own below `folder`."""
    for spec in specs:
        world = make(spec)
        asked = [*items(world), *constrained(world, random.Random(spec.seed), 8)]
        for number, noise in enumerate(noises):
            library = Library(folder / f"{spec.seed}-{number}")
            publish(library.database, world, noise=noise)
            for item in asked:
                reply = ask(library, item.question)
                yield Rated(_features(library, reply), reply.confidence, nearly(item, reply))


def nearly(item: Item, reply: Reply) -> bool:
    """Say whether a reply is right as far as noise lets it: totals within a twentieth."""
    if item.family == "duration" and reply.status == "answered" and isinstance(reply.value, int | float):
        return bool(abs(reply.value - item.value) <= max(NEAR_S, NEAR_SHARE * item.value))
    return right(item, reply)


def fit(rated: Sequence[Rated]) -> dict[str, Any]:
    """Fit a bias for each kind and weights, none below 0, for each group of kinds; shrunk towards few data's mean."""
    import numpy as np

    kinds = sorted({found.features.kind for found in rated})
    groups = sorted({found.features.slopes for found in rated})
    x = np.array([found.features.vector() for found in rated])
    y = np.array([found.right for found in rated], dtype=float)
    kind = np.array([kinds.index(found.features.kind) for found in rated])
    group = np.array([groups.index(found.features.slopes) for found in rated])
    bias, weights, middle = np.zeros(len(kinds)), np.full((len(groups), x.shape[1]), 0.2), 0.0
    # Worlds widen too seldom to learn from, so at least this much is taken off where a search was widened.
    least = np.array([0.0, 0.0, 0.0, WIDENED])
    largest = np.abs(x).max(axis=0)
    scale = np.where(largest > 0, largest, 1.0)
    for _ in range(STEPS):
        error = 1 / (1 + np.exp(-(bias[kind] + (x / scale * weights[group]).sum(axis=1)))) - y
        pull = np.bincount(kind, error, len(kinds)) + SHRINK * (bias - middle)
        bias -= RATE * pull / (np.bincount(kind, minlength=len(kinds)) + SHRINK)
        for number in range(len(groups)):
            mine = group == number
            step = (error[mine][:, None] * x[mine] / scale).mean(axis=0)
            weights[number] = np.maximum(weights[number] - 10 * RATE * step, least)
        middle = float(bias.mean())
    biases = {name: round(float(value), 4) for name, value in zip(kinds, bias, strict=True)}
    slopes = {name: [round(float(v), 4) for v in row / scale] for name, row in zip(groups, weights, strict=True)}
    return {"kinds": biases | {"other": round(middle, 4)}, "weights": slopes}


def _features(library: Library, reply: Reply) -> Features:
    with library.database.reader() as connection:
        spans = show(connection, reply.trace).spans
    told = next(span.result_ref for span in spans if span.args.get("step") == "confidence")
    return Features(**json.loads(str(told)))
