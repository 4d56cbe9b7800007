"""What a plan's value is computed by: its groups, what counts in them, and the bounds that a value must keep."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlglot import exp

from store import clock
from store.syntax import col, minus, number
from tools.compiler.selection import Selection
from tools.plan import Fuse

DURATIONS = ("total_duration", "average", "longest_gap", "gaps", "overlap_duration", "overlaps", "majority")
STRETCHES = ("gaps", "overlaps")
GAPS = ("longest_gap", *STRETCHES)
_TIMED = (*DURATIONS, "first_occurrence")
_FROM_ZERO = ("count", "count_distinct", "total_duration")


@dataclass(frozen=True, slots=True)
class Measure:
    """What a plan's value is computed by: `doubtful` voices are not counted; `lasting` gives milliseconds heard."""

    fuse: Fuse
    anchor: Selection
    doubtful: Sequence[int]
    lasting: Mapping[int, int]

    @property
    def group(self) -> str | None:
        """What the plan groups by; a majority is by label, or by speaker where rows have none."""
        if self.fuse.group is None and self.fuse.aggregate == "majority":
            return "label" if self.anchor.stream in ("emotion", "events") else "speaker"
        return self.fuse.group

    @property
    def several(self) -> bool:
        """Whether there can be several results, on which a limit and bounds act: groups, or stretches of time."""
        return self.group is not None or self.fuse.aggregate in STRETCHES

    @property
    def bounded(self) -> bool:
        """Whether bounds on the value keep only some groups, and so only some rows."""
        bounds = (self.fuse.min_value, self.fuse.max_value)
        return self.group is not None and self.fuse.aggregate != "none" and bounds != (None, None)

    @property
    def counted(self) -> str:
        """What different ones are counted of."""
        default = "label" if self.anchor.stream == "events" else "speaker"
        return next((name for name in self.fuse.fields if name in ("label", "speaker", "recording")), default)

    @property
    def turns(self) -> str | None:
        """What should all be seen among the rows listed, as a column of theirs."""
        if self.group == "time":
            return "slice"
        group = self.counted if self.fuse.aggregate == "count_distinct" else self.group
        return None if group is None else {"speaker": "voice", "recording": "rec"}.get(group, group)

    @property
    def label_of(self) -> bool:
        """Whether the value is the emotion that each group mostly has."""
        return self.fuse.aggregate == "majority" and self.group == "speaker" and self.anchor.stream == "emotion"

    @property
    def figure(self) -> exp.Condition:
        """What bounds and orders act on: of a gap its length, of an emotion how long it lasts, and not its name."""
        if self.fuse.aggregate in GAPS:
            return minus(col("also"), col("value"))
        return col("also" if self.label_of else "value")

    @property
    def from_zero(self) -> bool:
        """Whether the least is asked for, so that slices in which there is nothing count."""
        least = self.fuse.max_value is not None or self.fuse.order == "value"
        return self.group == "time" and self.fuse.aggregate in _FROM_ZERO and least

    @property
    def limits(self) -> list[str]:
        """The names of the bounds that are given."""
        return [name for name in ("min_value", "max_value") if getattr(self.fuse, name) is not None]


def within_bounds(measure: Measure) -> list[exp.Condition]:
    """Give the conditions that a group's value is within the bounds."""
    return [bound(measure.figure, measure, limit) for limit in measure.limits]


def bound(figure: exp.Condition, measure: Measure, limit: str) -> exp.Condition:
    """Give the condition that a figure keeps to one bound; seconds become milliseconds."""
    value: float = getattr(measure.fuse, limit)
    least, timed = limit == "min_value", measure.fuse.aggregate in _TIMED
    bound = (clock.end_ms(value) if least else clock.start_ms(value)) if timed else value
    return (exp.GTE if least else exp.LTE)(this=figure.copy(), expression=number(bound))
