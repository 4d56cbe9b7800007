"""Evidence recall at a budget of tokens: baseline, oracle and Overheard are filled into it by the same function.

Budgets count MiniLM's WordPiece: the words of a piece one by one, and a speaker's label and a colon once where a turn
or a passage begins.
"""

from collections.abc import Callable, Mapping, Sequence

from agent.evals.qmsum.meetings import Meeting

Counted = Callable[[str], int]
BUDGETS = (1000, 2000)


class Filled:
    """What fits into a budget of tokens; `tokens` counts a text."""

    def __init__(self, meeting: Meeting, tokens: Counted) -> None:
        self._pieces = meeting.pieces
        self._said = [tokens(piece.text) for piece in meeting.pieces]
        labels = {speaker: tokens(f"{speaker}:") for speaker in meeting.speakers}
        self._label = [labels[piece.speaker] for piece in meeting.pieces]

    def recall(self, order: Sequence[int], gold: Sequence[bool], budget: int) -> float:
        """Give the share of the gold pieces' tokens among those that fit, best first; the last one is cut."""
        kept: dict[int, float] = {}
        left = budget
        for i in order:
            cost = self._said[i] + self._labelled(i, kept)
            if cost > left:
                kept[i] = max(0, left - self._label[i]) / self._said[i]
                break
            kept[i] = 1.0
            left -= cost
        whole = sum(said for said, right in zip(self._said, gold, strict=True) if right)
        return sum(share * self._said[i] for i, share in kept.items() if gold[i]) / whole

    def _labelled(self, i: int, kept: Mapping[int, float]) -> int:
        """Give what the labels cost more with a piece: one where its turn begins here, none where it joins another."""
        before = i - 1 in kept and self._pieces[i - 1].turn == self._pieces[i].turn
        after = i + 1 in kept and self._pieces[i + 1].turn == self._pieces[i].turn
        return self._label[i] * (1 - before - after)


def oracle(gold: Sequence[bool]) -> list[int]:
    """Give the gold pieces in order."""
    return [i for i, right in enumerate(gold) if right]
