"""The gold answers once more, by brute force over the truth's rows; nothing is shared with what made them.

Statements are read from the words that were said, not from the log of what was planted; times are counted in single
milliseconds. Slow and plain on purpose.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from agent.evals.tasks.item import Item
from agent.evals.worlds import cast
from agent.evals.worlds.truth import World

Claim = tuple[str, str, str, int, int, str]  # speaker, thing's words, value, start, end, kind


def disagreements(items: Sequence[Item], world: World) -> list[str]:
    """Give a line for each item whose gold is not what the rows say."""
    said = claims(world)
    lines = []
    for item in items:
        again = derived(item, world, said)
        if again != item.gold:
            lines.append(f"{item.id} ({item.question}): {item.gold!r}, but the rows say {again!r}")
    return lines


def claims(world: World) -> list[Claim]:
    """Read what every row claims: its words, a value that stands in it, and whether it is stated, asked and so on."""
    values = sorted({value for all_of in cast.attributes().values() for value in all_of}, key=len, reverse=True)
    found: list[Claim] = []
    for row in world.segments:
        for value in values:
            if value in row.text and re.search(rf"(?<!\w){re.escape(value)}(?!\w)", row.text):
                found.append((str(row.speaker), row.text, value, row.t0, row.t1, _kind(row.text, world)))
    return found


def _kind(text: str, world: World) -> str:
    if text.endswith("?"):
        return "asked"
    low = text.lower()
    if " is not " in low or " does not " in low or "untrue" in low:
        return "negated"
    for name in world.cast:
        for pattern in (f"{name} told me", f"According to {name} ", f"{name} says ", f"I heard from {name} "):
            if text.startswith(pattern):
                return "quoted"
    return "stated"


def derived(item: Item, world: World, said: Sequence[Claim]) -> Any:
    """Give an item's answer from the rows."""
    match item.task:
        case "qa":
            return _qa(item, said)
        case "mcqa" | "constrained":
            return _letter(item, said)
        case "summary":
            return _points(item, world)
        case "emotion":
            return _angry(item, world) if item.form == "stretches" else _mood(item, world)
        case "diarization":
            return _turns(item, world)
        case "events":
            return _sounds(item, world)
        case "count":
            return _count(item, world)
        case _:
            return _order(item, world)


def _qa(item: Item, said: Sequence[Claim]) -> Any:
    asked = item.asked
    mine = [c for c in said if c[5] == "stated" and asked.entity and asked.entity in re.findall(r"\w+", c[1])]
    if item.kind == "who":
        return sorted({c[0] for c in mine if c[2] == asked.value})
    mine = [c for c in mine if c[0] == asked.speaker]
    if item.kind == "what":
        held = {c[2] for c in mine}
        return held.pop() if len(held) == 1 else sorted(held)
    why = {c[1].partition(" because ")[2].rstrip(".") for c in mine if " because " in c[1]}
    return why.pop() if len(why) == 1 else sorted(why)


def _letter(item: Item, said: Sequence[Claim]) -> str | None:
    asked, fitting = item.asked, set()
    for who, text, value, t0, t1, kind in said:
        if kind != "stated" and not (item.kind == "undisputed" and kind == "quoted"):
            continue
        if asked.entity not in re.findall(r"\w+", text) or (asked.speaker is not None and who != asked.speaker):
            continue
        if asked.span is not None and not (t0 < asked.span[1] and asked.span[0] < t1):
            continue
        fitting |= {letter for letter, option in asked.options.items() if option == value}
    return fitting.pop() if len(fitting) == 1 else None if not fitting else "/".join(sorted(fitting))


def _points(item: Item, world: World) -> list[str]:
    a, b = item.asked.span or (0, 0)
    points = set()
    for row in world.segments:
        if a <= row.t0 and row.t1 <= b:
            words = set(re.findall(r"\w+", row.text))
            points |= words & set(cast.words("topics"))
            if _kind(row.text, world) in ("stated", "quoted"):
                points |= {word for word in words if word in _codenames()}
    return sorted(points)


@lru_cache(maxsize=1)
def _codenames() -> frozenset[str]:
    return frozenset(head + tail for head in cast.decoys()["heads"] for tail in cast.decoys()["tails"])


def _mood(item: Item, world: World) -> str | None:
    """Count, for each emotion, the milliseconds in which the speaker is heard with it."""
    a, b = item.asked.span or (0, world.duration_ms)
    heard: dict[str, bytearray] = {}
    for row in world.emotions:
        if row.speaker == item.asked.speaker:
            t0, t1 = max(row.t0, a), min(row.t1, b)
            if t1 > t0:
                mask = heard.setdefault(row.label, bytearray(b - a))
                mask[t0 - a : t1 - a] = b"\x01" * (t1 - t0)
    times = sorted(((mask.count(1), label) for label, mask in heard.items()), reverse=True)
    return times[0][1] if times and (len(times) == 1 or times[0][0] > times[1][0]) else None


def _angry(item: Item, world: World) -> list[list[float]]:
    rows = [r for r in world.emotions if r.speaker == item.asked.speaker and r.label in item.asked.labels]
    return sorted([r.t0 / 1000, r.t1 / 1000] for r in rows)


def _turns(item: Item, world: World) -> list[list[Any]]:
    a, b = item.asked.span or (0, 0)
    turns = []
    for row in world.segments:
        t0, t1 = max(row.t0, a), min(row.t1, b)
        if t1 > t0:
            turns.append([t0 / 1000, t1 / 1000, row.speaker])
    return sorted(turns, key=lambda turn: (turn[0], turn[1], str(turn[2])))


def _sounds(item: Item, world: World) -> list[list[float]]:
    a, b = item.asked.span or (0, world.duration_ms)
    rows = [e for e in world.events if e.label in item.asked.labels and not (e.t1 <= a or b <= e.t0)]
    return sorted([e.t0 / 1000, e.t1 / 1000] for e in rows)


def _count(item: Item, world: World) -> int:
    a, b = item.asked.span or (0, world.duration_ms)
    heard: dict[str, bytearray] = {}
    for row in world.segments:
        t0, t1 = max(row.t0, a), min(row.t1, b)
        if t1 > t0:
            mask = heard.setdefault(str(row.speaker), bytearray(b - a))
            mask[t0 - a : t1 - a] = b"\x01" * (t1 - t0)
    least = 0 if item.asked.over_s is None else 1000 * item.asked.over_s
    return sum(mask.count(1) > least for mask in heard.values())


def _order(item: Item, world: World) -> list[str]:
    order: list[str] = []
    for event in sorted(world.events, key=lambda event: event.t0):
        if event.label in item.asked.labels and event.label not in order:
            order.append(event.label)
    return order
