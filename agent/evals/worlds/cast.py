"""Who and what a world is made of, from a table: awkward names on purpose, facts, topics, sounds, filler words."""

import random
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

TABLE = Path(__file__).with_name("cast.toml")
DECOYS = Path(__file__).with_name("decoys.toml")


@cache
def table() -> Mapping[str, Any]:
    """Read the table, once a process."""
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


@cache
def decoys() -> Mapping[str, Any]:
    """Read the table of what misleads, once a process."""
    return tomllib.loads(DECOYS.read_text(encoding="utf-8"))


def words(name: str) -> list[str]:
    """Give one list of the table."""
    return list(table()[name])


def attributes() -> Mapping[str, list[str]]:
    """Give the attributes that facts are about, each with its values."""
    found: Mapping[str, list[str]] = table()["attributes"]
    return found


def filler(rng: random.Random, length: int) -> str:
    """Give a sentence of this many words that says nothing."""
    return " ".join(rng.choices(words("filler"), k=max(1, length)))
