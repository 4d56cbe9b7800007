"""What `check` made of minutes: alterations caught and rightly named, and true sentences that it called false."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from agent.check.checking import Report
from agent.check.verdict import VERDICTS, Checked
from agent.evals.minutes.writing import ALTERED, Sentence

NAMED = {
    "quote": ("altered", "not in the transcript"),
    "name": ("other speaker",),
    "number": ("altered", "not in the transcript"),
    "time": ("other time",),
}


@dataclass
class Tally:
    """Counts over documents; `wrong` holds each miss and each false alarm as a line for people."""

    planted: Counter[str] = field(default_factory=Counter)
    caught: Counter[str] = field(default_factory=Counter)
    named: Counter[str] = field(default_factory=Counter)
    true: int = 0
    alarms: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, sentences: Sequence[Sentence], lines: Sequence[tuple[int, int]], report: Report) -> None:
        """Count one document; a true sentence is a false alarm when any of its claims is called false."""
        for sentence, (first, end) in zip(sentences, lines, strict=True):
            own = [checked for checked in report.claims if first <= checked.claim.line < end]
            false = [checked for checked in own if checked.false]
            if sentence.altered is None:
                self.true += 1
                self.alarms += bool(false)
                self.verdicts.update(checked.verdict for checked in own)
            else:
                self.planted[sentence.altered] += 1
                self.caught[sentence.altered] += bool(false)
                self.named[sentence.altered] += any(c.verdict in NAMED[sentence.altered] for c in false)
            if bool(false) == (sentence.altered is None):
                told = "; ".join(map(_told, own))
                self.wrong.append(f"{sentence.altered or 'true'} {sentence.how}: {sentence.text!r} -> {told}")

    @property
    def share_caught(self) -> float:
        """The share of alterations that were called false."""
        return sum(self.caught.values()) / max(1, sum(self.planted.values()))

    @property
    def share_alarms(self) -> float:
        """The share of true sentences that were called false."""
        return self.alarms / max(1, self.true)

    def table(self) -> str:
        """Give the counts for people."""
        rows = [
            f"  {kind:6} planted {n:4}  caught {self.caught[kind] / n:6.1%}  rightly named {self.named[kind] / n:6.1%}"
            for kind in ALTERED
            if (n := self.planted[kind])
        ]
        rows.append(f"  all    planted {sum(self.planted.values()):4}  caught {self.share_caught:6.1%}")
        rows.append(f"  true sentences {self.true}: {self.alarms} called false ({self.share_alarms:.1%})")
        rows.append("  their claims: " + ", ".join(f"{self.verdicts[verdict]} {verdict}" for verdict in VERDICTS))
        return "\n".join(rows)


def _told(checked: Checked) -> str:
    return f"{checked.claim.kind} {', '.join(checked.claim.names)} {checked.verdict} {checked.reason}"
