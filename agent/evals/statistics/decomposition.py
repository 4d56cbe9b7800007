"""Where points are lost between gold evidence and the end: each lost item is put down to the first stage that broke.

Three conditions ask the same question. *Topline*: the gold plan over the true rows, answered by the same reader.
*Heard*: the gold plan over the rows as they were heard. *End*: the system itself. A lost item is one whose end is not
right; it was lost to

- judgement, when even the topline is wrong, or when plan and rows were right and the answer is not;
- form, when the reply that is wrong there cannot be read (it failed, or its value does not fit the family's schema);
- perception, when the topline is right and the gold plan over what was heard is not;
- plan, when over what was heard the gold plan would have been right, and the system's plan is another or no plan;
- retrieval, when the plan is right and not all gold rows were brought.

So a stage is blamed only where those before it were sound, and shares of losses add up. An item that is right in the
end is not lost, whatever broke on the way; those are counted as `lucky`.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from agent.evals.statistics.intervals import wilson

Stage = Literal["perception", "plan", "retrieval", "judgement", "form"]
STAGES: tuple[Stage, ...] = get_args(Stage)
Outcome = Literal["right", "wrong", "unreadable"]


@dataclass(frozen=True, slots=True)
class Record:
    """One item: how the three conditions ended, whether its plan was the gold one, and the recall of gold rows.

    `recall` is 1 where there are no gold rows, as of what cannot be answered.
    """

    topline: Outcome
    heard: Outcome
    end: Outcome
    planned: bool
    recall: float

    @property
    def lost_to(self) -> Stage | None:
        """The stage that the item was lost to, None when it was not lost."""
        if self.end == "right":
            return None
        if self.topline != "right":
            return _said(self.topline)
        if self.heard != "right":
            return "perception"
        if not self.planned:
            return "plan"
        if self.recall < 1:
            return "retrieval"
        return _said(self.end)

    @property
    def lucky(self) -> bool:
        """Whether it is right in the end although something broke on the way."""
        sound = self.topline == self.heard == "right" and self.planned and self.recall == 1
        return self.end == "right" and not sound


@dataclass(frozen=True, slots=True)
class Decomposition:
    """Shares of all items: right at the topline, readable, right in the end, and lost to each stage."""

    items: int
    topline: float
    readable: float
    end: float
    lost: Mapping[Stage, float]
    lucky: float

    @property
    def shares(self) -> Mapping[str, str]:
        """Each share by name, with Wilson's interval."""
        shares = {"topline": self.topline, "readable": self.readable, "end to end": self.end}
        shares |= {f"lost to {stage}": share for stage, share in self.lost.items()} | {"lucky": self.lucky}
        return {name: self._sure(share) for name, share in shares.items()}

    def lines(self) -> list[str]:
        """Write it as a table."""
        return [f"{name:20} {share} of {self.items}" for name, share in self.shares.items()]

    def _sure(self, share: float) -> str:
        low, high = wilson(round(share * self.items), self.items)
        return f"{share:.3f} [{low:.3f}, {high:.3f}]"


def decompose(records: Sequence[Record]) -> Decomposition:
    """Give where the points of some items went; ValueError for none."""
    if not records:
        raise ValueError("there is nothing to decompose")
    of = len(records)
    lost = Counter(record.lost_to for record in records)
    return Decomposition(
        items=of,
        topline=sum(record.topline == "right" for record in records) / of,
        readable=sum(record.end != "unreadable" for record in records) / of,
        end=sum(record.end == "right" for record in records) / of,
        lost={stage: lost[stage] / of for stage in STAGES},
        lucky=sum(record.lucky for record in records) / of,
    )


def _said(outcome: Outcome) -> Stage:
    return "form" if outcome == "unreadable" else "judgement"
