"""What any search engine finds, to hold recall beside; its stop words are its own, so that it never changes."""

import math
import re
from collections import Counter
from collections.abc import Sequence

from agent.evals.qmsum.meetings import Meeting

WINDOW = 200
_WORD = re.compile(r"[a-z0-9']+")
_STOP = """
a about above all also am an and any are as at be because been being between both but by can could did do does doing for
from get go going got had has have he her hers him his how i if in into is it its just me more most my no nor not of on
one or other our out over own same she should so some such than that the their them then there these they this those to
too under until up very was we were what when where which while who whom why will with would you your
"""


class Baseline:
    """Plain BM25 (k1 1.5, b 0.75) over windows of whole turns that reach 200 words, each turn with its label."""

    def __init__(self, meeting: Meeting) -> None:
        self._windows = _windows(meeting)
        self._words = [_bag(meeting, window) for window in self._windows]
        self._holding = Counter(word for bag in self._words for word in bag)
        self._mean = sum(map(Counter.total, self._words)) / len(self._words)

    def order(self, question: str) -> list[int]:
        """Give the pieces of the windows, best first."""
        asked = [word for word in _WORD.findall(question.casefold()) if word not in _STOP.split()]
        scores = [self._score(bag, asked) for bag in self._words]
        best = sorted(range(len(scores)), key=lambda i: (-scores[i], i))
        return [i for window in best for i in self._windows[window]]

    def first(self, question: str) -> list[int]:
        """Give the pieces of the best window."""
        order = self.order(question)
        return next(window for window in self._windows if window[0] == order[0])

    def _score(self, bag: Counter[str], asked: Sequence[str]) -> float:
        norm = 1.5 * (0.25 + 0.75 * bag.total() / self._mean)
        return sum(self._rarity(word) * bag[word] * 2.5 / (bag[word] + norm) for word in asked if bag[word])

    def _rarity(self, word: str) -> float:
        return math.log(1 + (len(self._words) - self._holding[word] + 0.5) / (self._holding[word] + 0.5))


def _windows(meeting: Meeting) -> list[list[int]]:
    windows: list[list[int]] = [[]]
    length, turn = 0, -1
    for i, piece in enumerate(meeting.pieces):
        if piece.turn != turn:
            if length >= WINDOW:
                windows.append([])
                length = 0
            length += len(piece.speaker.split())
        windows[-1].append(i)
        length, turn = length + len(piece.text.split()), piece.turn
    return windows


def _bag(meeting: Meeting, window: Sequence[int]) -> Counter[str]:
    bag: Counter[str] = Counter()
    for i in window:
        piece = meeting.pieces[i]
        if i == window[0] or meeting.pieces[i - 1].turn != piece.turn:
            bag.update(_WORD.findall(piece.speaker.casefold()))
        bag.update(_WORD.findall(piece.text.casefold()))
    return bag
