"""Why a plan finds nothing, told to a brain that can plan otherwise: counts, near words and names, what there is."""

from agent.graph.alike import accented, sounding
from agent.graph.state import Desk
from store.errors import BudgetSpent, ToolError
from store.listing import listed
from tools.plan import Plan
from tools.transcript.query import TranscriptQuery
from tools.validation.problem import labels_of
from tools.validation.relax import Proof, prove

_SHOWN = 8


def replans(desk: Desk) -> bool:
    """Say whether the brain can plan otherwise when it is told why, and the budget has room for that."""
    return not desk.by_rules and desk.meter.rounds < desk.meter.budget.rounds


def diagnosis(plan: Plan, desk: Desk) -> str:
    """Tell what was found with each constraint dropped, and what exists that is near; a few lines."""
    lines = ["Nothing fits all constraints of this plan.", *_counted(plan, desk), *_near(plan, desk)]
    lines += _present(plan, desk)
    return " ".join(lines) + " Keep the people and times that the question names."


def proof(plan: Plan, desk: Desk) -> Proof | None:
    """Prove why a plan finds nothing; None when that cannot be counted within the budget."""
    try:
        return prove(desk.session, plan)
    except (ToolError, BudgetSpent):
        return None


def _counted(plan: Plan, desk: Desk) -> list[str]:
    proven = proof(plan, desk)
    if proven is None:
        return []
    counts = ", ".join(f"{name} {count}" for name, count in proven.counts.items())
    together = f" What cannot hold together: {' and '.join(proven.minimal)}." if proven.minimal else ""
    return [f"Rows found: {counts}.{together}"]


def _near(plan: Plan, desk: Desk) -> list[str]:
    queries = [call.query for call in plan.calls if isinstance(call.query, TranscriptQuery)]
    words = [word for query in queries for word in query.keywords]
    found = {word: (*accented(words, desk).get(word, ()), *others) for word, others in sounding(words, desk).items()}
    return [f"The transcript holds no “{word}”, but: {', '.join(others)}." for word, others in found.items()]


def _present(plan: Plan, desk: Desk) -> list[str]:
    lines = []
    for call in plan.calls:
        if labels_of(call.query):
            events = call.query.stream == "events"
            labels = sorted({name for e in desk.catalog.recordings for name in (e.events if events else e.emotions)})
            lines.append(f"Labels of {call.query.stream} that are present: {listed(labels, _SHOWN) or 'none'}.")
    return lines
