"""answer: the value is what SQL computed, in the family's published schema; the brain words it and says what it cites.

A brain cannot change a computed value: only where words are the answer (quotes, a summary, an option) it is its own.
When a brain finds no answer in the rows, the question is planned once more before that is the end.
"""

from typing import Any

from agent.brains.protocol import Answered
from agent.brains.rules.brain import RulesBrain
from agent.brains.rules.language import language
from agent.brains.rules.phrases import nothing
from agent.brains.rules.wording import worded
from agent.graph.excited import aroused
from agent.graph.identify import contradicted, nameless
from agent.graph.listen import unheard
from agent.graph.ordered import partly
from agent.graph.sentences import renumbered
from agent.graph.settle import Lookalike, elsewhere, lookalikes, turns_of
from agent.graph.so_far import so_far
from agent.graph.state import Desk, Draft, State
from agent.graph.sufficiency import empty
from agent.graph.topic import in_own_words, meant
from agent.graph.validate import named
from agent.routes.route import all_read, routed
from store.clock import clock
from tools.emotion.labels import UNCLEAR
from tools.evidence import EvidenceRow
from tools.families import WORDED, value
from tools.plan import Plan

HEALTHY = 0.6
CITED = 40
NOT_UNDERSTOOD = "The question was not understood; the passages cited may help, the best first."
_STARTS = ("A ", "Heard", "In ", "No ", "No:", "Nobody", "None", "People", "Somebody", "Yes")
UNANSWERED = (
    "The rows that this plan found do not answer the question. Look for other words, another stretch or another "
    "stream, or for what was said around these rows."
)


def answer(state: State, desk: Desk) -> dict[str, Any]:
    """Word the answer; an empty search that is an answer says who did, or how much was searched."""
    understood = "not_understood" not in state.get("caveats", [])
    computed = value(*desk.current)
    answered = routed(desk, computed)
    plan, evidence = desk.current
    if answered.kind != "generated" and meant(plan, desk.catalog):
        evidence = in_own_words(plan, evidence, desk.catalog)
        answered = RulesBrain().answer(desk.question, plan, evidence, value(plan, evidence))
    nothing_found = empty(plan, evidence)
    if nothing_found and answered.kind == "generated":
        answered = worded(plan, evidence, computed, language())
    found = answered.found and not (desk.question.options and answered.value is None and _own(plan, desk))
    again = not state.get("reread", False) and not all_read(answered)
    if not found and again and desk.meter.rounds < desk.meter.budget.rounds:
        desk.asked = None
        return {"route": "plan", "reread": True, "feedback": UNANSWERED, "said": "the rows do not answer it"}
    rows, text = _cited(answered, evidence.rows)
    caveats = [*state.get("caveats", []), *evidence.caveats, *answered.caveats, *_health(plan, desk)]
    if nothing_found:
        rows, said, more = _nothing(plan, desk)
        text, caveats = f"{text} {said}".strip(), [*caveats, *more]
    if computed == UNCLEAR:
        text = f"{text} {aroused(evidence.rows, desk)}".strip()
    if part := partly(plan, computed, desk):
        found, text = False, part
    lead = _lead(desk.asked, caveats, understood)
    if not understood and answered.kind != "generated":
        rows, lead, text = evidence.rows[: len(rows)], NOT_UNDERSTOOD, ""  # cited as found, and not written twice
    elif understood and lead and text.startswith(_STARTS):
        text = text[:1].lower() + text[1:]
    desk.cited = (*rows, *_beside(rows))[:CITED]
    caveats += contradicted(named(plan), desk)
    reply: Draft = {
        "status": "answered" if found else "not_found",
        "lead": lead,
        "answer": text,
        "value": None if not understood or not found else answered.value if _own(plan, desk) else computed,
        "answer_kind": answered.kind,
        "caveats": list(dict.fromkeys(caveats)),
    }
    return {"route": "verify", "reply": reply, "said": f"{lead}{text}".split("\n")[0]}


