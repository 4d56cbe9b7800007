"""From a reading to a plan: the stream follows from the slots, how it is fused from the family's template."""

from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

from agent.brains.rules.language import Language
from agent.brains.rules.ranges import Stretch
from agent.brains.rules.reading import Fact, Reading
from agent.brains.rules.topics import Topic
from tools.transcript.query import LONGEST

QUOTES_SHOWN = 8
_DEFAULTS = (("aggregate", "none"), ("order", "time"), ("group", ""))


@dataclass
class _Draft:
    """The calls and joins of a plan as they are made."""

    language: Language
    calls: list[dict[str, Any]] = field(default_factory=list)
    joins: list[dict[str, Any]] = field(default_factory=list)

    def ask(self, stream: str, args: dict[str, Any]) -> str:
        self.calls.append(call(stream, f"{stream}_{len(self.calls) + 1}", args))
        return str(self.calls[-1]["id"])

    def join(self, to: str, partner: str, **how: Any) -> None:
        self.joins.append({"stream": partner} | ({} if to == self.calls[0]["id"] else {"to": to}) | how)


def tool_calls(reading: Reading, language: Language) -> list[dict[str, Any]] | None:
    """Give the plan as tool calls, or None when the question cannot be said as one plan."""
    plan, draft = reading.form.plan, _Draft(language)
    if "ORD" in reading.fact.values and reading.clauses:
        return None
    fuse = {"answer_schema": plan["answer"]}
    if "without" in plan:
        fuse["anchor"] = draft.ask(plan["without"], {})
        voice = {"voice": "same"} if plan["without"] == "speaker" else {}
        _asked(draft, reading, fuse["anchor"], relation="anywhere", kind="without", **voice)
    elif "versus" in plan:
        fuse["anchor"], fuse["versus"] = (_asked(draft, one) for one in _two(plan["versus"], reading))
    else:
        fuse["anchor"] = _asked(draft, reading)
    fuse |= _fuse(reading, language)
    return [*draft.calls, call("fuse", "fuse_1", fuse | ({"joins": draft.joins} if draft.joins else {}))]


def call(name: str, call_id: str, args: dict[str, Any]) -> dict[str, Any]:
    """Give one tool call, without the arguments that are defaults anyway."""
    kept = {key: value for key, value in args.items() if (key, value) not in _DEFAULTS}
    if "keywords" in kept:
        kept["keywords"] = [_short(word) for word in kept["keywords"]]
    return {"name": name, "args": kept, "id": call_id, "type": "tool_call"}


def _short(keyword: str) -> str:
    """Cut what is too long to be searched for, between words where there are some."""
    if len(keyword) <= LONGEST:
        return keyword
    return keyword[: LONGEST + 1].rpartition(" ")[0].strip() or keyword[:LONGEST]


def _asked(draft: _Draft, reading: Reading, to: str | None = None, **how: Any) -> str:
    """Ask for all that a question or clause names; what the anchor's stream cannot say becomes its partners."""
    fact = reading.fact
    if reading.form.plan.get("borrow") and reading.clauses:
        fact = replace(fact, people=reading.clauses[0][1].fact.people)
    both, others = _both(fact)
    named = {"emotion": fact.emotions, "events": fact.sounds, "transcript": fact.topics}
    stream = reading.form.plan.get("stream") or next((kind for kind, slot in named.items() if slot), "speaker")
    anchor = draft.ask(stream, _args(stream, both) | _limits(reading))
    if to is not None:
        draft.join(to, anchor, **how)
    for other in (kind for kind, slot in named.items() if slot and kind != stream):
        draft.join(anchor, draft.ask(other, _args(other, both)), **_voice(stream, other, both))
    for other_fact in others:
        same = _voice(stream, stream, fact) if len(fact.topics) > 1 else {}
        draft.join(anchor, draft.ask(stream, _args(stream, other_fact)), relation="anywhere", **same)
    if len(both.people) > 1 and stream in ("transcript", "emotion"):
        draft.join(anchor, draft.ask("speaker", {"names": list(fact.people)}), voice="same")
    for relation, clause in reading.clauses:
        own = replace(clause, fact=replace(clause.fact, people=fact.people)) if clause.fact.open else clause
        lies = draft.language.families["relation"][relation.tag]
        lies |= {} if relation.value is None else {"tolerance": relation.value}
        lies |= {"voice": "same"} if clause.fact.open and not fact.people and stream != "events" else {}
        _asked(draft, own, anchor, **lies)
    return anchor


