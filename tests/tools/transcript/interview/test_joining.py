"""A model is asked to fuse only what does not agree, once, voices by number; what fails leaves the clock's fusion."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

from store.errors import EndpointError
from store.record import Span
from tools.transcript.interview.ear import Memory, Reply
from tools.transcript.interview.joining import joined, shared
from tools.transcript.interview.table import Said

OVERLAP = Span(570_000, 600_000)
ONE, TWO = "SPEAKER_00", "SPEAKER_01"
END = [Said(560_400, 568_300, TWO, "je venais du port"), Said(572_100, 592_000, ONE, "ah bon mais quand")]
BEGIN = [Said(572_600, 592_000, ONE, "et alors quoi donc"), Said(601_700, 604_000, TWO, "rien du tout")]
GOOD = """2\t00:09:20\t00:09:28\tje venais du port
1\t00:09:32\t00:09:52\tah bon alors quand
2\t00:10:01\t00:10:04\trien du tout"""
MIDDLE = ["je venais du port", "ah bon mais quand", "rien du tout"]


@dataclass
class Scripted:
    """Fuses as told, or fails."""

    reply: Reply | None
    asked: list[tuple[str, str]] = field(default_factory=list)

    def hear(self, samples: NDArray[np.float32], attempt: int) -> Reply:
        raise AssertionError

    def fuse(self, end: str, begin: str) -> Reply:
        self.asked.append((end, begin))
        if self.reply is None:
            raise EndpointError("host cannot be reached")
        return self.reply


def test_a_fusion_is_taken_with_its_voices_and_the_times_it_was_made_of() -> None:
    ear, shelf = Scripted(Reply(GOOD, "stop", 300, 60)), Memory()
    for _ in range(2):
        found = joined(END, BEGIN, OVERLAP, ear, shelf)
        assert [(row.voice, row.text) for row in found.rows] == [
            ("SPEAKER_01", "je venais du port"), ("SPEAKER_00", "ah bon alors quand"), ("SPEAKER_01", "rien du tout"),
        ]  # fmt: skip
        assert [row.t0 for row in found.rows] == [560_400, 572_000, 601_700]
        assert ([call.ms for call in found.calls], list(found.notes)) == ([0], [])
    ((end, begin),) = ear.asked
    assert end.startswith("2\t00:09:20\t00:09:28\tje venais du port\n1\t")
    assert "SPEAKER" not in end + begin


@pytest.mark.parametrize(
    ("reply", "why"),
    [
        (None, "no fusion could be asked for (host cannot be reached)"),
        (Reply(GOOD, "length"), "it is no whole table"),
        (Reply("", "refused"), "it is no whole table"),
        (Reply(GOOD.replace("2\t00:10", "7\t00:10")), "it is no whole table of the voices given"),
        (Reply(f"{GOOD}\n1\t00:10:09\t00:10:11\tmerci beaucoup"), "it holds what neither side says: “merci beaucoup”"),
    ],
)
def test_what_cannot_be_taken_is_told_and_the_halves_are_joined_in_the_middle(reply: Reply | None, why: str) -> None:
    found = joined(END, BEGIN, OVERLAP, Scripted(reply), Memory())
    assert [row.text for row in found.rows] == MIDDLE
    (note,) = found.notes
    assert note.startswith("9:30-10:00: ")
    assert why in note
    assert len(found.calls) == (reply is not None)


def test_words_that_agree_ask_nobody() -> None:
    ear = Scripted(None)
    found = joined(END, [Said(572_000, 592_000, "SPEAKER_00", "ah bon mais quand"), BEGIN[1]], OVERLAP, ear, Memory())
    assert ([row.text for row in found.rows], ear.asked, list(found.notes)) == (MIDDLE, [], [])


def test_what_two_chunks_both_heard() -> None:
    assert shared(Span(0, 600_000), Span(570_000, 1_170_000)) == OVERLAP
    assert shared(Span(0, 600_000), Span(570_000, 580_000)) == Span(570_000, 580_000)
