"""One chunk until it is written down well: an answer that hits its limit means a loop, and the chunk is begun anew.

The answer is never continued: sending the audio again with the text so far makes times drift by minutes.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from store.clock import clock
from tools.transcript.interview.chunks import Chunk
from tools.transcript.interview.cost import Call
from tools.transcript.interview.ear import Ear, Reply, Shelf
from tools.transcript.interview.loops import rambling, repeats
from tools.transcript.interview.table import Said, Table, read

TRIES = 3


@dataclass(frozen=True, slots=True)
class Written:
    """A chunk written down: the best answer's rows, those that only repeat, and the calls it took.

    `fault` says why nothing was written, `note` what is to be known of what was.
    """

    table: Table
    repeated: Sequence[Said]
    calls: Sequence[Call]
    note: str | None = None
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class _Try:
    """One answer as it was read, without what only repeats."""

    reply: Reply
    table: Table
    repeated: Sequence[Said]

    @property
    def good(self) -> bool:
        return self.reply.finish == "stop" and bool(self.table.rows) and not self.repeated


def write_down(chunk: Chunk, ear: Ear, shelf: Shelf) -> Written:
    """Have a chunk written down, at most TRIES times; EndpointError where the endpoint cannot be used at all."""
    tries: list[_Try] = []
    while len(tries) < TRIES and not (tries and tries[-1].good):
        tries.append(_tried(_asked(chunk, ear, shelf, len(tries)), chunk))
    calls = [
        Call(chunk.span.duration, one.reply.input_tokens, one.reply.output_tokens, again=place > 0)
        for place, one in enumerate(tries)
    ]
    best = max(tries, key=lambda one: (one.good, one.reply.finish == "stop", len(one.table.rows)))
    where = f"{clock(chunk.t0)}-{clock(chunk.t1)}"
    if not best.table.rows:
        return Written(best.table, best.repeated, calls, fault=_fault(tries))
    if best.good:
        return Written(best.table, (), calls)
    what = f"repeats itself, and {len(best.repeated)} rows of it were cut" if best.repeated else "was cut at its limit"
    return Written(best.table, best.repeated, calls, f"{where}: each of {len(tries)} answers {what}")


def _asked(chunk: Chunk, ear: Ear, shelf: Shelf, attempt: int) -> Reply:
    known = shelf.known(chunk.span)
    if attempt < len(known):
        return known[attempt]
    reply = ear.hear(chunk.samples, attempt)
    shelf.keep(chunk.span, reply)
    return reply


def _tried(reply: Reply, chunk: Chunk) -> _Try:
    table = read(reply.text, chunk.span.duration)
    cut = set(repeats(table.rows))
    kept = [row for place, row in enumerate(table.rows) if place not in cut]
    repeated = [row for place, row in enumerate(table.rows) if place in cut]
    for place, row in enumerate(kept):
        if (words := rambling(row)) is not None:
            told = row.text.split()
            kept[place] = replace(row, text=" ".join(told[:words]))
            repeated.append(replace(row, text=" ".join(told[words:])))
    return _Try(reply, replace(table, rows=kept), repeated)


def _fault(tries: Sequence[_Try]) -> str:
    last = tries[-1].reply.finish
    why = {
        "content_filter": "the endpoint's content filter stopped the answer; OVERHEARD_EXTRA_BODY can set its switches",
        "refused": "the model refused",
        "empty": "the model answered nothing",
        "length": "the answer was cut at its limit before its first row",
        "stop": "no line of the answer is a row",
    }
    return why[last]
