"""ROUGE-L: the longest common subsequence of words, as an F-measure.

Twenty lines of our own, held equal to rouge-score by a test: that library brings nltk, and drops every letter but a-z.
"""

import re

from agent.evals.suites.scorers.scorer import Mark, OneOrMore, Scorer, Seen, several
from store.keywords import normalise

_WORD = re.compile(r"[^\W_]+")
_LONGEST = 2_000


class RougeL(Scorer):
    """How much of (the best of) the target the answer says in the same order, from 0 to 1."""

    target: OneOrMore

    def mark(self, seen: Seen) -> Mark:
        """Give the best F-measure."""
        best = max(rouge_l(text, seen.reply.answer) for text in several(self.target))
        return Mark(best, f"ROUGE-L {best:.3f} is below {self.at_least:g}")


def rouge_l(target: str, said: str) -> float:
    """Give the F-measure of ROUGE-L between two texts; words beyond the 2,000th count as not in common."""
    wanted, found = _words(target), _words(said)
    if not wanted or not found:
        return 0.0
    common = _common(wanted[:_LONGEST], found[:_LONGEST])
    precision, recall = common / len(found), common / len(wanted)
    return 2 * precision * recall / (precision + recall) if common else 0.0


def _words(text: str) -> list[str]:
    return _WORD.findall(normalise(text))


def _common(one: list[str], other: list[str]) -> int:
    row = [0] * (len(other) + 1)
    for word in one:
        before = 0
        for place, against in enumerate(other, 1):
            above = row[place]
            row[place] = before + 1 if word == against else max(above, row[place - 1])
            before = above
    return row[-1]
