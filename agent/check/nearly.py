"""Numbers and attributions in a clause that nearly repeats what was said, so that their place in it is known."""

import re
from collections.abc import Sequence

from agent.check.claims import Claim
from agent.check.compare import Match, Part, parts
from agent.check.figures import as_said, rounded
from agent.check.numerals import value_of
from agent.check.quoting import Quoting
from agent.check.roll import Meant
from agent.check.verdict import Change, Checked

SURE = 0.75
MARGIN = 12
SHORTEST, SURELY, LONGEST, LIKE, MARGIN_LIKE = 4, 5, 80, 0.6, 0.25
_THAT = re.compile(r"^\s*(?:that|dass|que|qu')\s", re.IGNORECASE)


class Nearly:
    """Checks claims by aligning their clause with the transcript."""

    def __init__(self, quoting: Quoting) -> None:
        self.quoting = quoting
        self.heard, self.roll, self.words = quoting.heard, quoting.roll, quoting.words
        self._clause: tuple[tuple[str, tuple[str, ...]], Sequence[Part], Match | None] | None = None

    def check(self, claim: Claim, meant: Meant) -> Checked | None:
        """Give the verdict on a number or an attribution; None where its clause is not nearly what was said."""
        quote, match = self._aligned(claim, meant)
        if match is None or match.likeness < LIKE:
            return None
        if claim.kind == "attribution":
            return self._whose(claim, quote, match, meant)
        return self._in_place(claim, quote, match)

    def _aligned(self, claim: Claim, meant: Meant) -> tuple[Sequence[Part], Match | None]:
        """Align a clause with the transcript, once however many claims it makes."""
        key = (claim.clause, claim.names)
        if self._clause is None or self._clause[0] != key:
            quote = parts(_THAT.sub(lambda match: " " * len(match[0]), claim.clause), self.words)
            fits = SHORTEST <= len(quote) <= LONGEST
            matches = self.quoting.matches(quote, meant) if fits else []
            self._clause = (key, quote, next((match for match in matches if match.heard), None))
        return self._clause[1:]

    def _whose(self, claim: Claim, quote: Sequence[Part], match: Match, meant: Meant) -> Checked | None:
        """Give the verdict on whom a clause is given to that nearly repeats what one voice said."""
        cited = tuple(self.quoting.citations(match.heard))[:1]
        voices = {self.heard.line(token).voice for token in match.heard}
        if match.likeness < SURE or None in voices:
            return None
        if voices <= meant.voices:
            return Checked(claim, "verbatim", "", (), cited)
        if meant.nobody or len(quote) < SURELY:
            return None
        own = self.quoting.likeness(quote, meant.voices)
        if own >= SURE or match.likeness - own < MARGIN_LIKE:
            return None
        return Checked(claim, "other speaker", f"{self.roll.names([*voices])} said it", (), cited)

    def _in_place(self, claim: Claim, quote: Sequence[Part], match: Match) -> Checked | None:
        """Give the verdict on a number whose place in what was said is known."""
        cited = tuple(self.quoting.citations(match.heard))[:1]
        for step, i, heard in match.steps:
            token = quote[i].token if i >= 0 else None
            if token is None or token.start != claim.offset or value_of(token.text) != claim.value:
                continue
            if step == "same":
                return Checked(claim, "verbatim", "", (), cited)
            if heard >= 0 and self.heard.number(heard):
                if rounded(claim, value_of(self.heard.text(heard)), self.words):
                    return Checked(claim, "verbatim", f"rounded: {as_said(self.heard, heard)} is said", (), cited)
                words = as_said(self.heard, heard)
                change = (Change("written", claim.text), Change("said", words))
                return Checked(claim, "altered", f"{words} is said there", change, cited)
            if match.likeness < SURE or self._about(claim, match):
                return None
            diff = tuple(self.quoting.diff(claim.clause, quote, match))
            return Checked(claim, "altered", "this number is not said there", diff, cited)
        return None

    def _about(self, claim: Claim, match: Match) -> bool:
        """Say whether a number is said near a stretch."""
        first, last = match.heard[0] - MARGIN, match.heard[-1] + MARGIN
        ids = self.heard.track[max(0, first) : min(len(self.heard.line_of), last + 1)]
        return any(value_of(self.heard.texts[n]) == claim.value for n in ids)
