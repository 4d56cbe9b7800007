"""What plain retrieval by vectors finds: windows of at most 200 words by cosine similarity (B2, with labels B2s)."""

from collections.abc import Sequence

from agent.evals.baselines.retrieval import ranked
from agent.evals.qmsum.meetings import Meeting

WINDOW = 200


class Vectors:
    """Windows of whole pieces by the project's own sentence vectors; each piece with its label, or without."""

    def __init__(self, meeting: Meeting, *, speakers: bool) -> None:
        texts = [f"{piece.speaker}: {piece.text}" if speakers else piece.text for piece in meeting.pieces]
        self._windows = _windows(texts)
        self._texts = ["\n".join(texts[i] for i in window) for window in self._windows]

    def order(self, question: str) -> list[int]:
        """Give the pieces of the windows, best first; MissingWeights without the model."""
        return [i for place in ranked(question, self._texts) for i in self._windows[place]]

    def first(self, question: str) -> list[int]:
        """Give the pieces of the best window."""
        return self._windows[ranked(question, self._texts)[0]]


def _windows(texts: Sequence[str]) -> list[list[int]]:
    windows: list[list[int]] = [[]]
    words = 0
    for i, text in enumerate(texts):
        length = len(text.split())
        if windows[-1] and words + length > WINDOW:
            windows.append([])
            words = 0
        windows[-1].append(i)
        words += length
    return windows
