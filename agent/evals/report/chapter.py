"""What each part says, once all are there: records become tables and bars, some only beside the agent's own."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.evals.report import bars, beside, spent, tasks, wordings
from agent.evals.report.audio import heard
from agent.evals.report.found import Check, Found, Table
from agent.evals.report.part import Measured, Part
from agent.evals.tasks.record import Record

# No bar is asked against a reader that is simulated, nor against a reading of the paper that is kinder than it is.
UNASKED = ("simulated", "shared")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with its commands and what was found there."""

    title: str
    parts: tuple[Part, ...]
    found: Found

    @property
    def column(self) -> str:
        """The column that all its figures stand in."""
        return self.parts[0].column


def sections(measured: Sequence[Measured]) -> Iterator[Section]:
    """Give a section a part that was measured, and one of all baselines together."""
    ours = next((one.records for one in measured if one.part.role == "tasks"), ())
    baselines = [one for one in measured if one.others]
    for one in measured:
        if one.part.role == "baselines":
            if ours and baselines and one is baselines[0]:
                yield Section("Beside the baselines", tuple(b.part for b in baselines), _beside(ours, baselines))
        elif (found := _found(one, ours)) is not None:
            yield Section(one.part.title, (one.part,), found)


def checks(found: Sequence[Section]) -> list[Check]:
    """Give every figure that a bar or a floor is held against."""
    return [check for section in found for check in section.found.checks]


def _found(one: Measured, ours: Sequence[Record]) -> Found | None:
    records = one.records
    if one.part.role == "found":
        return one.found
    if not records:
        return None
    match one.part.role:
        case "tasks":
            return Found(tuple(tasks.tables(records)), tuple(bars.bars(records)), _settings(records))
        case "broken":
            return Found(tuple(tasks.tables(records)), settings=_settings(records))
        case "again":
            return Found((), (bars.repeated(ours, records),), _settings(records))
        case "context":
            return Found((spent.table(records),), tuple(bars.reading(records)), _settings(records))
        case "tokens":
            return Found((spent.table(records),), settings=_settings(records))
        case "audio":
            return heard(records)
    return wordings.found(one.part.name, records)


def _beside(ours: Sequence[Record], baselines: Sequence[Measured]) -> Found:
    others = {name: records for one in baselines for name, records in one.others.items()}
    asked = {(record.id, record.preset) for found in others.values() for record in found}
    mine = [one for one in ours if (one.id, one.preset) in asked]
    found = tuple(check for name, theirs in others.items() for check in bars.more(name, mine, theirs))
    tables: tuple[Table, ...] = (beside.table(mine, others), beside.by_tasks(mine, others))
    asked_for = tuple(check for check in found if not any(word in check.name for word in UNASKED))
    return Found(tables, asked_for, _settings(mine))


def _settings(records: Sequence[Record]) -> str:
    seeds = sorted({one.seed for one in records})
    told = f"seeds {seeds[0]} to {seeds[-1]}" if len(seeds) > 1 else f"seed {seeds[0]}"
    return f"{told}, worlds a length: {len(seeds)}, N = {len(records)} items"
