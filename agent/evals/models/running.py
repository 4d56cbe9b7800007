"""One run of a model over a set of questions: from the kept replies, from its endpoint, or told that there is none."""

import json
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agent.evals.models.asking import Outcome, put_all
from agent.evals.models.estimate import Price, estimate
from agent.evals.models.marking import Mark, marked
from agent.evals.models.questions import Item, Rooms
from agent.evals.models.recording import Recorder, Upstream
from agent.evals.models.table import replies, scores, table
from agent.evals.models.wire import serving
from agent.evals.suites.report import FILE
from store.errors import UsageError

RESULT, READABLE = FILE, "replies.md"


@dataclass(frozen=True, slots=True)
class Run:
    """What is run: a model, where its replies are kept, the endpoint they come from (None: only what is kept)."""

    model: str
    folder: Path
    upstream: Upstream | None = None
    parallel: int = 4
    timeout: float = 60.0
    price: Price | None = None


def run(plan: Run, items: Sequence[Item], agreed: Callable[[str], bool], say: Callable[[str], None]) -> str:
    """Ask all questions, keep result and replies beside the records, and give the table; UsageError when not agreed."""
    with tempfile.TemporaryDirectory() as folder, Rooms(Path(folder)) as rooms:
        items = [rooms.furnished(item) for item in items]
        if plan.upstream is not None:
            kept = len({*plan.folder.glob("*.json")} - {plan.folder / RESULT})
            asks = f"{len(items)} questions: {estimate(items, rooms).line(plan.price)} (estimated)"
            if not agreed(f"{asks}; {kept} replies are kept in {plan.folder}, and asking these again is free"):
                raise UsageError("nothing was asked")
        recorder, count = Recorder(plan.folder, plan.upstream), _Count(len(items), say)
        with serving(recorder, (plan.model,)) as wire:
            outcomes = put_all(items, rooms, wire, plan.model, parallel=plan.parallel, timeout=plan.timeout, told=count)
        marks = [marked(outcome, rooms) for outcome in outcomes]
    result = {
        "suite": "model",
        "agent": plan.model,
        "model": plan.model,
        "figures": scores(marks, outcomes),
        "cases": [_case(mark) for mark in marks],
        "marks": [asdict(mark) for mark in marks],
        "requests": recorder.asked,
    }
    plan.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (plan.folder / RESULT).write_text(json.dumps(result, indent=1, ensure_ascii=False), encoding="utf-8")
    (plan.folder / READABLE).write_text(replies(outcomes, marks), encoding="utf-8")
    say(", ".join(f"{n} replies {kind}" for kind, n in sorted(recorder.counts.items())) or "nothing was asked")
    return table(marks, outcomes, plan.model)


def _case(mark: Mark) -> dict[str, Any]:
    """Give a question as a case of a report, which another report can be held against."""
    return {"id": mark.id, "outcome": "passed" if mark.right else "failed", "reasons": [mark.why] if mark.why else []}


class _Count:
    """Tells how far a run is, every tenth question."""

    def __init__(self, total: int, say: Callable[[str], None]) -> None:
        self._total, self._say, self._done, self._lock = total, say, 0, threading.Lock()

    def __call__(self, outcome: Outcome) -> None:
        with self._lock:
            self._done += 1
            if self._done % 10 == 0 or self._done == self._total:
                self._say(f"{self._done} of {self._total} questions")
