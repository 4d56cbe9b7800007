"""Whether counted voices hold: a voice of two people is split, a short one that is surely another's joins it.

Clustering joins pair by pair and never looks back. What counts here is the logarithm of how much likelier two groups of
pieces are if one voice said both: voices differ, one voice differs from ten seconds to the next, and short speech is
noisy, each by a variance that was measured. As a rule for joining pairs it is no better than their cosine; as a second
look at whole voices it finds some that were mixed, and some that are none.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tools.speaker.recognisers.clustering import LOCALS
from tools.speaker.recognisers.steps import Steps

Array = NDArray[np.float32]
Labels = NDArray[np.int64]
Mask = NDArray[np.bool_]
_ROUNDS, _BEGUN, _LONG_S = 8, 3, 0.25


@dataclass(frozen=True, slots=True)
class Check:
    """What was chosen on development readers: log likelihood ratios, seconds, and the variances of one dimension.

    A voice of at most `longest` falls in two when its halves, each of at least `least`, are below `split`. One of under
    `short` joins another above `join`, unless they meet as two local voices in over `met` of the rarer one's windows.
    `between` voices, of a `context` of ten seconds, and of one `second` of speech, measured on 103 made conversations
    of development readers; the last two are twice that, because with less real voices fell in two.
    """

    split: float = 4.0
    join: float = 8.5
    short: float = 5.0
    least: float = 0.8
    longest: float = 60.0
    met: float = 0.5
    between: float = 0.00199
    context: float = 0.00074
    second: float = 0.0027


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """All pieces (n) in order: vectors of each stretch (m, 192), weights, units, windows x 3 + local, contexts."""

    vectors: Sequence[Steps]
    weight: Array
    unit: Labels
    place: Labels
    context: Labels

    def of(self, pieces: Labels) -> Array:
        """Give the vectors of some pieces, in order, as float32."""
        begins = np.cumsum([0, *map(len, self.vectors)])
        edges = np.searchsorted(pieces, begins)
        parts = [
            part[pieces[first:end] - begin]
            for part, begin, first, end in zip(self.vectors, begins[:-1], edges[:-1], edges[1:], strict=True)
        ]
        return np.concatenate(parts)


def checked(heard: Heard, voice: Labels, fewest: int, most: int | None, check: Check) -> Labels:
    """Give the voice of each piece after a second look, labels from 0; never under `fewest` voices, nor over `most`."""
    if not len(voice):
        return voice
    found = _joined(heard, _split(heard, voice, most, check), fewest, check)
    return np.unique(found, return_inverse=True)[1]


def one_voice(sums: tuple[Array, Array], shares: tuple[Array, Array], check: Check) -> float:
    """Give the logarithm of how much likelier two groups are with one voice than with two.

    A group is the sum of its vectors times their weights (192,), and how much of its weight lies in each context.
    """
    seconds = [float(each.sum()) for each in shares]
    one, two = (each.astype(np.float64) / weight for each, weight in zip(sums, seconds, strict=True))
    first, second = (
        check.between + check.context * float((each**2).sum()) / weight**2 + check.second / weight
        for each, weight in zip(shares, seconds, strict=True)
    )
    joint = first * second - check.between**2
    square = second * one @ one - 2 * check.between * one @ two + first * two @ two
    apart = one @ one / first + two @ two / second
    return float(0.5 * (len(one) * np.log(first * second / joint) - square / joint + apart))


def _split(heard: Heard, voice: Labels, most: int | None, check: Check) -> Labels:
    """Let voices of two people be two; new ones are numbered on."""
    found = voice.copy()
    for one in np.unique(voice).tolist():
        own = np.flatnonzero(voice == one)
        weight = heard.weight[own]
        if not 2 * check.least <= weight.sum() <= check.longest or len(np.unique(found)) == most:
            continue
        vectors = heard.of(own)
        second = halves(vectors, weight, heard.unit[own], check.least)
        if second is None:
            continue
        sides = (~second, second)
        sums = [weight[side] @ vectors[side] for side in sides]
        shares = [_shares(heard.context[own[side]], weight[side]) for side in sides]
        if one_voice((sums[0], sums[1]), (shares[0], shares[1]), check) < check.split:
            found[own[second]] = found.max() + 1
    return found


def _shares(context: Labels, weight: Array) -> Array:
    """Give how much weight lies in each context."""
    made: Array = np.bincount(context, weights=weight).astype(np.float32)
    return made


def halves(vectors: Array, weight: Array, unit: Labels, least: float) -> Mask | None:
    """Part unit vectors (n, 192) in two by what they are like, each of at least `least`; None where nothing does.

    Begins with the whole and, in turn, each of the units that are least like it.
    """
    unit = np.unique(unit, return_inverse=True)[1]
    mass = np.bincount(unit, weights=weight)
    sums = np.zeros((len(mass), vectors.shape[1]), np.float32)
    np.add.at(sums, unit, vectors * weight[:, None])
    whole = _unit_length(sums.sum(0))
    long = np.flatnonzero(mass >= min(_LONG_S, mass.max()))
    best: tuple[float, Mask] | None = None
    for start in long[np.argsort(_unit_length(sums[long]) @ whole, kind="stable")[:_BEGUN]]:
        middles = np.stack([whole, _unit_length(sums[start])])
        second = np.zeros(len(vectors), bool)
        for _ in range(_ROUNDS):
            second = (vectors @ middles.T).argmax(1) == 1
            if second.all() or not second.any():
                break
            middles = _unit_length(np.stack([weight[side] @ vectors[side] for side in (~second, second)]))
        share, fit = float(weight[second].sum()), float(weight @ (vectors @ middles.T).max(1))
        if min(share, float(weight.sum()) - share) >= least and (best is None or fit > best[0]):
            best = fit, second
    return None if best is None else best[1]


def _joined(heard: Heard, voice: Labels, fewest: int, check: Check) -> Labels:
    """Let short voices that are surely another's join it, the shortest first; labels have gaps."""
    found, left = voice.copy(), sorted(set(voice.tolist()))
    sums = np.zeros((left[-1] + 1, heard.vectors[0].shape[1]), np.float32)
    shares = np.zeros((left[-1] + 1, int(heard.context.max()) + 1), np.float32)
    np.add.at(shares, (voice, heard.context), heard.weight)
    begin = 0
    for part in heard.vectors:
        own = slice(begin, begin + len(part))
        np.add.at(sums, voice[own], part[:] * heard.weight[own, None])
        begin = own.stop
    for one in sorted(left, key=lambda label: (shares[label].sum(), label)):
        others = [label for label in left if label != one]
        if len(left) <= fewest or not others or shares[one].sum() >= check.short:
            continue
        alike = [one_voice((sums[one], sums[other]), (shares[one], shares[other]), check) for other in others]
        best = others[int(np.argmax(alike))]
        if max(alike) > check.join and _met(heard.place[found == one], heard.place[found == best]) <= check.met:
            found[found == one] = best
            left.remove(one)
            sums[best] += sums[one]
            shares[best] += shares[one]
    return found


def _met(one: Labels, two: Labels) -> float:
    """Give in which share of the windows of the rarer one both are local voices that differ."""
    places = set(two.tolist())
    apart = {
        place // LOCALS
        for place in one.tolist()
        if any(place // LOCALS * LOCALS + local in places for local in range(LOCALS) if local != place % LOCALS)
    }
    return len(apart) / min(len(np.unique(one // LOCALS)), len(np.unique(two // LOCALS)))


def _unit_length(rows: Array) -> Array:
    made: Array = rows / np.maximum(np.linalg.norm(rows, axis=-1, keepdims=True), 1e-9)
    return made
