"""What a recording costs to ask when its library grows: every fused question, of the same nine hours."""

import statistics
from collections.abc import Iterator
from functools import partial

from store.catalog import Catalog
from store.database import Database
from tests.benchmarks.content import HOURS
from tests.benchmarks.questions import questions
from tests.benchmarks.ratio import Ratio
from tests.benchmarks.rounds import interleaved
from tests.benchmarks.setting import Setting
from tools.call import Session
from tools.evidence import Evidence
from tools.plan import Plan

FLOOR = 3.0


def ratios(setting: Setting) -> Iterator[Ratio]:
    """Give the ratio of the question that grows most; the median of all is in the note."""
    grown: dict[str, float] = {}
    for name, plan in questions().items():
        ways = {"nine": partial(asked, *setting.nine, plan), "many": partial(asked, *setting.many, plan)}
        times = interleaved(setting.rounds, ways)
        grown[name] = times["many"].median / times["nine"].median
    worst = max(grown, key=lambda name: grown[name])
    note = f"the worst of {len(grown)} questions: {worst}; their median {statistics.median(grown.values()):.2f}x"
    yield Ratio(f"fused query, {setting.hours:,} h library / {HOURS} h library", grown[worst], FLOOR, note=note)


def asked(database: Database, scope: Catalog, plan: Plan) -> Evidence:
    """Run a plan as a question does, behind a fence of its own."""
    with Session(database, scope) as session:
        return session.run(plan)
