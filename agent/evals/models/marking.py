"""How replies are marked: plans against gold plans, values against those of the gold plan, words by key facts.

What only a person can judge, the wording of an open answer, is listed rather than decided.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from agent.brains.protocol import Planned
from agent.brains.scripted import ScriptedBrain
from agent.evals.models.asking import Outcome, put
from agent.evals.models.questions import Item, Rooms
from agent.evals.plans.sameness import MOST, same
from agent.graph.sentences import sentences
from agent.reply import Reply
from store.errors import ToolError
from store.keywords import holds, normalise
from tools.call import Session
from tools.canonical import to_json
from tools.evidence import EvidenceRow
from tools.families import SAID
from tools.plan import parse_plan

UNORDERED = ("who", "recordings", "which_events")
_LEFT_OUT = re.compile(r"no row supports were left out: (\d+)")
_NOTED = re.compile(r"not supported by the rows they cite: (\d+)")


@dataclass(frozen=True, slots=True)
class Mark:
    """One question marked: `plan` is None where there is no gold plan, `why` says what is wrong, `eye`: read it.

    `by_rules`: the model gave no usable plan. Of its sentences: how many it wrote, how many checking left out or noted
    as not supported, and how many stand in the reply without a row.
    """

    id: str
    family: str
    plan: bool | None
    right: bool
    why: str
    eye: bool
    by_rules: bool
    written: int
    left_out: int
    noted: int
    uncited: int


def marked(outcome: Outcome, rooms: Rooms) -> Mark:
    """Mark one outcome."""
    item, reply = outcome.item, outcome.reply
    planned = None if not item.plan else _plan_complaint(outcome, rooms.place(item).session)
    wrong = complaint(item, reply, rooms)
    left_out, noted = (sum(int(n) for c in reply.caveats for n in found.findall(c)) for found in (_LEFT_OUT, _NOTED))
    worded = reply.answer_kind == "generated" and reply.status == "answered"
    told = sentences(reply.answer) if worded else ()
    whys = [text for text in (planned and f"plan: {planned}", wrong and f"answer: {wrong}") if text]
    return Mark(
        id=item.id,
        family=item.family,
        plan=None if not item.plan else planned is None,
        right=wrong is None,
        why="; ".join(whys),
        eye=worded,
        by_rules=_by_rules(outcome.first),
        written=len(told) + left_out,
        left_out=left_out,
        noted=noted,
        uncited=sum(not sentence.marks for sentence in told),
    )


def _plan_complaint(outcome: Outcome, session: Session) -> str | None:
    first = outcome.first
    if first is None:
        return "none"
    if first.out_of_scope or _by_rules(first):
        return "taken for off-topic" if first.out_of_scope else first.note
    try:
        plan = parse_plan(first.tool_calls)
    except ToolError as error:
        return str(error)
    gold = parse_plan([*outcome.item.plan])
    return None if same(plan, gold, session) else " | ".join(f"{c['name']} {c['args']}" for c in first.tool_calls)


def _by_rules(first: Planned | None) -> bool:
    """Say whether the rules planned because the model gave no plan that could be used."""
    return first is not None and "the rules planned" in (first.note or "")


def complaint(item: Item, reply: Reply, rooms: Rooms) -> str | None:
    """Say what is wrong with a reply, None when nothing is."""
    if reply.status == "failed":
        return f"failed: {reply.error.message if reply.error else reply.answer}"
    if item.plan:
        return _against_gold(item, reply, rooms)
    reason = reply.refusal.reason if reply.refusal else None
    if item.status != "answered":
        wanted = (item.status,) if item.reasons else ("refused", "not_found")
        fits = reply.status in wanted and (not item.reasons or reason in item.reasons)
        return (
            None if fits else f"{reply.status} {reason or ''} {reply.answer[:80]!r}, not {item.status} {item.reasons}"
        )
    return _facts(item, reply)


def _facts(item: Item, reply: Reply) -> str | None:
    if reply.status != "answered":
        return f"{reply.status}: {reply.answer[:80]!r}"
    said = normalise(reply.answer)
    missing = [words[0] for words in item.must if not any(_told(word, said) for word in words)]
    wrong = [words for words in item.never if _told(words, said)]
    told = [f"lacks {', '.join(missing)}"] * bool(missing) + [f"says {', '.join(wrong)}"] * bool(wrong)
    return "; ".join(told) or None


def _told(words: str, said: str) -> bool:
    return holds(said, normalise(words))


def _against_gold(item: Item, reply: Reply, rooms: Rooms) -> str | None:
    """Hold a reply against what becomes of the gold plan: the value, or of words the rows that they may rest on."""
    gold = put(item, rooms, ScriptedBrain((Planned([*item.plan]),)))
    reasons = [r.refusal.reason if r.refusal else None for r in (reply, gold)]
    if reply.status != gold.status or reasons[0] != reasons[1]:
        return f"{reply.status} {reasons[0] or ''}, not {gold.status} {reasons[1] or ''}"
    family = str(parse_plan([*item.plan]).fuse.answer_schema)
    if family in SAID and reply.status == "answered":
        return None if _cites_only(item, reply, rooms.place(item).session) else "cites rows the gold plan does not find"
    mine, right = _plain(family, reply.value), _plain(family, gold.value)
    return None if mine == right else f"{mine[:80]}, not {right[:80]}"


def _cites_only(item: Item, reply: Reply, session: Session) -> bool:
    rows = session.run(parse_plan([*item.plan]), MOST).rows
    known = {(row.recording, row.t0 / 1000) for row in _all(rows)}
    return all((cited.recording, cited.start) in known for cited in reply.citations)


def _all(rows: Sequence[EvidenceRow]) -> list[EvidenceRow]:
    return [other for row in rows for other in (row, *row.partners, *row.onward)]


def _plain(family: str, value: Any) -> str:
    """Write a value so that equal ones are equal: without order where there is none, and labels in any case."""
    if family in UNORDERED and value is not None:
        value = sorted(value if isinstance(value, list) else [value], key=str)
    return to_json(value).casefold()
