"""A world whose voices have no names, as a recogniser leaves it: the same turns and words under generic labels."""

from collections.abc import Mapping
from dataclasses import replace

from agent.evals.worlds.world import World


def labels(world: World) -> Mapping[str, str]:
    """Give the label that stands for each name, in the order in which they first speak."""
    heard = dict.fromkeys(segment.speaker for segment in world.segments)
    return {str(name): f"SPEAKER_{number:02d}" for number, name in enumerate(heard)}


def unnamed(world: World) -> World:
    """Give the world under labels; who is quoted or mentioned by name keeps the name."""
    known = labels(world)
    return replace(
        world,
        cast=tuple(known[name] for name in world.cast if name in known),
        segments=[replace(row, speaker=known[str(row.speaker)]) for row in world.segments],
        emotions=[replace(row, speaker=known[str(row.speaker)]) for row in world.emotions],
        mentions=[replace(row, speaker=known[row.speaker]) for row in world.mentions],
        facts=[replace(row, speaker=known[row.speaker]) for row in world.facts],
        asides=[replace(row, speaker=known[row.speaker]) for row in world.asides],
    )
