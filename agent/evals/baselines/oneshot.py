"""B3: PlanRAG-Audio's method (arXiv 2605.20414): one plan, words taken literally, the nearest midpoint, no second try.

Each stream's filters come first and the streams are joined after that: of a partner's rows that pass, an anchor keeps
the one with the nearest midpoint within 2.5 s. So words are limited to a speaker by a join of two filtered streams, and
what somebody else says close to a speaker's turn passes. With `shared` boundaries the limit is exact instead: the
kindest reading of the paper, whose transcript and speakers are cut alike. The reader counts what it is given exactly.
"""

from dataclasses import dataclass
from typing import Any

from agent.evals.baselines.reader import Calls, asked, run
from agent.library import Library
from agent.reply import Reply
from tools.call import Session
from tools.plan import parse_plan

TAU = 2.5
NEAREST = {"relation": "nearest_midpoint", "tolerance": TAU}
# What the paper's plans cannot say.
BEYOND = ("semantic", "passages", "around")


@dataclass(frozen=True, slots=True)
class OneShot:
    """Plan once, retrieve once, answer from the rows."""

    shared: bool = False
    name: str = "B3"

    def __call__(self, library: Library, recording_id: str, question: str) -> Reply:
        """Answer from the rows of the one plan."""
        one = asked(library, recording_id, question, self.name)
        if one.planned.out_of_scope or not one.planned.tool_calls:
            return one.abstained()
        plan = parse_plan(paper(one.planned.tool_calls, shared=self.shared))
        with Session(library.database, one.scope) as session:
            return run(one, session, plan)


def paper(calls: Calls, *, shared: bool = False) -> Calls:
    """Give a plan as the paper's planner could write it."""
    fuse = next(call for call in calls if call["name"] == "fuse")
    streams = [call | {"args": {k: v for k, v in call["args"].items() if k not in BEYOND}} for call in calls]
    streams = [call for call in streams if call["name"] != "fuse"]
    joins = [{**join, **NEAREST, "kind": "inner", "voice": "any"} for join in fuse["args"].get("joins", [])]
    if not shared:
        limits = [limit for call in streams if (limit := _limit(call)) is not None]
        joins += [{"stream": limit["id"], "to": to, **NEAREST} for to, limit in limits]
        limited = {to for to, _ in limits}
        streams = [_unlimited(call) if call["id"] in limited else call for call in streams]
        streams += [limit for _, limit in limits]
    return [*streams, fuse | {"args": fuse["args"] | ({"joins": joins} if joins else {})}]


def _limit(call: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """Give the call of the speaker stream that stands for a limit on who speaks, and the id of what it limits."""
    who = call["args"].get("speaker")
    if who is None:
        return None
    return call["id"], {"name": "speaker", "id": f"of_{call['id']}", "args": {"names": [who]}, "type": "tool_call"}


def _unlimited(call: dict[str, Any]) -> dict[str, Any]:
    return call | {"args": {key: found for key, found in call["args"].items() if key != "speaker"}}
