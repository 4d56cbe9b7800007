"""Which ids of different chunks are one voice where nobody knows how voices sound: by words, names, elimination."""

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise

Who = tuple[int, str]
Same = Mapping[tuple[Who, Who], int]
_LEAST_WORDS = 2


class Groups:
    """The ids that are one voice, at most one of each chunk."""

    def __init__(self, known: Sequence[Who]) -> None:
        self._group: dict[Who, list[Who]] = {who: [who] for who in known}

    def join(self, one: Who, other: Who) -> None:
        """Make two ids one voice, unless a chunk tells two of their ids apart."""
        mine, theirs = self._group[one], self._group[other]
        if mine is theirs or {chunk for chunk, _ in mine} & {chunk for chunk, _ in theirs}:
            return
        mine += theirs
        self._group.update(dict.fromkeys(theirs, mine))

    def reaches(self, who: Who, chunk: int) -> bool:
        """Say whether an id is known to be a voice of that chunk."""
        return any(other == chunk for other, _ in self._group[who])

    @property
    def listed(self) -> list[list[Who]]:
        """The groups, in order of their first ids."""
        return sorted({id(group): sorted(group) for group in self._group.values()}.values())


def groups(known: Sequence[Who], names: Mapping[Who, str], same: Same) -> list[list[Who]]:
    """Join the ids of all chunks that are one voice; `same` counts the words that two ids are both said to say."""
    found = Groups(known)
    for (one, other), words in sorted(same.items(), key=lambda item: (-item[1], item[0])):
        if words >= _LEAST_WORDS and one in known and other in known:
            found.join(one, other)
    named = [who for who in known if who in names]
    for one, other in combinations(named, 2):
        if names[one].casefold() == names[other].casefold():
            found.join(one, other)
    for before, after in pairwise(sorted({chunk for chunk, _ in known})):
        _eliminate(found, [[who for who in known if who[0] == chunk] for chunk in (before, after)], names)
    return found.listed


def _eliminate(found: Groups, sides: Sequence[Sequence[Who]], names: Mapping[Who, str]) -> None:
    """Join the only two ids that are left of as many voices in two chunks, unless their names differ."""
    ours, theirs = sides
    left = [who for who in ours if not found.reaches(who, theirs[0][0])]
    others = [who for who in theirs if not found.reaches(who, ours[0][0])]
    if len(ours) == len(theirs) and len(left) == len(others) == 1:
        given = {names[who] for who in (left[0], others[0]) if who in names}
        if len(given) < 2:
            found.join(left[0], others[0])
