"""How sure a reply is, from what its rows and streams say of themselves, by a small table fitted on noisy worlds.

A logistic function of four features whose weights can only pull one way: better scores and healthier streams never
make a reply less sure, wider searches never more. `scripts/calibrate_confidence.py` fits it and measures its error.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from agent.graph.identify import IN_DOUBT
from agent.graph.state import Desk
from agent.graph.sufficiency import empty
from tools.plan import Plan
from tools.validation.problem import names_of

TABLE = Path(__file__).with_name("confidence.json")
# A row or a stream without scores was written by somebody, not heard by a recogniser.
UNSCORED = 0.95
NOT_UNDERSTOOD = 0.2
EITHER = 0.5  # when a voice calls somebody else by the name it bears, one of the two is wrong
WIDEST = 0.99
# Asked end to end for 100 names planted in noise and 100 that nobody says, 32 of the first were found, 28 of them where
# they are, and 3 of the others; but nobody asks as often for what was said and lost as for what was never said
# (scripts/measure_denials.py ask).
HEARD_AGAIN = 0.5
CATALOG = (
    "unknown_speaker", "speaker_unidentified", "ambiguous_speaker", "out_of_range", "not_heard_yet", "stream_missing",
    "contradictory_constraints", "out_of_scope",
)  # fmt: skip
_LISTS = ("count", "when")
_WHOLES = ("order", "which_events", "speaker_turns", "duration", "share", "recordings")


@dataclass(frozen=True, slots=True)
class Features:
    """What a reply is rated by: its kind, the mean score of its rows, its weakest stream, how much was found, how."""

    kind: str
    score: float
    health: float
    rows: int
    widened: bool

    def vector(self) -> list[float]:
        """Give the numbers that the weights are for, each with more meaning more sure."""
        unsure = 1 - min(self.health, WIDEST)
        return [_logit(self.score), _logit(self.health), -unsure * math.log2(1 + self.rows), -float(self.widened)]

    @property
    def slopes(self) -> str:
        """Which weights are used: all of some rows must be right, all of many, a few are enough, none was found."""
        groups = {"lists": _LISTS, "wholes": _WHOLES, "absent": ABSENT}
        return next((name for name, kinds in groups.items() if self.kind in kinds), "picks")


ABSENT = ("zero", "not_found", "refused_rows", "refused_catalog")


def rated(parts: Mapping[str, Any], desk: Desk) -> float:
    """Give the confidence of a reply's parts, how likely it is right; the trace keeps what it was rated by."""
    if parts["status"] == "failed":
        return 0.0
    found = features(parts, desk)
    with desk.trace.step("confidence") as running:
        running.note(result_ref=json.dumps(asdict(found)))
    sure = confidence(found)
    if desk.again is not None and desk.again.hits:
        sure = min(sure, HEARD_AGAIN)
    if any(caveat.startswith(IN_DOUBT) for caveat in parts["caveats"]):
        sure = min(sure, EITHER)
    return round(sure * (NOT_UNDERSTOOD if "not_understood" in parts["caveats"] else 1.0), 3)


def features(parts: Mapping[str, Any], desk: Desk) -> Features:
    """Give what a reply is rated by."""
    plan = desk.asked or desk.plan
    scores = [UNSCORED if row.score is None else min(max(row.score, 0.0), 1.0) for row in desk.cited]
    return Features(
        kind=_kind(parts, desk),
        score=sum(scores) / len(scores) if scores else _health(plan, desk),
        health=_health(plan, desk),
        rows=desk.evidence.total if desk.evidence is not None else 0,
        widened=any(caveat.startswith("widened") for caveat in parts["caveats"]),
    )


def confidence(found: Features) -> float:
    """Give the chance that a reply with these features is right, by the shipped table."""
    return by_table(found, _table())


def by_table(found: Features, table: Mapping[str, Any]) -> float:
    """Give the chance by a table: a bias for the kind of reply, and the weights of its group."""
    score = table["kinds"].get(found.kind, table["kinds"]["other"])
    score += sum(weight * value for weight, value in zip(table["weights"][found.slopes], found.vector(), strict=True))
    return 1 / (1 + math.exp(-score))


@lru_cache(maxsize=1)
def _table() -> Mapping[str, Any]:
    table: Mapping[str, Any] = json.loads(TABLE.read_text(encoding="utf-8"))
    return table


def _kind(parts: Mapping[str, Any], desk: Desk) -> str:
    if parts["status"] == "not_found":
        return "not_found"
    if parts["status"] == "refused":
        return "refused_catalog" if parts["refusal"]["reason"] in CATALOG else "refused_rows"
    if desk.evidence is None or desk.plan is None or empty(desk.plan, desk.evidence):
        return "zero"
    family = desk.plan.fuse.answer_schema
    return family if isinstance(family, str) else "text"


def _health(plan: Plan | None, desk: Desk) -> float:
    """Give the health of the weakest stream that a plan uses; who is named needs the voices as well."""
    if plan is None:
        return UNSCORED
    used = {str(call.query.stream) for call in plan.calls}
    if plan.fuse.group == "speaker" or any(names_of(call.query) for call in plan.calls):
        used.add("speaker")
    states = [entry.streams[kind] for entry in desk.catalog.recordings for kind in entry.streams if kind in used]
    return min((UNSCORED if s.health is None else min(max(s.health, 0.0), 1.0) for s in states), default=UNSCORED)


def _logit(share: float) -> float:
    inside = min(max(share, 0.01), WIDEST)
    return math.log(inside / (1 - inside))
