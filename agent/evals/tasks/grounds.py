"""What a reply stands on, held against the truth: its plan, its rows and citations, and the proof of a refusal."""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agent.evals.plans.sameness import MOST, same
from agent.evals.tasks.item import Item, Place
from agent.evals.worlds.proofs import broken
from agent.evals.worlds.truth import World
from agent.library import Library
from agent.reply import Reply
from store.errors import ToolError
from tools.call import Session
from tools.plan import Plan, parse_plan

# How far a row's edges may lie from the gold row's; recognisers do not cut to the millisecond.
NEAR_MS = 250


@dataclass(frozen=True, slots=True)
class Grounds:
    """What was found; None where there is nothing to hold it against. `proof` is what is wrong with a refusal's."""

    plan: bool | None = None
    recall: float | None = None
    precision: float | None = None
    citations: float | None = None
    proof: str | None = None
    proven: bool | None = None


def grounds(item: Item, reply: Reply, library: Library, session: Session, truth: sqlite3.Connection) -> Grounds:
    """Look at a reply's plan, evidence, citations and refusal."""
    plan = _plan(reply)
    same_plan = None if not item.plan else plan is not None and same(plan, gold_plan(item), session)
    complaint = proof(item, reply, library, truth) if reply.refusal is not None else None
    proven = complaint is None if reply.refusal is not None else None
    if not item.evidence or reply.status != "answered":
        recall = 0.0 if item.evidence and item.answerable else None
        return Grounds(same_plan, recall, proof=complaint, proven=proven)
    cited = [(c.stream, round(1000 * c.start), round(1000 * c.end)) for c in reply.citations]
    rows = _rows(plan, session) or cited
    precision = _share(_among(row, item.evidence) for row in rows)
    citations = _share(_among(row, item.evidence) for row in cited)
    return Grounds(same_plan, _share(_among(row, rows) for row in item.evidence), precision, citations)


def gold_plan(item: Item) -> Plan:
    """Give an item's gold plan."""
    calls = [{"name": name, "args": args, "id": f"{name}_1", "type": "tool_call"} for name, args in item.plan]
    return parse_plan(calls)


def truth_table(world: World) -> sqlite3.Connection:
    """Give the truth's words as one table in memory, for proofs."""
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE said(speaker TEXT, text TEXT, t0 INTEGER, t1 INTEGER)")
    rows = ((s.speaker, s.text, s.t0, s.t1) for s in world.segments)
    connection.executemany("INSERT INTO said VALUES(?, ?, ?, ?)", rows)
    return connection


def proof(item: Item, reply: Reply, library: Library, truth: sqlite3.Connection) -> str | None:
    """Say what is wrong with a refusal's proof: counts that do not come out again, or rows of the truth that fit."""
    if complaint := broken(reply, library):
        return complaint
    if item.form != "letter" or reply.refusal is None:
        return None
    reason, asked = reply.refusal.reason, item.asked
    limits, values = ["1"], list[object]()
    if asked.speaker is not None:
        limits, values = [*limits, "speaker = ?"], [*values, asked.speaker]
    if asked.span is not None and reason != "unknown_speaker":
        limits, values = [*limits, "t0 < ? AND t1 > ?"], [*values, asked.span[1], asked.span[0]]
    if reason not in ("unknown_speaker", "speaker_absent_in_range"):
        options = list(asked.options.values())
        limits += ["instr(text, ?)", f"({' OR '.join('instr(text, ?)' for _ in options)})"]
        values += [asked.entity, *options]
    (there,) = truth.execute(f"SELECT COUNT(*) FROM said WHERE {' AND '.join(limits)}", values).fetchone()
    return f"refused ({reason}), but {there} rows of the truth fit" if there else None


def _plan(reply: Reply) -> Plan | None:
    try:
        return parse_plan(reply.plan) if reply.plan else None
    except ToolError:
        return None


def _rows(plan: Plan | None, session: Session) -> list[Place]:
    if plan is None:
        return []
    try:
        evidence = session.run(plan, MOST)
    except ToolError:
        return []
    return [(row.stream, row.t0, row.t1) for row in evidence.rows]


def _among(row: Place, rows: Sequence[Place]) -> bool:
    return any(r[0] == row[0] and abs(r[1] - row[1]) <= NEAR_MS and abs(r[2] - row[2]) <= NEAR_MS for r in rows)


def _share(hits: Iterable[bool]) -> float:
    found = list(hits)
    return sum(found) / len(found) if found else 0.0
