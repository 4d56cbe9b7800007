"""refuse: why there is no answer, proven by counts that SQL can be asked for again, with what was heard and what else.

`searched` holds where was looked, the fewest constraints that cannot hold together (`minimal`), and for every count
the SQL that gives it, with the `keywords` it looks for; `tools.call.Session.recount` runs it again.
"""

from typing import Any

from agent.graph.claim import claimed
from agent.graph.diagnose import proof
from agent.graph.identify import nameless
from agent.graph.inquire import inquiry
from agent.graph.listen import POOR, heard_again, unheard
from agent.graph.reasons import name_of, told
from agent.graph.settle import turns_of
from agent.graph.so_far import so_far
from agent.graph.state import Desk, Draft, State
from agent.graph.validate import named
from agent.graph.verify import citation
from store.clock import clock
from store.record import Span, total
from store.rows import turns
from tools.citations import confirmed
from tools.compiler.selection import looked_up
from tools.plan import Plan
from tools.speaker.names import resolve
from tools.transcript.query import TranscriptQuery
from tools.validation.relax import Proof

UNCOUNTED = ("out_of_scope", "stream_missing", "stream_unreliable", "ambiguous_speaker")
UNCLAIMED = "no option is supported by the transcript of what {} says"


def refuse(state: State, desk: Desk) -> dict[str, Any]:
    """Say why not, with the proof; without a reason nothing was found, which is no refusal."""
    refusal = state["refusal"] or {}
    reason, plan = refusal.get("reason"), desk.asked or desk.plan
    if plan is not None and reason == "not_said_by_speaker":
        claim = claimed(plan, desk)
        if claim is None:  # they say the words, and nothing that others say of an option is literally lacking
            reason, refusal = None, {"said": True, "message": UNCLAIMED.format(" and ".join(named(plan)))}
        plan = claim or plan
    said = told(refusal, plan, desk)
    caveats = list(state.get("caveats", []))
    if not state.get("understood", True):
        caveats.append("not_understood")
    caveats += so_far(desk) if reason not in ("not_heard_yet", "out_of_scope") else []
    with desk.database.reader() as connection:
        real = confirmed(connection, desk.catalog, said.rows)
    cited = [citation(n, row) for n, row in enumerate((row for i, row in enumerate(said.rows) if i in real), 1)]
    reply: Draft = {"answer": said.text, "value": None, "citations": cited, "caveats": caveats}
    if reason is None:
        reply |= {"status": "not_found", "confidence": 0.0, "caveats": [*caveats, *_looked(plan, desk), *unheard(desk)]}
        return {"route": "end", "reply": reply, "said": "not found"}
    if reason == "not_said_by_speaker":
        caveats += [*nameless(name_of(refusal, plan), desk), *unheard(desk)]
    proven = None if plan is None or reason in UNCOUNTED else proof(plan, desk)
    reply |= {
        "status": "refused",
        "confidence": 0.95,
        "refusal": {
            "reason": reason,
            "constraint": refusal.get("constraint") or _constraint(plan),
            "searched": _searched(plan, desk) | _proof(proven, plan),
            "counts": {} if proven is None else dict(proven.counts),
            "coverage": _coverage(plan, desk, str(reason)),
            "alternatives": list(said.alternatives),
        },
    }
    update = {"reply": reply, "said": str(reason)}
    back = inquiry(str(reason), name_of(refusal, plan), said.text, list(said.voices), desk)
    if back is None:
        return update | {"route": "end"}
    return update | {"route": "inquire", "inquiry": back, "spent": desk.meter.spent}


def _constraint(plan: Plan | None) -> dict[str, Any]:
    if plan is None:
        return {}
    return dict(plan.call(plan.fuse.anchor).query.model_dump(exclude_defaults=True))


def _searched(plan: Plan | None, desk: Desk) -> dict[str, Any]:
    kinds = list(dict.fromkeys(call.query.stream for call in plan.calls)) if plan is not None else []
    return {
        "recordings": [entry.recording.public_id for entry in desk.catalog.recordings],
        "streams": {kind: sum(state.rows for state in desk.catalog.of(kind).values()) for kind in kinds},
        "seconds": sum(entry.recording.heard_ms for entry in desk.catalog.recordings) / 1000,
    }


def _proof(proven: Proof | None, plan: Plan | None) -> dict[str, Any]:
    if proven is None or plan is None:
        return {}
    terms = [term for call in plan.calls if isinstance(call.query, TranscriptQuery) for term in looked_up(call.query)]
    return {"minimal": list(proven.minimal), "sql": dict(proven.sql), "keywords": list(dict.fromkeys(terms))}


def _coverage(plan: Plan | None, desk: Desk, reason: str) -> dict[str, Any]:
    if plan is None or reason in ("out_of_scope", "stream_unreliable", "ambiguous_speaker") or not named(plan):
        return {}
    if any("speaker" not in entry.streams for entry in desk.catalog.recordings):
        return {}
    heard = turns_of(named(plan), plan.call(plan.fuse.anchor).query, desk)
    seconds = sum(group.value or 0 for group in heard.groups) / 1000
    return {
        "speaker": " and ".join(named(plan)),
        "seconds": seconds,
        "turns": heard.total,
        "poorly_heard_seconds": _poorly(plan, desk) / 1000,
        **heard_again(desk),
    }


def _poorly(plan: Plan, desk: Desk) -> int:
    """Give the milliseconds that people were heard poorly within what was asked for, over the union of their turns."""
    query, heard = plan.call(plan.fuse.anchor).query, 0
    with desk.database.reader() as connection:
        for entry in desk.catalog.recordings:
            span = query.within(entry.recording.duration_ms)
            theirs = {voice.label for name in named(plan) for voice in resolve(entry, name)}
            poor = (
                Span(max(turn.t0, span.t0), min(turn.t1, span.t1))
                for turn in turns(connection, entry.streams["speaker"].id)
                if turn.speaker in theirs and turn.score is not None and turn.score < POOR
            )
            heard += total(poor)
    return heard


def _looked(plan: Plan | None, desk: Desk) -> list[str]:
    found = _searched(plan, desk)
    rows = ", ".join(f"{count:,} rows of {kind}" for kind, count in found["streams"].items())
    return [f"searched: {rows} over {clock(round(found['seconds'] * 1000))}"] if rows else []
