"""Whether what an item stands on was heard as it was said: whether a refusal is due to hearing or to the agent."""

from collections.abc import Mapping, Sequence

from agent.evals.tasks.item import Item, Place
from agent.evals.worlds.truth import World
from store.record import Segment

Rows = Mapping[tuple[int, int], Segment]


def intact(item: Item, world: World, heard: Sequence[Segment]) -> bool | None:
    """Say whether a sentence it stands on kept its voice and the words of every fact; None where it stands on none."""
    said, written = _rows(world.segments), _rows(heard)
    words = _bare(" ".join(f"{fact.entity} {fact.attribute} {fact.value}" for fact in world.facts))
    places = [place for place in item.evidence if place[0] == "transcript"]
    return any(_kept(place, said, written, words) for place in places) if places else None


def _rows(segments: Sequence[Segment]) -> Rows:
    return {(segment.t0, segment.t1): segment for segment in segments}


def _kept(place: Place, said: Rows, written: Rows, words: frozenset[str]) -> bool:
    true, row = said[place[1:]], written.get(place[1:])
    return row is not None and row.speaker == true.speaker and _bare(true.text) & words <= _bare(row.text)


def _bare(text: str) -> frozenset[str]:
    return frozenset(word.strip(".,").casefold() for word in text.split())
