"""A recording written down by a model that hears: chunk by chunk, on the recording's clock, fused, and checked.

Each chunk is sent once, and only the half minutes that two chunks share are fused. What was written and cannot have
been said, and what was said and not written, comes back as findings: a model's text is never taken on its word.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from store.asides import SetAside
from store.clock import clock
from store.errors import EndpointError
from store.record import Segment, Span, Turn, total, union
from tools.health.finding import Check, Finding
from tools.transcript.interview.attempts import Written, write_down
from tools.transcript.interview.checks import aside, checked, counted, share
from tools.transcript.interview.chunks import Chunk, cut, plan
from tools.transcript.interview.cost import Bill, Call, bill
from tools.transcript.interview.ear import Ear, Shelf
from tools.transcript.interview.fuse import align
from tools.transcript.interview.grouping import Who
from tools.transcript.interview.joining import joined, shared
from tools.transcript.interview.pieces import split, tail
from tools.transcript.interview.table import Problem, Said
from tools.transcript.interview.timing import timed
from tools.transcript.interview.voices import Roster, alike, relabelled, roster
from tools.transcript.interview.words import timed_words

PAST_MS = 1_000
"""A row may begin so much after its chunk's end, since times are whole seconds."""

Voiced = Callable[[NDArray[np.float32], int], Sequence[Turn]]


@dataclass(frozen=True, slots=True)
class Interview:
    """What was written down: segments in order of time, a name the model gave by label, and what speaks against it.

    `unheard` are the stretches of which nothing was written, and why.
    """

    segments: Sequence[Segment]
    names: dict[str, str]
    set_aside: Sequence[SetAside]
    findings: Sequence[Finding]
    notes: Sequence[str]
    unheard: Sequence[tuple[Span, str]]
    bill: Bill


@dataclass(slots=True)
class _Gathered:
    """What the chunks gave so far."""

    parts: list[tuple[Span, list[Said]]] = field(default_factory=list)
    names: dict[Who, str] = field(default_factory=dict)
    speech: list[Span] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    repeated: list[Said] = field(default_factory=list)
    beyond: list[Said] = field(default_factory=list)
    unheard: list[tuple[Span, str]] = field(default_factory=list)
    drifted: list[Span] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    end: int = 0


def interview(
    blocks: Iterable[NDArray[np.float32]],
    duration_ms: int,
    ear: Ear,
    shelf: Shelf,
    voiced: Voiced,
    turns: Sequence[Turn] | None = None,
    *,
    language: str | None = None,
    progress: Callable[[int], None] = lambda done_ms: None,
) -> Interview:
    """Have the blocks (16 kHz mono) of a recording written down; EndpointError where the endpoint cannot be used.

    `voiced` finds where anybody speaks, `turns` are those of voices that were told apart by their sound; `progress` is
    told the milliseconds that are done. A chunk without a voice is not sent.
    """
    found = _Gathered()
    for chunk in cut(blocks):
        _add(found, chunk, ear, shelf, voiced, duration_ms)
        progress(chunk.t1)
    who = _roster(found, turns)
    rows = _fused(found, who, ear, shelf)
    whole = checked(rows, found.speech, min(duration_ms, found.end) or duration_ms)
    findings = [*whole.findings, *_findings(found, who, whole.rows, duration_ms)]
    segments = [Segment(row.t0, row.t1, row.text, row.voice, timed_words(row), language) for row in whole.rows]
    notes = [*found.notes, *(f"transcript: {finding.text}" for finding in findings)]
    return Interview(
        segments, dict(who.names), _asides(found, whole.set_aside), findings, notes, found.unheard,
        bill(found.calls),
    )  # fmt: skip


def _add(found: _Gathered, chunk: Chunk, ear: Ear, shelf: Shelf, voiced: Voiced, duration_ms: int) -> None:
    found.end = chunk.t1
    speech = [Span(turn.t0, turn.t1) for turn in voiced(chunk.samples, chunk.t0)]
    found.speech = union([*found.speech, *speech])
    if not speech:
        found.notes.append(f"{clock(chunk.t0)}-{clock(chunk.t1)}: nobody is heard, so it was not sent")
        return
    try:
        written = write_down(chunk, ear, shelf)
    except EndpointError as error:
        done = f"{chunk.number} of {len(plan(duration_ms))} chunks are written down, and the same command goes on"
        error.args = (f"{error}; {done}",)
        raise
    found.calls += written.calls
    found.notes += [written.note] if written.note else []
    if written.fault:
        found.unheard.append((chunk.span, written.fault))
    _take(found, chunk, written, speech)


