"""Constraints of two calls that cannot hold together, told before anything runs: ranges too far apart, other voices.

Only what no rows could satisfy is refused here; what these rows do not satisfy is counted and proven later.
"""

from collections.abc import Iterator

from store import clock
from store.catalog import Catalog
from store.link import ORDERING, TAU_MS
from store.record import Span
from tools.plan import Call, Join, Plan
from tools.speaker.names import resolve
from tools.stream import StreamQuery
from tools.validation.problem import Problem, names_of, stretch, told


def contradictions(join: Join, plan: Plan, catalog: Catalog) -> Iterator[Problem]:
    """Give what a call and a partner that must be there ask for and no two rows can be."""
    anchor, partner = plan.call(join.to or plan.fuse.anchor), plan.call(join.stream)
    if join.kind != "inner":
        return
    if _too_far(join, anchor, partner, catalog):
        message = (
            f"the {anchor.query.stream} {told(anchor.query)} was asked to be {_words(join)} the "
            f"{partner.query.stream} {told(partner.query)}, and no row can be both; widen one of the ranges"
        )
        between = {"range": [stretch(anchor.query), stretch(partner.query)], "relation": join.relation}
        yield Problem("contradictory_constraints", partner.id, between, message)
    ours, theirs = (_voices(call.query, catalog) for call in (anchor, partner))
    if ours and theirs and _cannot_be(join.voice, ours, theirs):
        people = [*names_of(anchor.query), *names_of(partner.query)]
        message = (
            f"rows of {' and '.join(people)} were asked to be of {join.voice} voice, and they cannot be; "
            f'ask for one person, or join with voice "any"'
        )
        yield Problem("contradictory_constraints", partner.id, {"speaker": people, "voice": join.voice}, message)


def _too_far(join: Join, anchor: Call, partner: Call, catalog: Catalog) -> bool:
    """Say whether the two ranges lie so that no row of one can stand in the relation to a row of the other."""
    streams = [call.query.stream for call in (anchor, partner)]
    longest = sum(catalog.longest(stream) for stream in streams)
    blur = sum(max((state.resolution_ms for state in catalog.of(stream).values()), default=0) for stream in streams)
    lengths = [entry.recording.duration_ms for entry in catalog.recordings]
    spans = [(anchor.query.within(length), partner.query.within(length)) for length in lengths]
    return join.relation != "anywhere" and all(_apart(join, *pair, longest, blur) for pair in spans)


def _apart(join: Join, ours: Span, theirs: Span, longest: int, blur: int) -> bool:
    """Say it of one recording; where edges may be off by `blur`, what is sure of a row lies as much inside it."""
    if join.relation in ORDERING:
        return ours.t0 >= theirs.t1 + blur if join.relation == "before" else theirs.t0 >= ours.t1 + blur
    near = TAU_MS if join.relation in ("nearest", "nearest_midpoint") else 0
    slack = near if join.tolerance is None else clock.end_ms(join.tolerance)
    return ours.gap(theirs) > longest + slack


def _voices(query: StreamQuery, catalog: Catalog) -> set[int]:
    names = names_of(query)
    return {voice.id for entry in catalog.recordings for name in names for voice in resolve(entry, name)}


def _cannot_be(voice: str, ours: set[int], theirs: set[int]) -> bool:
    return not ours & theirs if voice == "same" else voice == "other" and len(ours | theirs) == 1


def _words(join: Join) -> str:
    return {"overlaps": "during", "nearest_midpoint": "nearest"}.get(join.relation, join.relation.replace("_", " "))
