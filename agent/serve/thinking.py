"""What the rules say to a request: a plan as tool calls or as JSON, or an answer worded from the rows it brings.

Told why a plan was not enough, they give it again: what a first plan could not say, they cannot say otherwise. What
they do not understand is planned as a search for its words, as ever.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agent.brains.citing import NOT_FOUND
from agent.brains.protocol import Planned
from agent.brains.rules.brain import RulesBrain
from agent.brains.schemas import OUT_OF_SCOPE
from agent.serve.asked import Asked, asked
from agent.serve.wire import Request
from store.errors import ToolError
from tools.evidence import Evidence, EvidenceRow
from tools.families import WORDED
from tools.plan import Plan, parse_plan

NOTHING_ASKED = (
    "I am the rules of Overheard: I plan and word answers about a recording whose catalog or rows a prompt of "
    "Overheard shows me, and nothing else."
)
UNCLEAR = "UNCLEAR"
_QUOTES = [
    {"name": "transcript", "args": {}, "id": "transcript_1"},
    {"name": "fuse", "args": {"anchor": "transcript_1", "answer_schema": "quote"}, "id": "fuse_1"},
]


@dataclass(frozen=True, slots=True)
class Said:
    """What the assistant says: a text, or calls as names with their arguments."""

    text: str = ""
    calls: tuple[tuple[str, Mapping[str, Any]], ...] = ()


def think(request: Request) -> Said:
    """Answer a request by what stands in it."""
    found = asked(request.messages)
    if found is None:
        return Said(NOTHING_ASKED)
    if found.turns is not None:
        # The rules have restated what they can before anybody is asked; see `agent.graph.follow`.
        return Said(UNCLEAR)
    if found.rows is not None:
        return Said(_worded(found, found.rows))
    planned = RulesBrain().plan(found.question, found.catalog, None)
    if not planned.tool_calls and not planned.out_of_scope:
        return Said(planned.note or NOTHING_ASKED)
    if "fuse" in request.tools:
        return Said(calls=_as_calls(planned))
    return Said(_as_json(planned))


def _as_calls(planned: Planned) -> tuple[tuple[str, Mapping[str, Any]], ...]:
    """Give a plan as tool calls; each stream's is named by its `ref`, as ids are the endpoint's own."""
    calls = [(call["name"], call["args"] | {"ref": call["id"]}) for call in planned.tool_calls[:-1]]
    return (*calls, *((call["name"], call["args"]) for call in planned.tool_calls[-1:])) or ((OUT_OF_SCOPE, {}),)


def _as_json(planned: Planned) -> str:
    calls = [{"tool": call["name"], "ref": call["id"], **call["args"]} for call in planned.tool_calls[:-1]]
    fuse = planned.tool_calls[-1]["args"] if planned.tool_calls else None
    return json.dumps({OUT_OF_SCOPE: planned.out_of_scope, "calls": calls, "fuse": fuse}, ensure_ascii=False)


def _worded(found: Asked, numbered: Mapping[int, EvidenceRow]) -> str:
    """Word an answer from rows, each line with its row's number; what no row supports is not found."""
    rows = tuple(numbered.values())
    if rows and all(map(_noted, rows)):
        return "\n".join(f"{row.text} [{row.id}]" for row in rows)
    plan = _plan(found)
    evidence = Evidence(rows, len(rows))
    answered = RulesBrain().answer(found.question, plan, evidence, None) if rows else None
    if answered is None or not answered.cited or answered.value is None:
        return NOT_FOUND
    cited = [rows[place] for place in answered.cited]
    if found.question.options:
        return f"{answered.text} [{cited[0].id}]"
    lines = zip(answered.text.split("\n"), cited, strict=False)
    return "\n".join(f"{line} [{row.id}]" for line, row in lines)


def _noted(row: EvidenceRow) -> bool:
    """Say whether a row is a note of one stretch, which itself says who said what."""
    return row.text is not None and row.speaker is None and "“" in row.text


def _plan(found: Asked) -> Plan:
    """Plan the question again to know its family; rows of any other than words are quoted."""
    planned = RulesBrain().plan(found.question, found.catalog, None)
    try:
        plan = parse_plan(planned.tool_calls)
    except ToolError:
        return parse_plan(_QUOTES)
    return plan if plan.fuse.answer_schema in WORDED else parse_plan(_QUOTES)
