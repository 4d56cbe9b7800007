"""A case judged: every expectation holds, or the case has failed; there is no third way but an author's own `skip`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from agent.evals.suites.agent import Fault
from agent.evals.suites.places import Place
from agent.evals.suites.scorers.endings import ending
from agent.evals.suites.scorers.graded import NEEDS
from agent.evals.suites.scorers.scorer import Grade, Seen
from agent.evals.suites.suite import Case
from agent.reply import Reply

Outcome = Literal["passed", "failed", "skipped"]
Grader = Callable[[str, str, str], Grade]
NOT_ASKED = "not graded, since something else is wrong already"


@dataclass(frozen=True, slots=True)
class Score:
    """One expectation held against a reply: how much of it holds, whether that is enough, and what is missing."""

    scorer: str
    share: float
    passed: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class Judged:
    """A case with what came of it: `reasons` say why it did not pass; seconds as they passed on the clock."""

    case: Case
    outcome: Outcome
    reasons: tuple[str, ...] = ()
    scores: tuple[Score, ...] = ()
    reply: Reply | None = None
    fault: Fault | None = None
    seconds: float = 0.0
    kept: bool = False


def skipped(case: Case) -> Judged:
    """Give a case that its author leaves out, with the reason."""
    return Judged(case, "skipped", (case.skip or "",))


def judged(case: Case, given: Reply | Fault, place: Place | None, grader: Grader | None = None) -> Judged:
    """Hold what came of a case against all its expectations; a model is asked last, and only when all else holds."""
    if isinstance(given, Fault):
        return Judged(case, "failed", (f"{given.kind}: {given.message}",), fault=given)
    rows = None if place is None or place.recording is None else place.rows
    seen = Seen(given, case.question, rows, grader)
    if given.status == "failed":
        return Judged(case, "failed", (ending(seen),), reply=given)
    scores: list[Score] = []
    for name, scorer in case.expect:
        if name == "model_graded" and not all(score.passed for score in scores):
            scores.append(Score(name, 0.0, False, NOT_ASKED if grader else NEEDS))
            continue
        mark = scorer.mark(seen)
        passed = scorer.passes(mark)
        scores.append(Score(name, mark.share, passed, "" if passed else mark.why))
    reasons = tuple(f"{score.scorer}: {score.why}" for score in scores if not score.passed)
    return Judged(case, "failed" if reasons else "passed", reasons, tuple(scores), given)
