"""Interleaved rounds: what is compared runs in turn, so that whatever else the machine does falls on both alike."""

import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of wall and of this process's CPU time, a round each."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    @property
    def median(self) -> float:
        """Milliseconds of CPU time, which do not wait for other work."""
        return statistics.median(self.cpu)


def interleaved(rounds: int, ways: Mapping[str, Callable[[], object]]) -> dict[str, Times]:
    """Run every way once uncounted, then all of them in turn, round by round."""
    times = {name: Times() for name in ways}
    for way in ways.values():
        way()
    for _ in range(rounds):
        for name, way in ways.items():
            wall, cpu = time.perf_counter(), time.process_time()
            way()
            times[name].cpu.append(1000 * (time.process_time() - cpu))
            times[name].wall.append(1000 * (time.perf_counter() - wall))
    return times


def percentile(values: Sequence[float], share: float) -> float:
    """Give the value below which this share of values lies."""
    return sorted(values)[int(share * (len(values) - 1))]
