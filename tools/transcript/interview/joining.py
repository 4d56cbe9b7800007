"""Fusing the end of a chunk with the beginning of the next: by their words, else by the model, else by the clock.

The model is given text only, a minute and a half of it, and what it gives back is taken only when nothing is invented.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from store.clock import clock
from store.errors import EndpointError
from store.record import Span
from tools.transcript.interview.cost import Call
from tools.transcript.interview.ear import Ear, Reply, Shelf
from tools.transcript.interview.fuse import fuse
from tools.transcript.interview.refusing import refused
from tools.transcript.interview.table import Said, read, written

_SECOND_MS = 1_000


@dataclass(frozen=True, slots=True)
class Joined:
    """The rows of an end and a beginning as one, the calls that took, and what is to be known of it."""

    rows: Sequence[Said]
    calls: Sequence[Call] = ()
    notes: Sequence[str] = ()


def shared(before: Span, after: Span) -> Span:
    """Give the time that two chunks both heard."""
    return Span(after.t0, min(before.t1, after.t1))


def joined(end: Sequence[Said], begin: Sequence[Said], overlap: Span, ear: Ear, shelf: Shelf) -> Joined:
    """Fuse rows whose voices are labels; the model is asked only where the words agree too little."""
    calls: list[Call] = []
    notes: list[str] = []

    def join(end: Sequence[Said], begin: Sequence[Said]) -> Sequence[Said] | None:
        told, why = _told(end, begin, overlap, ear, shelf, calls)
        notes.extend([f"{clock(overlap.t0)}-{clock(overlap.t1)}: {why}"] if why else [])
        return told

    found = fuse(end, begin, overlap, join)
    return Joined(found.rows, calls, notes)


def _told(
    end: Sequence[Said], begin: Sequence[Said], overlap: Span, ear: Ear, shelf: Shelf, calls: list[Call]
) -> tuple[Sequence[Said] | None, str | None]:
    """Ask the model for a fusion; give its rows, or None and why it is not taken."""
    kept = "the halves are joined in the middle of the half minute instead"
    labels = sorted({row.voice for row in (*end, *begin)})
    numbers = {label: str(number) for number, label in enumerate(labels, 1)}
    try:
        reply = _asked(written(end, numbers), written(begin, numbers), overlap, ear, shelf)
    except EndpointError as error:
        return None, f"two chunks agree too little, and no fusion could be asked for ({error}); {kept}"
    calls.append(Call(0, reply.input_tokens, reply.output_tokens))
    back = {number: label for label, number in numbers.items()}
    rows = [replace(row, voice=back.get(row.voice, "")) for row in read(reply.text, 1 << 40).rows]
    whole = reply.finish == "stop" and bool(rows) and all(row.voice for row in rows)
    why = refused(rows, end, begin, overlap) if whole else "it is no whole table of the voices given"
    if why is not None:
        return None, f"the model's fusion of two chunks was refused, since {why}; {kept}"
    return [_placed(row, [*end, *begin]) for row in rows], None


def _asked(end: str, begin: str, overlap: Span, ear: Ear, shelf: Shelf) -> Reply:
    known = shelf.known(overlap)
    if known:
        return known[-1]
    reply = ear.fuse(end, begin)
    shelf.keep(overlap, reply)
    return reply


def _placed(row: Said, given: Sequence[Said]) -> Said:
    """Give a row the times of the one that it was written from, which know more than whole seconds."""
    same = [one for one in given if one.text == row.text and abs(one.t0 - row.t0) <= _SECOND_MS]
    return replace(row, t0=same[0].t0, t1=same[0].t1) if same else replace(row, t1=max(row.t1, row.t0 + 1))
