"""plan: the brain turns the question into tool calls; the same plan twice ends the loop with what is known.

Whoever asked a model is told when the rules planned instead of it.
"""

from typing import Any

from agent.brains.protocol import INSTEAD, Feedback, Planned, Searching
from agent.graph.settle import settled
from agent.graph.state import Desk, Objection, State
from agent.graph.topic import is_open, opened
from agent.routes.route import reads_all
from store.embedded import has_vectors
from store.errors import ToolError
from tools.canonical import to_json
from tools.plan import parse_plan

ALONE = (
    "The question was not understood: each question stands alone, so name who or what is meant, "
    "such as “What did Ada say about the budget?”."
)
UNCLEAR = "The question was not understood, nor what of the earlier ones it means: name who or what is meant."
NO_PLAN = "No plan was found."
READ_AS = "read as: "


def plan(state: State, desk: Desk) -> dict[str, Any]:
    """Ask the brain for a plan, with what was wrong about the last one."""
    desk.meter.round()
    told = state.get("feedback")
    planned = _planned(desk, Feedback(desk.plan, told) if told else None)
    desk.meter.spend(planned.cost)
    instead = [str(planned.note)] if planned.instead else []
    if planned.out_of_scope or (planned.aside and not _spoken_of(planned.tool_calls, desk)):
        refusal: Objection = {"reason": "out_of_scope", "message": "This is not a question about a recording."}
        update = _refused(refusal, [*state.get("caveats", []), *instead])
        return update | {"said": "not about a recording"}
    if not planned.understood and not (planned.tool_calls and _written_down(desk)):
        nothing: Objection = {"reason": None, "message": UNCLEAR if state.get("turns") else ALONE}
        update = _refused(nothing, [*state.get("caveats", []), *instead]) | {"understood": False}
        return update | {"said": planned.note or "not understood, and nothing to search for"}
    calls = planned.tool_calls
    if not planned.understood or is_open(calls, desk.catalog, reads_all=reads_all(desk)):
        freely = not desk.by_rules
        calls = opened(calls, desk.question.text, desk.catalog, semantic=desk.semantic, freely=freely)
    seen, key = state.get("seen", []), _key(calls)
    update = {"tool_calls": calls, "seen": [*seen, key], "understood": planned.understood}
    update |= {"widened": [], "caveats": [*_caveats(state, planned), *instead]}
    if key in seen:
        return update | _known(state, desk)
    return update | {"route": "validate", "said": planned.note or _named(calls)}


def _planned(desk: Desk, feedback: Feedback | None) -> Planned:
    """Let the brain plan, told whether rows can be searched by meaning."""
    brain = desk.brain
    if isinstance(brain, Searching):
        brain = brain.searching(meaning=desk.semantic and _embedded(desk))
    return brain.plan(desk.question, desk.catalog, feedback)


def _written_down(desk: Desk) -> bool:
    """Say whether any words were heard that could be searched instead of what was not understood."""
    return any("transcript" in entry.streams for entry in desk.catalog.recordings)


def _embedded(desk: Desk) -> bool:
    with desk.database.reader() as connection:
        return has_vectors(connection, [state.id for state in desk.catalog.of("transcript").values()])


def _caveats(state: State, planned: Planned) -> list[str]:
    """Give the caveats of earlier plans that still hold, and what the question was read as."""
    said = [one for one in state.get("caveats", []) if not one.startswith(("widened", READ_AS))]
    read_as = planned.read_as or state.get("read_as")
    return [one for one in said if not one.endswith(INSTEAD)] + ([f"{READ_AS}{read_as}"] if read_as else [])


def _refused(refusal: Objection, caveats: list[str]) -> dict[str, Any]:
    return {"route": "refuse", "refusal": refusal, "tool_calls": [], "caveats": caveats}


def _spoken_of(calls: list[dict[str, Any]], desk: Desk) -> bool:
    """Say whether any word is spoken of a question that is likely about no recording."""
    try:
        return bool(calls) and desk.run(parse_plan(calls)).total > 0
    except ToolError:
        return False


def _known(state: State, desk: Desk) -> dict[str, Any]:
    """End a loop: answer from rows that were found, else say what stood in the way, or what finding nothing means."""
    said = "the same plan again: stopping with what is known"
    caveats = [*state.get("caveats", []), "same_plan_twice"]
    if desk.to_best():
        return {"route": "answer", "caveats": caveats, "said": said}
    if state.get("refusal") is None and desk.asked is not None and desk.evidence is not None:
        return settled({**state, "diagnosed": True}, desk)
    refusal = state.get("refusal") or {"reason": None, "said": True, "message": state.get("feedback") or NO_PLAN}
    return {"route": "refuse", "refusal": refusal, "said": said}


def _named(calls: list[dict[str, Any]]) -> str:
    return " + ".join(str(call.get("name")) for call in calls)


def _key(calls: list[dict[str, Any]]) -> str:
    """Give the plan in a form that is equal when the same is asked; ids are the brain's own business."""
    return to_json([[call.get("name"), call.get("args")] for call in calls])
