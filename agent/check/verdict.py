"""What becomes of a claim. Only rows decide; a document's own words are false only where a found passage says so.

| verdict | a quote | a number, a time or an attribution without a quote |
|---|---|---|
| verbatim | said so, by whom and when it says | it is said there; by that voice; at that time |
| altered | most of its words are said, some are not | another number is said in its place |
| other speaker | said, but by somebody else | the passage is somebody else's alone |
| other time | said, but beyond the tolerance | the passage is elsewhere alone |
| not in the transcript | under half of its words are said in a row | the number is not said near the passage |
| not checkable | unclosed, foreign, an unnamed voice's, not heard yet | the passage was not found |
"""

from dataclasses import dataclass
from typing import Literal

from agent.check.claims import Claim
from agent.reply import Citation

Verdict = Literal["verbatim", "altered", "other speaker", "other time", "not in the transcript", "not checkable"]
VERDICTS: tuple[Verdict, ...] = (
    "verbatim", "altered", "other speaker", "other time", "not in the transcript", "not checkable",
)  # fmt: skip
FALSE: frozenset[Verdict] = frozenset({"altered", "other speaker", "other time", "not in the transcript"})


@dataclass(frozen=True, slots=True)
class Change:
    """A stretch of a diff: words as quoted that stand, words that were not said, or words that were said instead."""

    kind: Literal["same", "written", "said"]
    text: str


@dataclass(frozen=True, slots=True)
class Checked:
    """A claim with its verdict, why, the difference where there is one, and what stands in the transcript."""

    claim: Claim
    verdict: Verdict
    reason: str = ""
    diff: tuple[Change, ...] = ()
    citations: tuple[Citation, ...] = ()

    @property
    def false(self) -> bool:
        """Whether the recording contradicts the claim."""
        return self.verdict in FALSE
