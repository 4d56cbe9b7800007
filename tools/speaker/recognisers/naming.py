"""Which voice each piece of speech is: units are counted, pieces are placed.

Units, the pieces that sound alike within one window, are clustered over the whole recording; each stretch is first
joined by itself where that is safe, and remembered, so that going on listening costs what is new. Then each piece goes
to the voice it is clearly most like: the mean of a voice is surer than any window was. Whole voices get a second look.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tools.speaker.recogniser import Voices
from tools.speaker.recognisers.checking import Check, Heard, checked
from tools.speaker.recognisers.clustering import LOCALS, Bounds, cluster, weighed_sums
from tools.speaker.recognisers.networks import FRAME, FRAMES, RATE
from tools.speaker.recognisers.steps import Steps

Array = NDArray[np.float32]
Labels = NDArray[np.int64]
CONTEXT_S = 10


@dataclass(frozen=True, slots=True)
class Naming:
    """What was chosen on development readers (scripts/tune_speakers.py); seconds and cosine similarities.

    Groups below `similarity` are two voices; from `safe` on, what one stretch joins stays joined. Units of under
    `sure_seconds` found no voice, unless they are less than `stray_similarity` like any. `penalty`, `doubt_seconds`:
    see `Bounds`. A vector weighs its seconds, up to `most_weight`, divided among the windows that hear the same. A
    piece moves when another voice is over `move` more like it. `check` is the second look, None for none.
    """

    similarity: float = 0.56
    safe: float = 0.7
    sure_seconds: float = 0.8
    stray_similarity: float = 0.1
    penalty: float = 0.2
    doubt_seconds: float = 1.5
    most_weight: float = 5.0
    move: float = 0.05
    check: Check | None = Check()

    def bounds(self, fewest: int = 1, most: int | None = None) -> Bounds:
        """Give what the clustering is told."""
        return Bounds(self.similarity, fewest, most, self.penalty, self.doubt_seconds)

    def trust(self, seconds: Array) -> Array:
        """Give the weight of vectors of so much clean speech."""
        return (np.minimum(seconds, self.most_weight) + 0.05).astype(np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class Stretch:
    """One stretch ready for clustering: its pieces (n), the unit of each, and its units (m).

    The vectors of pieces are in steps: there are many. `place` is where a unit was heard (window of the stretch x 3 +
    local voice), `group` what is safely one voice, `context` in which ten seconds a piece was heard.
    """

    vectors: Steps
    weight: Array
    unit: Labels
    unit_weight: Array
    unit_seconds: Array
    place: Labels
    group: Labels
    context: Labels

    @property
    def unit_vectors(self) -> Array:
        """The unit vectors (m, 192) of its units, made anew: hours of them would be held for a moment's use."""
        return _unit_length(weighed_sums(self.vectors[:], self.weight, self.unit))


def stretch(voices: Voices, naming: Naming, fewest: int = 1) -> Stretch:
    """Gather a stretch's pieces into units, and join what is safely one voice, down to `fewest` groups."""
    vectors, seconds = voices.arrays["vectors"].astype(np.float32), voices.arrays["seconds"]
    owners = voices.arrays["owners"].astype(np.int64)
    if owners.shape[1] == 3:  # heard by version 1, before an interruption: its units were not kept in pieces
        owners = owners[:, [0, 1, 2, 1]]
    keys, first, unit = np.unique(owners[:, 0] * 1000 + owners[:, 3], return_index=True, return_inverse=True)
    cover = _cover(voices.arrays["first"])
    weight = naming.trust(seconds) / cover[owners[:, 0]]
    unit_seconds = np.zeros(len(keys), np.float32)
    np.add.at(unit_seconds, unit, seconds)
    unit_vectors = _unit_length(weighed_sums(vectors, weight, unit))
    unit_weight = naming.trust(unit_seconds) / cover[owners[first, 0]]
    place = owners[first, 0] * LOCALS + owners[first, 2]
    group = np.arange(len(keys))
    sure = unit_seconds >= naming.sure_seconds
    if sure.any():
        limits = replace(naming.bounds(fewest), similarity=max(naming.safe, naming.similarity))
        group[sure] = cluster(unit_vectors[sure], unit_weight[sure], limits, naming.safe, place[sure])
        group[~sure] = len(keys) + np.arange(len(keys) - sure.sum())
    return Stretch(Steps.of(vectors), weight, unit, unit_weight, unit_seconds, place, group, _contexts(voices))


