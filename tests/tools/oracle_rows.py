"""The rows of plans' calls in plain Python, and how two rows lie in time, the way their meaning is defined."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from store import clock
from store.record import Span, total
from tools.plan import Join
from tools.stream import StreamQuery

NEAR = ("nearest", "nearest_midpoint", "right_after")


@dataclass(frozen=True, slots=True)
class Known:
    """One row as it was published; `rec` orders recordings, `voice` is a label that is unique in the library."""

    stream: str
    rec: int
    id: int
    t0: int
    t1: int
    voice: str | None = None
    text: str | None = None
    label: str | None = None
    score: float | None = None

    @property
    def span(self) -> Span:
        return Span(self.t0, self.t1)

    @property
    def place(self) -> tuple[int, int, int]:
        return self.rec, self.t0, self.id


@dataclass(frozen=True, slots=True)
class World:
    """The rows of recordings, and by recording how long it is and how far it was heard, in milliseconds.

    `resolution` gives by stream how far the edges of its rows may be off.
    """

    rows: Sequence[Known]
    lengths: Mapping[int, int]
    heard: Mapping[int, int]
    resolution: Mapping[str, int] = field(default_factory=dict)


def sure(row: Known, blur: int) -> Known:
    """Give a row as it certainly was: shorter at both edges, or its middle millisecond."""
    if row.t1 - row.t0 > 2 * blur:
        return replace(row, t0=row.t0 + blur, t1=row.t1 - blur)
    middle = (row.t0 + row.t1) // 2
    return replace(row, t0=middle, t1=middle + 1)


def related(join: Join, a: Known, p: Known, blur: int = 0) -> bool:
    """Say whether anchor and partner stand in a join's relation; an order holds for what is sure of the partner."""
    if a.rec != p.rec or (join.voice != "any" and (a.voice is None or p.voice is None)):
        return False
    if join.voice != "any" and (a.voice == p.voice) != (join.voice == "same"):
        return False
    given = None if join.tolerance is None else clock.end_ms(join.tolerance)
    slack = given if given is not None else 2500 if join.relation in NEAR else 0
    if blur and join.relation in ("before", "after", "right_after"):
        p, slack, given = sure(p, blur), slack + blur, None if given is None else given + blur
    match join.relation:
        case "anywhere":
            return True
        case "overlaps":
            return a.t0 - slack < p.t1 and p.t0 < a.t1 + slack
        case "nearest" | "nearest_midpoint":
            return a.span.gap(p.span) <= slack
        case "contains":
            return a.t0 - slack <= p.t0 and p.t1 <= a.t1 + slack and p.t0 < a.t1 + slack
        case "within":
            return p.t0 - slack <= a.t0 and a.t1 <= p.t1 + slack
        case "before":
            return a.t1 <= p.t0 and (given is None or p.t0 - a.t1 <= given)
        case "after":
            return p.t1 <= a.t0 and (given is None or a.t0 - p.t1 <= given)
        case "right_after":
            return p.t1 <= a.t0 <= p.t1 + slack


def stretch(query: StreamQuery, rec: int, world: World) -> Span:
    """Give the part of a recording that a call asks for."""
    start, end = 0, 1 << 40
    if query.start is not None:
        start = clock.start_ms(query.start) + (world.lengths[rec] if query.start < 0 else 0)
    if query.end is not None:
        end = clock.end_ms(query.end) + (world.lengths[rec] if query.end < 0 else 0)
    return Span(max(start, 0), max(end, 0))


def selected(query: StreamQuery, world: World) -> list[Known]:
    """Give the rows one call selects."""
    asked: Mapping[str, Any] = query.model_dump()
    spans = {rec: stretch(query, rec, world) for rec in world.lengths}
    here = [row for row in world.rows if row.stream == query.stream]
    found = [row for row in here if spans[row.rec] and row.span.overlaps(spans[row.rec])]
    if asked.get("labels"):
        found = [row for row in found if row.label in asked["labels"]]
    elif query.stream == "events":
        found = [row for row in found if row.label not in ("Speech", "Silence")]
    if asked.get("min_score") is not None:
        found = [row for row in found if row.score is not None and row.score >= asked["min_score"]]
    names = [name for name in [asked.get("speaker"), *asked.get("names", [])] if name]
    if names:
        found = [row for row in found if row.voice is not None and row.voice.split("/")[1] in names]
    if asked.get("keywords"):
        wanted = terms(query)
        if asked["match"] == "all" and len(wanted) > 1:
            hits = together(wanted, world)
            found = [row for row in found if row.id in hits]
        else:
            found = [row for row in found if any(said(row, term, world) for term in wanted)]
    if asked.get("min_talk") is not None:
        talk = {row.voice: total(cut(query, r, world) for r in found if r.voice == row.voice) for row in found}
        found = [row for row in found if talk[row.voice] >= clock.end_ms(asked["min_talk"])]
    if query.nth is not None:
        place = query.nth - 1 if query.nth > 0 else query.nth
        by_rec = [sorted((r for r in found if r.rec == rec), key=lambda row: row.place) for rec in world.lengths]
        found = [rows[place] for rows in by_rec if -len(rows) <= place < len(rows)]
    return found


def terms(query: StreamQuery) -> list[str]:
    """Give the words or the phrase of a transcript query."""
    asked = query.model_dump()
    return [" ".join(asked["keywords"])] if asked["match"] == "phrase" else list(dict.fromkeys(asked["keywords"]))


def said(row: Known, term: str, world: World) -> int:
    """Count a phrase of different words in plain words: where it begins in a row, and may end in those that follow."""
    words, wanted = (row.text or "").split(), term.split()
    whole, last = list(words), onward(row, world)
    while last is not None and len(whole) < len(words) + len(wanted) - 1:
        whole += (last.text or "").split()
        last = onward(last, world)
    return sum(whole[at : at + len(wanted)] == wanted for at in range(len(words)))


def onward(row: Known, world: World) -> Known | None:
    """Give the segment in which a voice goes on: its next one, within 1.5 s, with nobody's wholly in between."""
    spoken = [one for one in world.rows if (one.stream, one.rec) == ("transcript", row.rec)]
    later = [one for one in spoken if one.voice == row.voice and one.place > row.place]
    after = min(later, key=lambda one: one.place, default=None)
    if after is None or after.t0 - row.t1 > 1500:
        return None
    return None if any(row.t1 <= one.t0 and one.t1 <= after.t0 for one in spoken) else after


def together(wanted: Sequence[str], world: World) -> set[int]:
    """Give the rows that hold all words, or only do with the row in which the voice goes on, which counts once."""
    spoken = sorted((row for row in world.rows if row.stream == "transcript"), key=lambda row: row.place)
    full = {row.id for row in spoken if set(wanted) <= set((row.text or "").split())}
    found, used = set(full), set(full)
    for last in spoken:
        first = next((row for row in spoken if onward(row, world) == last), None)
        if first is None or first.id in used or last.id in full:
            continue
        if set(wanted) <= set(f"{first.text} {last.text}".split()):
            found.add(first.id)
            used.add(last.id)
    return found


def cut(query: StreamQuery, row: Known, world: World) -> Span:
    asked = stretch(query, row.rec, world)
    return Span(max(row.t0, asked.t0), min(row.t1, asked.t1))
