"""What a recording costs to ask when its library grows: every fused question, of the same nine hours."""

import statistics
from collections.abc import Iterator
from functools import partial

from tests.benchmarks.content import HOURS
from tests.benchmarks.questions import questions
from tests.benchmarks.ratio import Ratio
from tests.benchmarks.rounds import interleaved
from tests.benchmarks.setting import Setting
from tools.call import Session

FLOOR = 3.0


def ratios(setting: Setting) -> Iterator[Ratio]:
    """Give the ratio of the question that grows most; the median of all is in the note."""
    grown: dict[str, float] = {}
    for name, plan in questions().items():
        ways = {where: partial(_asked, *there, plan) for where, there in _libraries(setting).items()}
        times = interleaved(setting.rounds, ways)
        grown[name] = times["many"].median / times["nine"].median
    worst = max(grown, key=lambda name: grown[name])
    median = statistics.median(grown.values())
    yield Ratio(
        f"fused query, {setting.hours:,} h library / {HOURS} h library",
        grown[worst],
        FLOOR,
        note=f"the worst of {len(grown)} questions: {worst}; their median {median:.2f}x",
    )


def _libraries(setting):
    return {"nine": setting.nine, "many": setting.many}


def _asked(database, scope, plan):
    with Session(database, scope) as session:
        return session.run(plan)
