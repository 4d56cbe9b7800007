"""B1: the whole transcript in the context, as far as it goes in: what comes after the first so many tokens is cut."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.brains.fence import tokens
from agent.evals.baselines.lines import Line, lines
from agent.evals.baselines.reader import asked, read
from agent.library import Library
from agent.reply import Reply

LIMITS = (8_000, 32_000, 128_000)


@dataclass(frozen=True, slots=True)
class Head:
    """Read the beginning, with names, exactly: a length-limited reader in the place of a model, so it is simulated.

    It loses only what is cut off; a model loses more, since it also misses what it is shown.
    """

    limit: int = LIMITS[0]

    @property
    def name(self) -> str:
        """The baseline's name, which says that no model read."""
        return f"B1 {self.limit // 1000}k (simulated)"

    def __call__(self, library: Library, recording_id: str, question: str) -> Reply:
        """Answer from the beginning."""
        one = asked(library, recording_id, question, self.name)
        whole = lines(library.database, one.scope.recordings[0].recording, speakers=True)
        return read(one, list(head(whole, self.limit)), speakers=True)


def head(found: Sequence[Line], limit: int) -> Iterator[Line]:
    """Give the lines that fit into so many tokens, from the beginning."""
    left = limit
    for line in found:
        left -= tokens(line.text)
        if left < 0:
            return
        yield line
