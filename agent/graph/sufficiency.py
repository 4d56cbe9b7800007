"""Whether rows are enough, computed from the rows: what they cover of the question, how sure they are, who agrees.

A brain's verdict can ask for more; it cannot make enough of rows that hold none of what was asked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from store.keywords import holds, normalise
from tools.evidence import Evidence, EvidenceRow
from tools.plan import Plan
from tools.transcript.query import TranscriptQuery

WEAK = 0.35
LOOKED_AT = 20


@dataclass(frozen=True, slots=True)
class Sufficiency:
    """How well rows fit a plan: shares of 0..1.

    `covered` of the words asked stand in the rows, `sure` is the best rows' mean score (None where rows have none),
    `agreed` of the rows were found by words and, where the plan also looked by meaning, not by meaning alone.
    """

    covered: float
    sure: float | None
    agreed: float

    @property
    def weak(self) -> bool:
        """Whether nothing found is heard well enough to stand alone."""
        return self.sure is not None and self.sure < WEAK

    @property
    def said(self) -> str:
        """The figures in a few words, for the trace."""
        sure = "" if self.sure is None else f", score {self.sure:.2f}"
        return f"{self.covered:.0%} of the words{sure}, {self.agreed:.0%} by words"


def empty(plan: Plan, evidence: Evidence) -> bool:
    """Say whether a plan found nothing: no rows, nothing on either side of a comparison, no group within the bounds."""
    fuse = plan.fuse
    if fuse.versus is not None:
        return not any(group.value for group in evidence.groups)
    if fuse.group is not None and (fuse.min_value is not None or fuse.max_value is not None):
        return not evidence.groups
    return evidence.total == 0


def sufficiency(plan: Plan, evidence: Evidence) -> Sufficiency:
    """Compute how well the first rows of a plan fit it."""
    rows = evidence.rows[:LOOKED_AT]
    query = plan.call(plan.fuse.anchor).query
    words = [normalise(word) for word in query.keywords] if isinstance(query, TranscriptQuery) else []
    texts = [normalise(row.said) for row in rows]
    covered = sum(any(holds(text, word) for text in texts) for word in words) / len(words) if words else 1.0
    by_words = sum(any(holds(text, word) for word in words) for text in texts) / len(texts) if words and texts else 1.0
    return Sufficiency(covered, _sure(rows), by_words)


def _sure(rows: Sequence[EvidenceRow]) -> float | None:
    """Give the mean of the best scores; a score outside of 0..1 is no share and says nothing here."""
    scores = sorted((row.score for row in rows if row.score is not None and 0 <= row.score <= 1), reverse=True)
    best = scores[: max(1, len(scores) // 2)]
    return sum(best) / len(best) if best else None


def unsure(found: Sufficiency) -> Mapping[str, str]:
    """Give what a person should know of rows like these, by kind."""
    notes = {}
    if found.weak:
        notes["weak"] = f"unsure: what was found was heard with a score of only {found.sure:.2f}"
    if found.agreed == 0:
        notes["meaning"] = "found by meaning alone: no row holds a word of the question"
    return notes
