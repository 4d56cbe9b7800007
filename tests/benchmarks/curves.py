"""How a question grows: with the length of its recording, and with the hours of the library around it.

Each point is the median of every question's median, in milliseconds of CPU time.
"""

import statistics
from collections.abc import Sequence
from functools import partial

from tests.benchmarks.asking import Asked, Figures
from tests.benchmarks.growing import asked
from tests.benchmarks.library import large, scope
from tests.benchmarks.plot import Curve
from tests.benchmarks.questions import questions
from tests.benchmarks.rounds import interleaved
from tests.benchmarks.setting import Setting
from tests.benchmarks.talk import talk


def curves(setting: Setting) -> tuple[Curve, Curve]:
    """Measure both curves."""
    return Curve("`ask`, by minutes of the recording", "min", "ms", _by_minutes(setting)), Curve(
        "a fused question of nine hours, by hours of the library", "h", "ms", _by_hours(setting)
    )


def _by_minutes(setting: Setting) -> Sequence[tuple[float, float]]:
    worlds = {minutes: Asked(setting.folder / f"curve {minutes}", talk(minutes)) for minutes in setting.minutes}
    figures = {minutes: Figures() for minutes in worlds}
    for world in worlds.values():
        world.ask(Figures())
    for _ in range(2):
        for minutes, world in worlds.items():
            world.ask(figures[minutes])
    return [(minutes, statistics.median(found.cpu)) for minutes, found in figures.items()]


def _by_hours(setting: Setting) -> Sequence[tuple[float, float]]:
    """Measure libraries that are made larger and larger, the large one last."""
    points: list[tuple[float, float]] = []
    for hours in setting.libraries:
        last = hours == setting.hours
        database = setting.many[0] if last else large(setting.folder / "grown", hours)
        catalog = scope(database, "talk 0")
        ways = {name: partial(asked, database, catalog, plan) for name, plan in questions().items()}
        times = interleaved(3, ways)
        points.append((hours, statistics.median(found.median for found in times.values())))
    return points
