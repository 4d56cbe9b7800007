"""From a reading to a plan: the stream follows from the slots, how it is fused from the family's template."""

from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

from agent.brains.rules.calls import call
from agent.brains.rules.language import Language
from agent.brains.rules.meaning import Fact, Reading
from agent.brains.rules.ranges import Stretch
from agent.brains.rules.topics import Topic

_BY_ONE = ("transcript", "emotion")
_TALKERS = ("who", "count")


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
    values = reading.fact.values
    few = plan["answer"] == "count" and "max_value" in values.get("MANYSECONDS", {})
    if few or (reading.clauses and values.keys() & {"ORD", "SECOND"} and not plan.get("keep")):
        return None
    if "versus" in plan and len(_two(plan["versus"], reading)) != 2:
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


def _asked(draft: _Draft, reading: Reading, to: str | None = None, **how: Any) -> str:
    """Ask for all that a question or clause names; what the anchor's stream cannot say becomes its partners."""
    fact = reading.fact
    if reading.form.plan.get("borrow") and reading.clauses:
        fact = replace(fact, people=reading.clauses[0][1].fact.people)
    both, *others = [fact] if reading.form.plan.get("joint") else _both(fact)
    named = {"emotion": fact.emotions, "events": fact.sounds, "transcript": fact.topics}
    stream = reading.form.plan.get("stream") or next((kind for kind, slot in named.items() if slot), "speaker")
    anchor = draft.ask(stream, _args(stream, both) | _limits(reading))
    if to is not None:
        draft.join(to, anchor, **how)
    lies, beside = (reading.form.plan.get(key, {}) for key in ("lies", "beside"))
    for other in (kind for kind, slot in named.items() if slot and kind != stream):
        draft.join(anchor, draft.ask(other, _args(other, both)), **_voice(stream, other, both) | beside)
    for second in others or ([replace(fact, people=())] if lies else []):
        voice = _voice(stream, stream, fact) if len(fact.topics) > 1 else {}
        draft.join(anchor, draft.ask(stream, _args(stream, second)), **lies or {"relation": "anywhere"} | voice)
    if len(both.people) > 1 and stream in _BY_ONE:
        draft.join(anchor, draft.ask("speaker", {"names": list(fact.people)}), voice="same")
    for relation, clause in reading.clauses:
        mine = clause.fact.open or (reading.form.plan.get("own") and not clause.fact.people)
        own = replace(clause, fact=replace(clause.fact, people=fact.people)) if mine else clause
        slack = {} if relation.value is None else {"tolerance": relation.value}
        crossed = relation.tag == "WHILE" and stream == "speaker" and not fact.people and clause.fact.people
        mine = clause.fact.open and not fact.people and stream != "events"
        same = {"voice": "other" if crossed else "same"} if crossed or mine else {}
        _asked(draft, own, anchor, **draft.language.families["relation"][relation.tag] | slack | same)
    return anchor


def _both(fact: Fact) -> list[Fact]:
    """Give a fact, or the two that must both be: of two topics, or of two people or sounds at the same time."""
    able = {"topics": True, "people": bool(fact.features & {"BOTH", "SAMETIME"}), "sounds": "SAMETIME" in fact.features}
    return next((_each(fact, name) for name, may in able.items() if may and len(getattr(fact, name)) > 1), [fact])


def _args(stream: str, fact: Fact) -> dict[str, Any]:
    topic = fact.topics[0] if fact.topics else Topic(())
    name = {"transcript": "keywords", "speaker": "names"}.get(stream, "labels")
    named = {"emotion": fact.emotions, "events": fact.sounds, "transcript": topic.keywords, "speaker": fact.people}
    args: dict[str, Any] = {name: list(named[stream])} if named[stream] else {}
    args |= {"match": topic.match} if stream == "transcript" and topic.match != "any" else {}
    alone = stream in _BY_ONE and len(fact.people) == 1
    return args | ({"speaker": fact.people[0]} if alone else {})


def _voice(stream: str, other: str, fact: Fact) -> dict[str, str]:
    return {"voice": "same"} if "events" not in (stream, other) and len(fact.people) != 1 else {}


def _limits(reading: Reading) -> dict[str, Any]:
    """Give the stretch, the nth, and how long somebody speaks, as arguments of the anchor's call."""
    plan, values = reading.form.plan, reading.fact.values
    args: dict[str, Any] = reduce(Stretch.within, reading.stretches, Stretch()).args()
    edges = ("FIRST", "LAST") if reading.form.family == "clause" else ()
    nth = next((values[tag] for tag in ("ORD", "SECOND", *edges) if tag in values), None)
    if nth is not None and not plan.get("keep"):
        args["nth"] = int(nth)
    if plan.get("answer") in _TALKERS and "min_value" in (long := values.get("MANYSECONDS", {})):
        args["min_talk"] = long["min_value"]
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
    for tag in ("MANYTIMES", "MANYPEOPLE", "MANYSECONDS"):
        fuse |= fact.values.get(tag, {}) if tag != "MANYSECONDS" or plan["answer"] not in _TALKERS else {}
    if "max_value" in (long := fact.values.get("MANYSECONDS", {})) and plan["answer"] == "who":
        fuse |= {"aggregate": "total_duration", **long}
    every = fact.values.get("MINUTES", 60) if fuse.get("group") == "time" else 60
    return fuse if every == 60 else fuse | {"every": every}


def _two(kind: str, reading: Reading) -> list[Reading]:
    """Give the readings compared: of two people, sounds, topics or stretches, or one with everybody; two if it is."""
    fact = reading.fact
    if kind == "all":
        return [reading, replace(reading, fact=replace(fact, people=()))]
    if kind == "halves":
        return [replace(reading, stretches=(stretch,)) for stretch in reading.stretches]
    name = next((name for name in ("people", "sounds", "topics") if len(getattr(fact, name)) == 2), "people")
    return [replace(reading, fact=one) for one in _each(fact, name)[:: -1 if kind == "turned" else 1]]


def _each(fact: Fact, name: str) -> list[Fact]:
    return [replace(fact, **dict[str, Any]({name: (one,)})) for one in getattr(fact, name)]
