"""The checks: each looks at one stream, and at another where two must agree, and gives a finding or none.

Their limits lie far beyond what real recordings showed: of 234 real diarizations none has more than 17 % of turns under
0.3 s. A check that only may mean harm (all sounds are barking) spoils nothing and is a caveat.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence

from store.clock import clock
from store.record import total
from tools.health.finding import Finding, Told, runs, shared_ms, spans
from tools.transcript.scripts import unspaced

LOOP = 4
"""So many rows in a row that say the same repeat each other."""
CONSTANT = 100
"""So many rows with one label, where several can be told, say nothing."""
LEAST_MS = 30_000
"""With less than this to compare there is no finding."""
FLICKER_MS, FLICKERS = 300, 0.5
_COVERED, _CONTRADICTED, _ASIDE, _DOUBLED = 0.5, 0.3, 0.2, 0.05
_REPEATED = 0.1
_SPEECH_MS = 1_000
_PAD_MS = 1_000
_STOPS_MS, _STOPS = 300_000, 0.1
_TRANSLATED, _LEAST_WORDS = 0.25, 100
_WORD_LETTERS = 4  # shorter words are in any text
_NEAR_MS = 10_000


def repeated(rows: Sequence[Told]) -> Finding | None:
    """Find text that repeats the row before it, four times and more in a row."""
    again = sum(length - 1 for length in runs(rows) if length >= LOOP)
    share = again / max(1, len(rows))
    return (
        Finding("repeated", f"{again:,} of {len(rows):,} rows repeat the row before", share)
        if share > _REPEATED
        else None
    )


def doubled(rows: Sequence[Told]) -> Finding | None:
    """Find rows that are there twice: the same time, words or label, and voice."""
    often = Counter((row.t0, row.t1, row.said, row.speaker) for row in rows)
    again = sum(count - 1 for count in often.values())
    share = again / max(1, len(rows))
    if share <= _DOUBLED:
        return None
    return Finding("doubled", f"{again:,} of {len(rows):,} rows are there twice", share)


def one_label(rows: Sequence[Told], labels: Sequence[str] | None, quiet: str) -> Finding | None:
    """Find a stream that gave one label for everything though it can tell several; `quiet` names none."""
    found = {row.said for row in rows}
    if len(found) != 1 or len(rows) < CONSTANT or len(labels or ()) < 2 or found == {quiet}:
        return None
    return Finding("constant", f"all its {len(rows):,} rows say “{found.pop()}”", 1.0)


def uncovered(rows: Sequence[Told], of: Sequence[Told], what: str) -> Finding | None:
    """Find a stream that says nothing in most of the time of which it should tell (`of`, of a second and more)."""
    wanted = spans(of, least_ms=_SPEECH_MS)
    whole = total(wanted)
    share = shared_ms(spans(rows, _PAD_MS), wanted) / max(1, whole)
    if whole < LEAST_MS or share >= _COVERED:
        return None
    return Finding("uncovered", f"it covers {share:.0%} of {what}", 1 - share / _COVERED)


def contradicted(rows: Sequence[Told], by: Sequence[Told], where: str) -> Finding | None:
    """Find rows that stand where another stream says that nothing is."""
    mine = spans(rows)
    whole = total(mine)
    outside = 1 - shared_ms(mine, spans(by, _PAD_MS)) / max(1, whole)
    if not by or whole < LEAST_MS or outside <= _CONTRADICTED:
        return None
    return Finding("contradicted", f"{outside:.0%} of it lies {where}", outside)


def stops(rows: Sequence[Told], other: Sequence[Told], duration_ms: int, what: str) -> Finding | None:
    """Find a stream that ends long before another that should go with it."""
    if not rows or not other:
        return None
    last, goes_on = max(row.t1 for row in rows), max(row.t1 for row in other)
    if goes_on - last < max(_STOPS_MS, _STOPS * duration_ms):
        return None
    return Finding("stops", f"nothing after {clock(last)}, though {what} goes on to {clock(goes_on)}")


def aside(kept: int, set_aside: int) -> Finding | None:
    """Find a transcript of which many words were set aside as no evidence."""
    share = set_aside / max(1, kept + set_aside)
    if share <= _ASIDE:
        return None
    return Finding("set_aside", f"{share:.0%} of its words were set aside as no evidence", share)


def flickers(rows: Sequence[Told]) -> Finding | None:
    """Find turns that change faster than people can: most of them under 0.3 s."""
    brief = sum(row.t1 - row.t0 < FLICKER_MS for row in rows) / max(1, len(rows))
    if len(rows) < CONSTANT or brief <= FLICKERS:
        return None
    return Finding("flickers", f"{brief:.0%} of its turns are under {FLICKER_MS / 1000} s", brief)


def translated(rows: Sequence[Told], heard: Sequence[Told]) -> Finding | None:
    """Find a text of which hardly a word is among those that a recogniser heard at that time.

    Scripts without blanks between words cannot be compared by words, and give no finding.
    """
    there: defaultdict[int, set[str]] = defaultdict(set)
    for row in heard:
        for place in range(row.t0 // _NEAR_MS - 1, row.t1 // _NEAR_MS + 2):
            there[place].update(_long(row))
    said = [(row.t0 // _NEAR_MS, word) for row in rows for word in _long(row)]
    share = sum(word in there[place] for place, word in said) / max(1, len(said))
    if not heard or len(said) < _LEAST_WORDS or share >= _TRANSLATED:
        return None
    return Finding(
        "translated",
        f"{share:.0%} of its words are among those heard at that time: a translation, or of another recording",
    )


def _long(row: Told) -> list[str]:
    words = row.said.split()
    return [word for word in words if len(word) >= _WORD_LETTERS and not any(map(unspaced, word))]
