"""What a world and its noise were made with, as plain values: the same manifest makes the same streams again."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from agent.evals.worlds.noise import Heard, Noise, heard
from agent.evals.worlds.world import Spec, make

VERSION = 1


def manifest(spec: Spec, noise: Noise) -> dict[str, Any]:
    """Give every knob, safe to be written as JSON."""
    return {"version": VERSION, "world": asdict(spec), "noise": noise.manifest()}


def again(told: Mapping[str, Any]) -> Heard:
    """Make the streams of a manifest; ValueError when it is of another version, TypeError names an unknown knob."""
    if told.get("version") != VERSION:
        raise ValueError(f"a manifest of version {told.get('version')}; this one reads {VERSION}")
    return heard(make(Spec(**told["world"])), Noise.read(told["noise"]))
