"""Whether what an item stands on was heard as it was said: whether a refusal is due to hearing or to the agent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agent.evals.tasks.item import Item, Place
from agent.evals.worlds.truth import World
from store.record import Segment

Rows = Mapping[tuple[int, int], Segment]


@dataclass(frozen=True, slots=True)
class Hearing:
    """A world's sentences as they were said and as they were heard, by their times, and the words of its facts."""

    said: Rows
    written: Rows
    words: frozenset[str]

    def intact(self, item: Item) -> bool | None:
        """Say whether a sentence it stands on kept its voice and the words of facts; None where it stands on none."""
        places = [place for place in item.evidence if place[0] == "transcript"]
        return any(self._kept(place) for place in places) if places else None

    def _kept(self, place: Place) -> bool:
        true, row = self.said[place[1:]], self.written.get(place[1:])
        return row is not None and row.speaker == true.speaker and _bare(true.text) & self.words <= _bare(row.text)


def hearing(world: World, heard: Sequence[Segment]) -> Hearing:
    """Lay what was heard of a world beside it, once for all of its items."""
    words = _bare(" ".join(f"{fact.entity} {fact.attribute} {fact.value}" for fact in world.facts))
    return Hearing(_rows(world.segments), _rows(heard), words)


def _rows(segments: Sequence[Segment]) -> Rows:
    return {(segment.t0, segment.t1): segment for segment in segments}


def _bare(text: str) -> frozenset[str]:
    return frozenset(word.strip(".,").casefold() for word in text.split())
