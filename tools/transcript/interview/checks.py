"""What is wrong with a transcript that a model wrote, held against where a voice is heard; each with its share.

What cannot have been said (over silence, past the end) is set aside; what was said and not written can only be told.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from store.asides import Reason, SetAside
from store.clock import clock
from store.listing import listed
from store.record import Span, total, union
from tools.health.finding import Check, Finding, shared_ms
from tools.transcript.doubts import plain
from tools.transcript.interview.table import Said

NEAR_MS = 500
"""Times are whole seconds, so a row may begin or end so far from its voice."""
REACH_MS = 4_000
"""They drift too: a row without a voice may belong to one so near that no other row tells of."""
_VOICED_MS = 200
_DROPPED_MS = 6_000
_COVERS_MS = 2_000
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Checked:
    """The rows that stand, what was set aside, and what was found."""

    rows: Sequence[Said]
    set_aside: Sequence[SetAside]
    findings: Sequence[Finding]


def checked(rows: Sequence[Said], speech: Sequence[Span], duration_ms: int) -> Checked:
    """Check rows in order of time against where a voice is heard in a recording of this length."""
    beyond = [row for row in rows if row.t0 >= duration_ms]
    inside = [replace(row, t1=min(row.t1, duration_ms)) for row in rows if row.t0 < duration_ms]
    once, again = _once(inside)
    voiced = union(speech)
    silent = _over_silence(once, voiced)
    kept = [row for row in once if row not in silent]
    missed = _dropped(kept, voiced)
    whole = counted(rows)
    found = [
        share("invented", silent, whole, "over silence"),
        share("beyond", beyond, whole, "past the end of the recording"),
        share("doubled", again, whole, "twice"),
        _missing(missed, voiced),
    ]
    asides = [aside(silent, "no_speech"), aside(beyond, "past_end")]
    return Checked(kept, [one for part in asides for one in part], [finding for finding in found if finding])


def share(check: Check, rows: Sequence[Said], whole: int, where: str) -> Finding | None:
    """Tell how much of all words stands in rows that are no evidence, None when nothing does."""
    if not rows:
        return None
    part = counted(rows) / max(1, whole)
    times = listed([clock(row.t0) for row in rows], _SHOWN)
    return Finding(check, f"{part:.1%} of its words were written {where} ({times})", part)


def aside(rows: Sequence[Said], reason: Reason) -> list[SetAside]:
    """Give rows as what was set aside."""
    return [SetAside(row.t0, row.t1, row.text, reason) for row in rows]


def counted(rows: Sequence[Said]) -> int:
    """Count the words of rows."""
    return sum(len(row.text.split()) for row in rows)


def _over_silence(rows: Sequence[Said], voiced: Sequence[Span]) -> list[Said]:
    """Give the rows in which no voice is heard, and near which none is that others do not tell of."""
    found = [row for row in rows if not _heard([Span(row.t0 - NEAR_MS, row.t1 + NEAR_MS)], voiced)]
    others = union(Span(row.t0, row.t1) for row in rows if row not in found)
    return [row for row in found if not _heard(_without(Span(row.t0 - REACH_MS, row.t1 + REACH_MS), others), voiced)]


def _heard(spans: Sequence[Span], voiced: Sequence[Span]) -> bool:
    return shared_ms(spans, voiced) >= _VOICED_MS


def _without(span: Span, taken: Sequence[Span]) -> list[Span]:
    """Give what of a span lies in none of these disjoint spans in order."""
    inside = [one for one in taken if one.overlaps(span)]
    edges = [span.t0, *(edge for one in inside for edge in (one.t0, one.t1)), span.t1]
    return [Span(a, b) for a, b in zip(edges[::2], edges[1::2], strict=True) if b > a]


def _once(rows: Sequence[Said]) -> tuple[list[Said], list[Said]]:
    """Part rows from those that another one with the same time, words and voice stands for."""
    seen: set[tuple[int, int, str, str]] = set()
    kept: list[Said] = []
    again: list[Said] = []
    for row in rows:
        key = (row.t0, row.t1, row.voice, plain(row.text))
        (again if key in seen else kept).append(row)
        seen.add(key)
    return kept, again


def _dropped(rows: Sequence[Said], voiced: Sequence[Span]) -> list[Span]:
    """Give where a voice is heard in the gaps between rows in which much is said."""
    covered = union(Span(row.t0 - _COVERS_MS, row.t1 + _COVERS_MS) for row in rows)
    end = max([0, *(span.t1 for span in (*covered, *voiced))])
    missed = []
    for gap in _without(Span(0, end), covered):
        inside = [Span(max(gap.t0, one.t0), min(gap.t1, one.t1)) for one in voiced if one.overlaps(gap)]
        if total(inside) >= _DROPPED_MS:
            missed.append(inside)
    return [span for inside in missed for span in inside]


def _missing(missed: Sequence[Span], voiced: Sequence[Span]) -> Finding | None:
    if not missed:
        return None
    part = min(1.0, total(missed) / max(1, total(voiced)))
    near = union(Span(span.t0, span.t1 + _DROPPED_MS) for span in missed)
    where = listed([f"{clock(span.t0)}-{clock(span.t1 - _DROPPED_MS)}" for span in near], _SHOWN)
    return Finding("dropped", f"{part:.1%} of the time in which a voice is heard has no row ({where})", part)
