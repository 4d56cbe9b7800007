"""A ratio with its floor: what is measured, what it must hold, and what it should reach."""

from dataclasses import dataclass
from typing import Literal

Side = Literal["at most", "at least"]
_SIGNS = {"at most": "<=", "at least": ">="}


@dataclass(frozen=True, slots=True)
class Ratio:
    """One figure; `floor` and `goal` are None where nothing is enforced or aimed at, `note` says how it came."""

    name: str
    value: float
    floor: float | None = None
    goal: float | None = None
    unit: str = "x"
    side: Side = "at most"
    note: str = ""

    @property
    def missed(self) -> bool:
        """Whether the floor is not held."""
        return self.floor is not None and not self._reaches(self.floor)

    @property
    def verdict(self) -> str:
        """The outcome in a word or two."""
        if self.missed:
            return "MISSED"
        if self.goal is not None and not self._reaches(self.goal):
            return "goal missed"
        return "" if self.floor is None and self.goal is None else "held"

    def figure(self, value: float | None) -> str:
        """Give a value in this ratio's unit, three figures long."""
        return "" if value is None else f"{value:,.3g} {self.unit}" if value < 1000 else f"{value:,.0f} {self.unit}"

    def bound(self, value: float | None) -> str:
        """Give a floor or goal with its sign."""
        return "" if value is None else f"{_SIGNS[self.side]} {self.figure(value)}"

    def _reaches(self, bound: float) -> bool:
        return self.value <= bound if self.side == "at most" else self.value >= bound
