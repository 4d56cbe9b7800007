"""B2: the windows of text nearest in meaning to the question, by the project's own sentence vectors; nothing else."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from agent.evals.baselines.lines import Line, lines, windows, written
from agent.evals.baselines.reader import Asked, asked, read
from agent.library import Library
from agent.reply import Reply
from tools import embedding

if TYPE_CHECKING:
    from store.vectors import Vectors

TOP = 5  # windows of 200 words: about the 0.9k to 1.3k tokens that the agent and PlanRAG-Audio read


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Read the `top` best windows in order of time, with the names of who speaks or without; MissingWeights."""

    speakers: bool = False
    top: int = TOP
    name: str = "B2"

    def __call__(self, library: Library, recording_id: str, question: str) -> Reply:
        """Answer from the windows."""
        one = asked(library, recording_id, question, self.name)
        return read(one, self._brought(one), speakers=self.speakers)

    def brought(self, library: Library, recording_id: str, question: str) -> list[Line]:
        """Give the lines of the windows that a question is answered from."""
        return self._brought(asked(library, recording_id, question, self.name))

    def _brought(self, one: Asked) -> list[Line]:
        recording = one.scope.recordings[0].recording
        cut = list(windows(lines(one.library.database, recording, speakers=self.speakers)))
        best = ranked(one.question.text, [written(window) for window in cut])[: self.top]
        return [line for place in sorted(best) for line in cut[place]]


def ranked(question: str, texts: Sequence[str]) -> list[int]:
    """Give the places of texts by cosine similarity to a question, best first; MissingWeights without the model."""
    if not texts:
        return []
    near = _vectors(tuple(texts)) @ embedding.vectors([question])[0]
    return sorted(range(len(texts)), key=lambda place: (-float(near[place]), place))


@lru_cache(maxsize=4)
def _vectors(texts: tuple[str, ...]) -> "Vectors":
    return embedding.vectors(texts)