def _both(fact: Fact) -> tuple[Fact, list[Fact]]:
    """Give a fact, or the two that must both be: of two topics, or of two people."""
    name = "topics" if len(fact.topics) > 1 else "people"
    if not (len(fact.topics) > 1 or ("BOTH" in fact.features and len(fact.people) > 1)):
        return fact, []
    first, *rest = _each(fact, name)
    return first, rest


def _args(stream: str, fact: Fact) -> dict[str, Any]:
    one = {"speaker": fact.people[0]} if len(fact.people) == 1 else {}
    match stream:
        case "emotion":
            return ({"labels": list(fact.emotions)} if fact.emotions else {}) | one
        case "events":
            return {"labels": list(fact.sounds)} if fact.sounds else {}
        case "transcript" if fact.topics:
            topic: Topic = fact.topics[0]
            match = {} if topic.match == "any" else {"match": topic.match}
            return {"keywords": list(topic.keywords)} | match | one
        case "transcript":
            return one
    return {"names": list(fact.people)} if fact.people else {}


def _voice(stream: str, other: str, fact: Fact) -> dict[str, str]:
    spoken = "events" not in (stream, other)
    return {"voice": "same"} if spoken and len(fact.people) != 1 else {}


def _limits(reading: Reading) -> dict[str, Any]:
    """Give the stretch, the nth, and how long somebody speaks, as arguments of the anchor's call."""
    plan, values = reading.form.plan, reading.fact.values
    args: dict[str, Any] = reduce(Stretch.within, reading.stretches, Stretch()).args()
    edges = ("FIRST", "LAST") if reading.form.family == "clause" else ()
    nth = next((values[tag] for tag in ("ORD", "SECOND", *edges) if tag in values), None)
    if nth is not None and not plan.get("keep"):
        args["nth"] = int(nth)
    if "MANYSECONDS" in values and plan.get("answer") in ("who", "count"):
        args["min_talk"] = values["MANYSECONDS"].get("min_value")
    return args


def _fuse(reading: Reading, language: Language) -> dict[str, Any]:
    """Give the family's template, as words of rank and number and the clause change it."""
    plan, fact = reading.form.plan, reading.fact
    fuse = dict(plan.get("fuse", {}))
    if reading.clauses and not fact.topics:
        fuse |= plan.get("near", {}).get(reading.clauses[0][0].tag, {})
    if plan.get("rank") == "length":
        return fuse | {"order": "length" if "SHORTEST" in fact.features else "-length", "limit": 1}
    for tag, change in language.families["modifier"].items():
        fuse |= change if tag in fact.features and not plan.get("keep") else {}
    for tag in ("MANYTIMES", "MANYPEOPLE", *(() if plan["answer"] in ("who", "count") else ("MANYSECONDS",))):
        fuse |= fact.values.get(tag, {})
    return fuse


def _two(kind: str, reading: Reading) -> list[Reading]:
    """Give the two readings that are compared: of two people, sounds, topics or stretches; or one with everybody."""
    fact = reading.fact
    match kind:
        case "all":
            return [reading, replace(reading, fact=replace(fact, people=()))]
        case "halves":
            return [replace(reading, stretches=(stretch,)) for stretch in reading.stretches]
    name = next(name for name in ("people", "sounds", "topics") if len(getattr(fact, name)) == 2)
    return [replace(reading, fact=one) for one in _each(fact, name)]


def _each(fact: Fact, name: str) -> list[Fact]:
    changes: list[dict[str, Any]] = [{name: (one,)} for one in getattr(fact, name)]
    return [replace(fact, **change) for change in changes]
