"""A suite run: each case in its place, several at once, in an order that the seed gives; every case has a result."""

import random
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

from agent.evals.suites.agent import Agent
from agent.evals.suites.judging import Grader, Judged, judged, skipped
from agent.evals.suites.kept import Kept
from agent.evals.suites.places import Place, Places
from agent.evals.suites.suite import Case, Suite


@dataclass(frozen=True, slots=True)
class Run:
    """How a suite is run: who answers, how many at once, in which order; where replies are kept, and who grades."""

    agent: Agent
    parallel: int = 1
    seed: int = 0
    kept: Kept | None = None
    grader: Grader | None = None


def run(suite: Suite, places: Places, plan: Run, told: Callable[[Judged], None]) -> list[Judged]:
    """Ask all cases and give their results in the suite's order; what a case names must be there before any is asked.

    NotFound or DataError names the case whose recording or files cannot be used.
    """
    asked = [(case, places.place(case)) for case in suite.cases if case.skip is None]
    random.Random(plan.seed).shuffle(asked)
    found = {case.id: skipped(case) for case in suite.cases if case.skip is not None}
    for result in found.values():
        told(result)

    def one(task: tuple[Case, Place]) -> Judged:
        result = _one(*task, plan)
        told(result)
        return result

    with ThreadPoolExecutor(max_workers=plan.parallel) as pool:
        try:
            found |= {result.case.id: result for result in pool.map(one, asked)}
        except BaseException:
            plan.agent.stop()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return [found[case.id] for case in suite.cases]


def _one(case: Case, place: Place, plan: Run) -> Judged:
    began = time.monotonic()
    reply, kept = (plan.agent.answer(case, place), False) if plan.kept is None else plan.kept.answer(
        plan.agent, case, place
    )  # fmt: skip
    seconds = time.monotonic() - began
    return replace(judged(case, reply, place, plan.grader), seconds=round(seconds, 3), kept=kept)


def groups(results: Sequence[Judged]) -> dict[str, list[Judged]]:
    """Give the wordings of the same question, by their group; those with one that was not asked are left out."""
    found: dict[str, list[Judged]] = {}
    for one in results:
        if one.case.group is not None:
            found.setdefault(one.case.group, []).append(one)
    return {name: members for name, members in found.items() if all(one.outcome != "skipped" for one in members)}
