"""From a reading to a plan: which stream is asked follows from the slots, how it is fused from the family."""

from typing import Any

from agent.brains.rules.reading import Clause, Reading
from agent.brains.rules.slots import Slots
from tools.transcript.query import LONGEST

QUOTES_SHOWN = 8
JUST_BEFORE = 2


def tool_calls(reading: Reading) -> list[dict[str, Any]] | None:
    """Give the plan as tool calls, or None when the question cannot be said as one plan."""
    anchor = _query(reading.slots, reading.family.stream)
    if anchor is None:
        return None
    stream, args = anchor
    if reading.stretch is not None:
        args |= reading.stretch.args()
    calls = [call(stream, f"{stream}_1", args)]
    joins: list[dict[str, Any]] = []
    if reading.clause is not None:
        partner = _query(reading.clause.slots, "speaker")
        if partner is None:
            return None
        reference = f"{partner[0]}_2"
        calls.append(call(partner[0], reference, partner[1]))
        joins.append(_join(reading.clause, reference))
    fuse = {"anchor": f"{stream}_1", "answer_schema": reading.family.answer} | _fuse(reading, stream)
    return [*calls, call("fuse", "fuse_1", fuse | ({"joins": joins} if joins else {}))]


def call(name: str, call_id: str, args: dict[str, Any]) -> dict[str, Any]:
    """Give one tool call, without the arguments that are defaults anyway."""
    kept = {key: value for key, value in args.items() if (key, value) not in (("aggregate", "none"), ("order", "time"))}
    if "keywords" in kept:
        kept["keywords"] = [_short(word) for word in kept["keywords"]]
    return {"name": name, "args": kept, "id": call_id, "type": "tool_call"}


def _short(keyword: str) -> str:
    """Cut what is too long to be searched for, between words where there are some."""
    if len(keyword) <= LONGEST:
        return keyword
    return keyword[: LONGEST + 1].rpartition(" ")[0].strip() or keyword[:LONGEST]


def _query(slots: Slots, default: str) -> tuple[str, dict[str, Any]] | None:
    if slots.emotion is not None:
        return _one_speaker("emotion", {"labels": [slots.emotion]}, slots)
    if slots.sounds:
        return "events", {"labels": list(slots.sounds)}
    if slots.keywords:
        match = {} if slots.match == "any" else {"match": slots.match}
        return _one_speaker("transcript", {"keywords": list(slots.keywords)} | match, slots)
    if default != "speaker":
        return (default, {}) if default == "events" else _one_speaker(default, {}, slots)
    names = {"names": list(slots.speakers)} if slots.speakers else {}
    return "speaker", names | ({} if slots.seconds is None else {"min_talk": slots.seconds})


def _one_speaker(stream: str, args: dict[str, Any], slots: Slots) -> tuple[str, dict[str, Any]] | None:
    if len(slots.speakers) > 1:
        return None
    return stream, args | ({"speaker": slots.speakers[0]} if slots.speakers else {})


def _fuse(reading: Reading, stream: str) -> dict[str, Any]:
    slots, fuse = reading.slots, dict(reading.family.fuse)
    if slots.edge is not None and reading.family.answer in ("who", "when", "quote", "which_events"):
        return {"aggregate": "none", "order": "time" if slots.edge == "first" else "-time", "limit": 1}
    if slots.rank is not None:
        often = stream != "speaker" or "often" in slots.rank_words or "frequent" in slots.rank_words
        fuse["aggregate"] = "count" if often else "total_duration"
        return fuse | {"order": "-value" if slots.rank == "most" else "value", "limit": 1}
    if reading.clause is not None and reading.clause.relation == "right_before" and reading.family.answer == "who":
        return {"aggregate": "none", "order": "-time", "limit": 1}
    if reading.family.answer == "quote" and not slots.keywords and reading.clause is not None:
        return fuse | _nearest_quotes(reading.clause)
    return fuse


def _nearest_quotes(clause: Clause) -> dict[str, Any]:
    """What was said before or after something: the few segments that lie closest to it."""
    if clause.relation == "overlaps":
        return {}
    if clause.relation == "right_before":
        return {"order": "-time", "limit": JUST_BEFORE}
    return {"order": "-time" if clause.relation == "before" else "time", "limit": QUOTES_SHOWN}


def _join(clause: Clause, reference: str) -> dict[str, Any]:
    join: dict[str, Any] = {"stream": reference}
    relation = "before" if clause.relation == "right_before" else clause.relation
    return join if relation == "overlaps" else join | {"relation": relation}
