"""Joins in time over sorted arrays: what numpy needs once all rows lie in memory, which no database can undercut."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]
NONE = -1


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows in order of (start, id), the order of their ends, and the latest end so far."""

    id: Whole
    t0: Whole
    t1: Whole
    by_end: Whole
    latest: Whole
    longest: int

    @classmethod
    def of(cls, table: Whole) -> "Rows":
        """Make them of rows of (id, start, end), in order of (start, id)."""
        ids, t0, t1 = np.ascontiguousarray(table.T)
        by_end = np.lexsort((-ids, -t0, t1))
        return cls(ids, t0, t1, by_end, np.maximum.accumulate(t1), int((t1 - t0).max(initial=0)))


def nearest(anchors: Rows, partners: Rows, tau: int) -> Whole:
    """Give by anchor the id of its nearest partner within tau milliseconds (NONE: there is none): three searches.

    Ties go to the smaller gap, the earlier start, the smaller id.
    """
    last = len(partners.id) - 1
    ends = partners.t1[partners.by_end]
    beside = np.searchsorted(partners.latest, anchors.t0, "left")
    ahead = np.searchsorted(partners.t0, anchors.t1, "right")
    behind = np.searchsorted(ends, anchors.t0, "left") - 1
    meets = (beside <= last) & (partners.t0[np.minimum(beside, last)] <= anchors.t1)
    far = np.int64(tau + 1)
    after = np.where(ahead <= last, partners.t0[np.minimum(ahead, last)] - anchors.t1, far)
    before = np.where(behind >= 0, anchors.t0 - ends[np.maximum(behind, 0)], far)
    away = np.where(before <= after, partners.by_end[np.maximum(behind, 0)], np.minimum(ahead, last))
    place = np.where(meets, np.minimum(beside, last), away)
    return np.where(meets | (np.minimum(before, after) <= tau), partners.id[place], NONE)


def overlapping(anchors: Rows, partners: Rows) -> Whole:
    """Give all pairs that share some time, as rows of (anchor's id, partner's id)."""
    low = np.searchsorted(partners.t0, anchors.t0 - partners.longest, "right")
    counts = np.searchsorted(partners.t0, anchors.t1, "left") - low
    anchor = np.repeat(np.arange(len(anchors.id)), counts)
    partner = np.arange(len(anchor)) - np.repeat(np.cumsum(counts) - counts - low, counts)
    shares = partners.t1[partner] > anchors.t0[anchor]
    return np.stack([anchors.id[anchor[shares]], partners.id[partner[shares]]], axis=1)
