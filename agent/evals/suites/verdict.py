"""The one number of a run, the share of its cases that passed, and all that hangs on it: the line, the exit code.

The share is a fraction and is compared as one; where it is shown it is cut and never rounded up, so that a line never
says 90.0 % of a run that missed 0.9. What an author skips is no part of it, and a run that asked nothing has none.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from agent.evals.suites.judging import Judged
from store.errors import Exit

ALL = Fraction(1)


@dataclass(frozen=True, slots=True)
class Verdict:
    """How many cases passed, failed and were skipped, and the share that has to pass."""

    passed: int
    failed: int
    skipped: int
    needed: Fraction = ALL

    @classmethod
    def of(cls, results: Sequence[Judged], needed: Fraction = ALL) -> "Verdict":
        """Count results."""
        outcomes = [one.outcome for one in results]
        return cls(outcomes.count("passed"), outcomes.count("failed"), outcomes.count("skipped"), needed)

    @property
    def rate(self) -> Fraction | None:
        """The share that passed of those that were asked; None when none was."""
        asked = self.passed + self.failed
        return Fraction(self.passed, asked) if asked else None

    @property
    def met(self) -> bool:
        """Whether the share is reached."""
        return self.rate is not None and self.rate >= self.needed

    @property
    def exit(self) -> Exit:
        """The exit code."""
        return Exit.DONE if self.met else Exit.DATA

    @property
    def line(self) -> str:
        """The verdict in words."""
        left_out = f", {self.skipped} skipped" if self.skipped else ""
        if self.rate is None:
            return f"MISSED: no case was asked{left_out}"
        told = f"{self.passed} of {self.passed + self.failed} cases passed ({percent(self.rate)}){left_out}"
        return f"{'PASSED' if self.met else 'MISSED'}: {told}; {percent(self.needed)} needed"


def percent(share: Fraction) -> str:
    """Give a share in per cent, cut after one decimal; what is neither nothing nor all never looks like it."""
    tenths = share * 1000
    whole = tenths.numerator // tenths.denominator
    if tenths == whole:
        return f"{whole / 10:g} %"
    return f"{whole // 10}.{whole % 10} %" if whole else "under 0.1 %"
