"""A chunk is begun anew when its answer loops, is cut, refused or empty: bounded, counted, and never asked twice."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from tools.transcript.interview.attempts import TRIES, write_down
from tools.transcript.interview.chunks import Chunk
from tools.transcript.interview.ear import Memory, Reply

CHUNK = Chunk(1, 570_000, 600_000, np.zeros(480_000, np.float32))
GOOD = Reply("Diarization Speaker_1:Anne\n1\t00:00:01\t00:00:04\tBen, euh, oui.", "stop", 900, 20)
LOOP = Reply(GOOD.text + "\n1\t00:00:05\t00:00:05\tEt voilà." * 50, "length", 900, 8_192)
LOOP_TO_ITS_END = Reply(LOOP.text, "stop", 900, 700)


@dataclass
class Scripted:
    """Gives these replies in turn."""

    replies: list[Reply]
    attempts: list[int] = field(default_factory=list)

    def hear(self, samples: NDArray[np.float32], attempt: int) -> Reply:
        self.attempts.append(attempt)
        return self.replies[len(self.attempts) - 1]

    def fuse(self, end: str, begin: str) -> Reply:
        raise AssertionError


@pytest.mark.parametrize(
    ("replies", "calls", "restarts", "note"),
    [
        ([GOOD], 1, 0, None),
        ([LOOP, GOOD], 2, 1, None),
        ([LOOP_TO_ITS_END, GOOD], 2, 1, None),
        ([Reply("", "empty"), Reply("", "content_filter"), GOOD], 3, 2, None),
        ([LOOP] * 3, 3, 2, "repeats itself, and 49 rows of it were cut"),
        ([Reply(GOOD.text, "length")] * 3, 3, 2, "was cut at its limit"),
    ],
)
def test_until_it_is_written_down_well(replies: Sequence[Reply], calls: int, restarts: int, note: str | None) -> None:
    ear = Scripted(list(replies))
    found = write_down(CHUNK, ear, Memory())
    assert ear.attempts == list(range(calls))
    assert [call.ms for call in found.calls] == [30_000] * calls
    assert sum(call.again for call in found.calls) == restarts
    assert found.table.rows[0].text == "Ben, euh, oui."
    assert len(found.table.rows) == (2 if replies[-1] is LOOP else 1)
    assert (note or "") in (found.note or "")
    assert (found.note is None) == (note is None)
    assert calls <= TRIES


@pytest.mark.parametrize("finish", ["empty", "content_filter", "refused", "length", "stop"])
def test_a_chunk_of_which_nothing_is_written_says_why(finish: str) -> None:
    found = write_down(CHUNK, Scripted([Reply("I cannot do that.", finish)] * 3), Memory())  # type: ignore[arg-type]
    assert len(found.calls) == 3
    assert found.fault


def test_what_was_answered_before_a_kill_is_not_asked_again() -> None:
    shelf = Memory()
    shelf.keep(CHUNK.span, LOOP)
    ear = Scripted([GOOD])
    found = write_down(CHUNK, ear, shelf)
    assert ear.attempts == [1]
    assert len(found.calls) == 2
    again = Scripted([])
    assert write_down(CHUNK, again, shelf) == found
    assert again.attempts == []