def searched(plan: Plan, desk: Desk) -> str:
    """Say how much was searched: the rows of the anchor's stream and the length that was heard."""
    query = plan.call(plan.fuse.anchor).query
    rows = sum(state.rows for state in desk.catalog.of(query.stream).values())
    heard = sum(entry.recording.heard_ms for entry in desk.catalog.recordings)
    return f"{rows:,} rows of {query.stream} over {clock(heard)}"


def _cited(answered: Answered, rows: tuple[EvidenceRow, ...]) -> tuple[tuple[EvidenceRow, ...], str]:
    """Give the rows that are cited and exist, and the text with its marks [n] naming these."""
    real = [(n, rows[place]) for n, place in enumerate(answered.cited, 1) if 0 <= place < len(rows)]
    if answered.kind != "generated" or not answered.found:
        return tuple(row for _, row in real), answered.text
    places = {n: new for new, (n, _) in enumerate(real, 1)}
    return tuple(row for _, row in real), renumbered(answered.text, places)


def _lead(asked: Plan | None, caveats: list[str], understood: bool) -> str:
    """Say that a question was not understood, or that nothing fits where the answer lies only close to it."""
    if not understood:
        return f"{NOT_UNDERSTOOD}\n"
    near = any(caveat.startswith(("widened: within", "widened: passages")) for caveat in caveats)
    return f"{nothing(asked)}; nearest to it: " if asked is not None and near else ""


def _own(plan: Plan, desk: Desk) -> bool:
    """Say whether the value is the brain's: words, an option, or what a schema of a model's own asks for."""
    family = plan.fuse.answer_schema
    return isinstance(family, dict) or family in WORDED or bool(desk.question.options)


def _nothing(plan: Plan, desk: Desk) -> tuple[tuple[EvidenceRow, ...], str, list[str]]:
    """Give, for an answer of no or 0, the rows of who did instead, a sentence, and what was searched."""
    query, people = plan.call(plan.fuse.anchor).query, named(plan)
    others = elsewhere(plan, desk) if query.stream in ("transcript", "emotion") else ()
    where = [f"{row.speaker} at {clock(row.t0)}" for row in others if row.speaker][:3]
    said = f"Others do: {', '.join(where)}." if where else ""
    alike = Lookalike() if others else lookalikes(plan, desk)
    told = [f"searched: {searched(plan, desk)}", *alike.caveats, *_coverage(people, plan, desk)]
    told += [caveat for name in people for caveat in nameless(name, desk)]
    told += unheard(desk)
    return (*others, *alike.rows), f"{said} {alike.text}".strip(), told


def _coverage(people: list[str], plan: Plan, desk: Desk) -> list[str]:
    if not people or any("speaker" not in entry.streams for entry in desk.catalog.recordings):
        return []
    heard = turns_of(people, plan.call(plan.fuse.anchor).query, desk)
    seconds = sum(group.value or 0 for group in heard.groups) / 1000
    return [f"coverage: {' and '.join(people)} heard for {seconds:.1f} s"]


def _health(plan: Plan, desk: Desk) -> list[str]:
    """Say which streams in use are unsure, and what has not been heard yet."""
    used = {call.query.stream for call in plan.calls}
    states = [entry.streams[kind] for entry in desk.catalog.recordings for kind in used if kind in entry.streams]
    weak = [state for state in states if state.health is not None and state.health < HEALTHY and not state.findings]
    unsure = [f"the {state.kind} stream is unsure ({state.note or f'health {state.health:.2f}'})" for state in weak]
    unsure += [f"the {state.kind} stream: {found}" for state in states for found in state.findings]
    return [*unsure, *so_far(desk)]


def _beside(rows: tuple[EvidenceRow, ...]) -> tuple[EvidenceRow, ...]:
    """Give where each cited row goes on, and its first partner, so that "during the siren" cites the siren too."""
    known = {(row.stream, row.id) for row in rows}
    more = (other for row in rows for other in (*row.onward, *row.partners[:1]))
    return tuple({(row.stream, row.id): row for row in more if (row.stream, row.id) not in known}.values())
