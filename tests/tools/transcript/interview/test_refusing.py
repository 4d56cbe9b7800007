"""A model's fusion is taken when it says what both sides say, once, and refused with the reason otherwise."""

from collections.abc import Sequence

import pytest

from store.record import Span
from tools.transcript.interview.refusing import refused
from tools.transcript.interview.table import Said

OVERLAP = Span(570_000, 600_000)
END = [
    Said(542_000, 566_000, "A", "Je suis née au bord de la mer et mon père travaillait déjà au port"),
    Said(572_000, 592_000, "B", "ah bon mais quand donc"),
]
BEGIN = [
    Said(573_000, 592_000, "B", "ah bon et quand ça"),
    Said(602_000, 626_000, "A", "c'était avant la guerre il y avait encore des bateaux partout"),
]
GOOD = [END[0], Said(572_000, 592_000, "B", "ah bon mais quand ça"), BEGIN[1]]


@pytest.mark.parametrize(
    ("fused", "why"),
    [
        (GOOD, None),
        ([*END, BEGIN[1]], None),
        ([*GOOD, Said(626_000, 630_000, "B", "merci beaucoup madame")], "holds what neither side says"),
        (GOOD[1:], "lacks 15 words"),
        ([*GOOD[:2], Said(602_000, 626_000, "A", "c'était avant la guerre")], "lacks 7 words"),
        ([GOOD[0], *GOOD], "once more"),
        ([*END, *BEGIN], "once more"),
        ([Said(row.t0 - 560_000, row.t1 - 560_000, row.voice, row.text) for row in GOOD], "elsewhere"),
    ],
)
def test_what_is_taken(fused: Sequence[Said], why: str | None) -> None:
    told = refused(fused, END, BEGIN, OVERLAP)
    assert told is None if why is None else why in (told or "")
