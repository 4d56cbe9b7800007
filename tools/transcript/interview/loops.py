"""Where a model repeats itself: the same rows over and over, often without any time, until its answer is cut.

People say "oui, oui, oui" too. So short rows must repeat more often, and words inside one row much more often.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from itertools import groupby

from tools.transcript.doubts import loops, plain
from tools.transcript.interview.table import Said

_TIMES = 4
_SHORT_TIMES = 8
_WORDS = 4
_TIMELESS = 8
_IN_ONE_ROW = 40


def repeats(rows: Sequence[Said]) -> list[int]:
    """Give the places of the rows that only repeat, in order; what is repeated stays once."""
    texts = [plain(row.text) for row in rows]
    found = {place for stretch in loops(texts) if _telling(texts, stretch) for place in stretch}
    for run in _runs(rows, lambda row: (plain(row.text), row.voice)):
        if len(run) >= _least([rows[place] for place in run]):
            found.update(run[1:])
    for run in _runs(rows, lambda row: (row.t1 <= row.t0, row.t0)):
        if rows[run[0]].t1 <= rows[run[0]].t0 and len(run) >= _TIMELESS:
            found.update(run[1:])
    return sorted(found)


def rambling(row: Said) -> int | None:
    """Give after how many words a row only repeats itself, None when it does not."""
    stretches = [stretch for stretch in loops(row.text.split()) if len(stretch) >= _IN_ONE_ROW]
    return stretches[0].start if stretches else None


def _runs(rows: Sequence[Said], key: Callable[[Said], Hashable]) -> Iterator[list[int]]:
    return (list(run) for _, run in groupby(range(len(rows)), key=lambda place: key(rows[place])))


def _least(run: Sequence[Said]) -> int:
    """Give how many equal rows in a row are a loop."""
    timeless = sum(row.t1 <= row.t0 for row in run) * 2 > len(run)
    return _TIMES if timeless or len(run[0].text.split()) >= _WORDS else _SHORT_TIMES


def _telling(texts: Sequence[str], stretch: range) -> bool:
    """Say whether the rows of a loop hold so many words that no two people say them by turns."""
    return sum(len(texts[place].split()) for place in stretch) >= _WORDS * _TIMES
