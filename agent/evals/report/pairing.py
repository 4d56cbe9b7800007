"""Records of two answerers that were asked the same, and how much more one of them scores."""

from collections.abc import Sequence

from agent.evals.report.tasks import worlds
from agent.evals.statistics.intervals import Interval, paired
from agent.evals.tasks.record import Record


def pairs(ours: Sequence[Record], theirs: Sequence[Record]) -> list[tuple[Record, Record]]:
    """Give the records that answer the same question of the same streams."""
    found = {_asked(one): one for one in theirs}
    return [(one, found[_asked(one)]) for one in ours if _asked(one) in found]


def gain(both: Sequence[tuple[Record, Record]]) -> Interval:
    """Give how much more the first of each pair scores."""
    ours, theirs = zip(*both, strict=True)
    return paired([one.score for one in ours], [one.score for one in theirs], worlds(ours))


def _asked(one: Record) -> tuple[str, str, str]:
    return one.id, one.preset, one.question
