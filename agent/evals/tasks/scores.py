"""What records add up to: accuracy, abstention, false refusal, RS(c), calibration, grounds, change with length.

RS(N) takes the number of items for c: one mistake costs everything.
"""

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agent.evals.statistics import scoring
from agent.evals.statistics.calibration import aurc, ece
from agent.evals.tasks.item import Task
from agent.evals.tasks.record import Record

DECIDED: tuple[Task, ...] = ("qa", "mcqa", "emotion", "count", "order", "constrained", "heard", "beside")
"""Tasks whose items are right or wrong; the others are graded."""


def rs(records: Sequence[Record], cost: float) -> float:
    """Give RS(cost), at most 100."""
    return scoring.rs([one.mark for one in records], cost)


def summary(records: Sequence[Record]) -> dict[str, Any]:
    """Give every figure of some records of one task; what does not apply is None."""
    marks, able = [r.mark for r in records], {r.answerable for r in records}
    figures: dict[str, Any] = {
        "n": len(records),
        "score": _mean(r.score for r in records),
        "right": _mean(r.right for r in records),
        "parsed": _mean(r.parsed for r in records),
        "accuracy": scoring.accuracy(marks) if True in able else None,
        "abstention": scoring.abstention(marks) if False in able else None,
        "false_refusal": scoring.false_refusal(marks) if True in able else None,
        "rs_0": rs(records, 0),
        "rs_10": rs(records, 10),
        "rs_n": rs(records, len(records)),
        "ece": ece([(r.confidence, r.right) for r in records]) if records else None,
        "aurc": aurc([(r.confidence, r.right) for r in records]) if records else None,
        "tokens_in": statistics.median(r.tokens_in for r in records),
        "tokens_out": statistics.median(r.tokens_out for r in records),
        "calls": _mean(r.calls for r in records),
        "seconds": statistics.median(r.seconds for r in records),
    }
    for name in ("plan", "recall", "precision", "citations", "proven", "topline"):
        figures[name] = _known(getattr(r, name) for r in records)
    return figures | _metrics(records)


def _metrics(records: Sequence[Record]) -> dict[str, float | None]:
    """Give the mean of each metric of the task's own."""
    names = sorted({name for r in records for name in r.metrics})
    found: dict[str, float | None] = {}
    for name in names:
        answered = [r for r in records if name in r.metrics]
        found[name] = _known(r.metrics[name] for r in answered)
    if records and records[0].task == "emotion":
        found["macro_f1"] = macro_f1(records)
    return found


def macro_f1(records: Iterable[Record]) -> float:
    """Give the mean over emotions of F1, over items that ask for one emotion."""
    pairs = [(str(r.gold), str(r.value)) for r in records if isinstance(r.gold, str)]
    labels = sorted({gold for gold, _ in pairs})
    gold, said, both = (
        Counter(g for g, _ in pairs),
        Counter(s for _, s in pairs),
        Counter(g for g, s in pairs if g == s),
    )
    return _mean(2 * both[label] / (gold[label] + said[label]) for label in labels)


def slope(records: Sequence[Record]) -> float | None:
    """Give by how many points of 100 the mean score falls from the shortest length to the longest; None of one."""
    by_length = grouped(records, "minutes")
    lengths = sorted(by_length)
    if len(lengths) < 2:
        return None
    first, last = (_mean(r.score for r in by_length[length]) for length in (lengths[0], lengths[-1]))
    return 100 * (first - last)


def grouped(records: Iterable[Record], *names: str) -> Mapping[Any, list[Record]]:
    """Give records by one field, or by a tuple of several."""
    found: dict[Any, list[Record]] = defaultdict(list)
    for one in records:
        key = tuple(getattr(one, name) for name in names)
        found[key if len(names) > 1 else key[0]].append(one)
    return found


def _known(values: Iterable[float | bool | None]) -> float | None:
    found = [float(value) for value in values if value is not None]
    return _mean(found) if found else None


def _mean(values: Iterable[float | bool]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0