def _take(found: _Gathered, chunk: Chunk, written: Written, speech: Sequence[Span]) -> None:
    """Bring the rows of a chunk onto the recording's clock."""
    told = timed(written.table.rows, chunk.span, chunk.number, speech)
    found.notes += [told.note] if told.note else []
    found.drifted += [] if told.sure else [chunk.span]
    found.parts.append((chunk.span, [row for row in told.rows if row.t0 < chunk.t1 + PAST_MS]))
    found.beyond += [row for row in told.rows if row.t0 >= chunk.t1 + PAST_MS]
    found.names |= {(chunk.number, voice): name for voice, name in written.table.names.items()}
    found.problems += [replace(one, at=min(one.at + chunk.t0, chunk.t1)) for one in written.table.problems]
    found.repeated += [
        replace(row, t0=min(row.t0 + chunk.t0, chunk.t1), t1=min(max(row.t0 + 1, row.t1) + chunk.t0, chunk.t1 + 1))
        for row in written.repeated
    ]


def _roster(found: _Gathered, turns: Sequence[Turn] | None) -> Roster:
    same: Counter[tuple[Who, Who]] = Counter()
    for (before, rows), (after, others) in zip(found.parts, found.parts[1:], strict=False):
        if before.overlaps(after):
            end, begin = tail(rows, before), split(others, after).begin
            same += alike(align(end, begin, shared(before, after)), end, begin)
    return roster([row for _, rows in found.parts for row in rows], found.names, same, turns)


def _fused(found: _Gathered, who: Roster, ear: Ear, shelf: Shelf) -> list[Said]:
    """Paste what lies between the overlaps, and fuse the end of each chunk with the beginning of the next."""
    parts = [(span, relabelled(rows, who)) for span, rows in found.parts]
    whole: list[Said] = []
    last: Span | None = None
    for span, rows in parts:
        if last is None or not last.overlaps(span):
            whole += rows
        else:
            pieces, end = split(rows, span), tail(whole, last)
            fused = joined(end, pieces.begin, shared(last, span), ear, shelf)
            found.notes += fused.notes
            found.calls += fused.calls
            whole = [*whole[: len(whole) - len(end)], *fused.rows, *pieces.main, *pieces.end]
        last = span
    return _in_order(whole)


def _in_order(rows: Sequence[Said]) -> list[Said]:
    """Give rows in the order in which they are said, although the clocks of two chunks may differ by seconds."""
    found: list[Said] = []
    for row in rows:
        t0 = max(row.t0, found[-1].t0) if found else row.t0
        found.append(replace(row, t0=t0, t1=max(row.t1, t0 + 1)))
    return found


def _asides(found: _Gathered, late: Sequence[SetAside]) -> list[SetAside]:
    """Give all that was written and is no evidence, in order of time; `late` was found when all was fused."""
    lines = ((one.at, f"format problem on this line: {one.line}") for one in found.problems)
    asides = [
        *late,
        *aside(found.beyond, "past_end"),
        *aside(found.repeated, "loop"),
        *(SetAside(at, at + 1, told, "format") for at, told in lines),
    ]
    return sorted(asides, key=lambda one: one.t0)


def _findings(found: _Gathered, who: Roster, rows: Sequence[Said], duration_ms: int) -> list[Finding]:
    """Tell what the chunks themselves showed, each with the share of the recording that it concerns."""
    findings = [
        share("beyond", found.beyond, counted([*found.beyond, *rows]), "past the end of the audio that was sent"),
        _over(
            "malformed", len(found.problems), len(found.problems) + len(rows),
            f"{len(found.problems)} lines had a format problem",
        ),
        _over(
            "repeated", total(_lost(found)), duration_ms,
            f"{len(found.repeated)} rows in which the model repeats itself were cut",
        ),
        _over("drift", total(found.drifted) // 2, duration_ms, "times do not fit where voices are heard"),
        _over(
            "swapped", sum(swap.ms for swap in who.swaps), sum(row.t1 - row.t0 for row in rows),
            "; ".join(swap.text for swap in who.swaps),
        ),
    ]  # fmt: skip
    told = [finding for finding in findings if finding is not None]
    # voices that were told apart by their sound have put the rows right
    return [replace(one, spoilt=0.0) if one.check == "swapped" and who.heard else one for one in told]


def _lost(found: _Gathered) -> list[Span]:
    """Give what a loop took the place of: from each repeated row to the next that stands, or its chunk's end."""
    lost = []
    for span, rows in found.parts:
        inside = [row for row in found.repeated if span.t0 <= row.t0 <= span.t1]
        for one in inside:
            after = [row.t0 for row in rows if row.t0 > one.t0]
            lost.append(Span(one.t0, min([*after, span.t1])))
    return lost


def _over(check: Check, part: int, whole: int, text: str) -> Finding | None:
    return Finding(check, text, min(1.0, part / max(1, whole))) if part else None
