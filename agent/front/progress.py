"""Progress of listening: a bar and the time left for each stage on a terminal, else one line a published stretch."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from agent.front.output import say
from store.clock import clock

if TYPE_CHECKING:
    from tools.listening.listener import Step

Watch = Callable[["Step", int], None]
_LAST = "events"  # the stage that ends a stretch


@contextmanager
def listening(name: str) -> Iterator[Watch]:
    """Give a callback that shows how far each stage of one recording is."""
    if sys.stderr.isatty():
        with _bars(name) as watch:
            yield watch
    else:
        yield _lines(name)


@contextmanager
def _bars(name: str) -> Iterator[Watch]:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
    from rich.text import Text

    from tools.listening.listener import STAGES
    from tools.sanitize import sanitize

    console = Console(stderr=True)
    console.print(Text(f"listening to {sanitize(name)}"))
    columns = (TextColumn("{task.description:<10}", markup=False), BarColumn(), TextColumn("{task.percentage:3.0f} %"))
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as progress:
        tasks: dict[str, TaskID] = {stage: progress.add_task(stage, total=None) for stage in STAGES}
        yield lambda step, total_ms: progress.update(tasks[step.stage], completed=step.done_ms, total=total_ms)


def _lines(name: str) -> Watch:
    def watch(step: "Step", total_ms: int) -> None:
        if step.stage == _LAST:
            say(f"{name}: heard {clock(step.done_ms)} of {clock(total_ms)}")

    return watch
