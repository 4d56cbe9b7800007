"""Two reports held against each other: which cases newly fail or pass, which are in one alone, which figures moved."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agent.evals.suites.report import Known, KnownCase
from store.errors import DataError

_TIME = "seconds"  # no two runs take the same time, and it is no difference


@dataclass(frozen=True, slots=True)
class Difference:
    """Cases by what became of them, in the later report's order; `lines` says it all."""

    newly_failing: tuple[KnownCase, ...]
    newly_passing: tuple[KnownCase, ...]
    newly_skipped: tuple[KnownCase, ...]
    only_before: tuple[KnownCase, ...]
    only_after: tuple[KnownCase, ...]
    changed: frozenset[str]
    figures: Mapping[str, tuple[Any, Any]]

    @classmethod
    def of(cls, before: Known, after: Known) -> "Difference":
        """Compare two reports; DataError when they have no case in common, since then nothing is compared."""
        old, new = {case.id: case for case in before.cases}, {case.id: case for case in after.cases}
        if not old.keys() & new.keys():
            raise DataError("the two reports have no case in common, so there is nothing to compare")
        both = [case for case in after.cases if case.id in old and old[case.id].outcome != case.outcome]
        names = [*before.figures, *(name for name in after.figures if name not in before.figures)]
        pairs = {name: (before.figures.get(name), after.figures.get(name)) for name in names}
        return cls(
            newly_failing=tuple(case for case in both if case.outcome == "failed"),
            newly_passing=tuple(case for case in both if case.outcome == "passed"),
            newly_skipped=tuple(case for case in both if case.outcome == "skipped"),
            only_before=tuple(case for case in before.cases if case.id not in new),
            only_after=tuple(case for case in after.cases if case.id not in old),
            changed=frozenset(
                name for name in old.keys() & new.keys() if old[name].fingerprint != new[name].fingerprint
            ),
            figures={name: pair for name, pair in pairs.items() if pair[0] != pair[1] and not name.startswith(_TIME)},
        )

    @property
    def lines(self) -> list[str]:
        """Everything that differs, a line each; one line when nothing does."""
        told = [f"  {name}: {_figure(a)} -> {_figure(b)}" for name, (a, b) in self.figures.items()]
        told += [f"  newly failing  {self._named(case)}: {'; '.join(case.reasons)}" for case in self.newly_failing]
        told += [f"  newly passing  {self._named(case)}" for case in self.newly_passing]
        told += [f"  newly skipped  {self._named(case)}: {'; '.join(case.reasons)}" for case in self.newly_skipped]
        told += [f"  only before    {case.id} ({case.outcome})" for case in self.only_before]
        told += [f"  only after     {case.id} ({case.outcome})" for case in self.only_after]
        same = self.changed - {case.id for case in (*self.newly_failing, *self.newly_passing, *self.newly_skipped)}
        told += [f"  asked or expected otherwise, with the same outcome: {', '.join(sorted(same))}"] if same else []
        return told or ["  nothing differs"]

    def _named(self, case: KnownCase) -> str:
        return f"{case.id} (the case itself was changed)" if case.id in self.changed else case.id


def _figure(value: Any) -> str:
    return "-" if value is None else f"{value:,.4g}" if isinstance(value, float) else f"{value:,}"