def name_pieces(stretches: Sequence[Stretch], windows: Sequence[int], naming: Naming, bounds: Bounds) -> Labels:
    """Give the voice of each piece of all stretches, which have so many `windows` each."""
    if sum(len(part.place) for part in stretches) < bounds.fewest:
        stretches = [_apart(part) for part in stretches]
    units = np.cumsum([0, *(len(part.place) for part in stretches)])
    groups = np.cumsum([0, *(int(part.group.max(initial=-1)) + 1 for part in stretches)])
    begins = np.cumsum([0, *windows]) * LOCALS
    unit = np.concatenate([part.unit + start for part, start in zip(stretches, units[:-1], strict=True)])
    place = np.concatenate([part.place + start for part, start in zip(stretches, begins[:-1], strict=True)])
    group = np.concatenate([part.group + start for part, start in zip(stretches, groups[:-1], strict=True)])
    voice = name_units(
        np.concatenate([part.unit_vectors for part in stretches]),
        np.concatenate([part.unit_weight for part in stretches]),
        np.concatenate([part.unit_seconds for part in stretches]),
        bounds,
        naming,
        place,
        group,
    )
    parts = [(part.vectors, part.weight) for part in stretches]
    found = settled(parts, voice[unit], naming.move)
    if naming.check is None or not len(found):
        return found
    contexts = np.cumsum([0, *(int(part.context.max(initial=-1)) + 1 for part in stretches)])
    heard = Heard(
        [part.vectors for part in stretches],
        np.concatenate([part.weight for part in stretches]),
        unit,
        place[unit],
        np.concatenate([part.context + start for part, start in zip(stretches, contexts[:-1], strict=True)]),
    )
    return settled(parts, checked(heard, found, bounds.fewest, bounds.most, naming.check), naming.move)


def name_units(
    vectors: Array,
    weight: Array,
    seconds: Array,
    bounds: Bounds,
    naming: Naming,
    place: Labels,
    group: Labels | None = None,
) -> Labels:
    """Label the vectors (n, 192): first those of enough clean speech, then each other one by the nearest voice.

    A short one that is like no voice makes a voice of its own with its likes: it may be someone who hardly speaks.
    """
    if not len(vectors):
        return np.empty(0, np.int64)
    sure = seconds >= naming.sure_seconds
    if sure.sum() < bounds.fewest:
        sure = np.ones(len(vectors), bool)
    group = np.arange(len(vectors)) if group is None else group
    begin = np.unique(group[sure], return_inverse=True)[1]
    labels = np.full(len(vectors), -1)
    labels[sure] = cluster(vectors[sure], weight[sure], bounds, naming.safe, place[sure], begin)
    count = int(labels.max()) + 1
    rest = np.flatnonzero(~sure)
    if not len(rest):
        return labels
    alike = vectors[rest] @ _unit_length(weighed_sums(vectors[sure], weight[sure], labels[sure])).T
    labels[rest] = alike.argmax(1)
    stray = rest[alike.max(1) < naming.stray_similarity]
    room = None if bounds.most is None else bounds.most - count
    if len(stray) and room != 0:
        own = cluster(vectors[stray], weight[stray], replace(bounds, fewest=1, most=room), naming.safe, place[stray])
        labels[stray] = own + count
    return labels


def settled(parts: Sequence[tuple[Steps, Array]], voice: Labels, move: float) -> Labels:
    """Give each piece to the voice it is most like, when that is over `move` more than its own.

    `parts` are the vectors (n, 192) and weights of each stretch, `voice` what their pieces are so far. A voice that
    would lose all its pieces keeps the longest.
    """
    if not len(voice):
        return voice
    owns = np.split(voice, np.cumsum([len(weight) for _, weight in parts])[:-1])
    sums = np.zeros((int(voice.max()) + 1, parts[0][0].shape[1]), np.float32)
    for (vectors, weight), own in zip(parts, owns, strict=True):
        np.add.at(sums, own, vectors[:] * weight[:, None])
    means = _unit_length(sums).T
    moved = np.concatenate(
        [_moved(vectors[:] @ means, own, move) for (vectors, _), own in zip(parts, owns, strict=True)]
    )
    weight = np.concatenate([weight for _, weight in parts])
    for lost in np.setdiff1d(voice, moved):
        own = np.flatnonzero(voice == lost)
        moved[own[weight[own].argmax()]] = lost
    return moved


def _moved(alike: Array, voice: Labels, move: float) -> Labels:
    """Give each row's best voice, where that is over `move` more than its own."""
    best, rows = alike.argmax(1), np.arange(len(alike))
    made: Labels = np.where(alike[rows, best] > alike[rows, voice] + move, best, voice)
    return made


def _apart(part: Stretch) -> Stretch:
    """Let every piece be a unit, where more voices are told than there are units."""
    own = np.arange(len(part.vectors))
    place = part.place[part.unit]
    return Stretch(part.vectors, part.weight, own, part.weight, part.weight, place, own, part.context)


def _contexts(voices: Voices) -> Labels:
    """Give in which ten seconds of its stretch the middle of each piece lies."""
    first, own = voices.arrays["first"], voices.arrays["own"].astype(np.int64)
    owners = voices.arrays["owners"].astype(np.int64)
    window, frame, local = np.nonzero(own >= 0)
    key = window * 1000 + own[window, frame, local]
    frames, count = (np.bincount(key, weights=w, minlength=1000 * len(first)) for w in (frame, None))
    piece = owners[:, 0] * 1000 + owners[:, 1]
    middle = first[owners[:, 0]] - first.min(initial=0) + frames[piece] / np.maximum(1, count[piece])
    made: Labels = (middle * FRAME / RATE // CONTEXT_S).astype(np.int64)
    return made


def _cover(first: Labels) -> Array:
    """Give for each window how many hear its frames, itself included, on average."""
    shared = np.maximum(0, FRAMES - np.abs(first[:, None] - first))
    made: Array = (shared.sum(1) / FRAMES).astype(np.float32)
    return made


def _unit_length(rows: Array) -> Array:
    made: Array = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
    return made
