"""Evidence as numbered lines for a model, and the numbers read back out of what it wrote."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from math import inf

from agent.brains.fence import fenced
from agent.brains.fence import tokens as tokens
from store.clock import clock
from tools.evidence import EvidenceRow

NOT_FOUND = "NOT FOUND"
MARK = 3  # tokens of a row's number in brackets
LEFT_OUT = 12  # tokens of the line that says how many rows had no room
_MARK = re.compile(r"\s?\[(\d+(?:\s*[,;–-]\s*\d+)*)\]")


@dataclass(frozen=True, slots=True)
class Numbered:
    """Rows that fit a budget of tokens, as lines; `places[n - 1]` is the index of the row that line [n] shows."""

    lines: str
    places: tuple[int, ...]


def numbered(rows: Sequence[EvidenceRow], budget: int, *, best_first: bool = False) -> Numbered:
    """Number the rows that fit into a budget of tokens, in order of time, and say how many do not.

    Of rows that come best first the best ones; of rows around hits the hits and what is nearest to them; else an even
    choice over the length.
    """
    lines = _lines(rows)
    taken = [tokens(line) + MARK for line in lines]
    whole = sum(taken) <= budget
    left, places = budget if whole else budget - LEFT_OUT, list[int]()
    for index in range(len(rows)) if best_first or whole else _foremost(rows, taken, left):
        left -= taken[index]
        if left < 0 and places:
            break
        places.append(index)
    if best_first or not whole:
        places.sort(key=lambda index: (rows[index].recording, rows[index].t0, rows[index].id))
    told = [f"[{n}] {lines[index]}" for n, index in enumerate(places, 1)]
    missing = len(rows) - len(places)
    return Numbered("\n".join([*told, f"({missing} more rows had no room)"] if missing else told), tuple(places))


def _foremost(rows: Sequence[EvidenceRow], taken: Sequence[int], budget: int) -> Sequence[int]:
    """Give the order in which rows are kept: by nearness to a hit, a row that others were found by; else evenly."""
    found = {(partner.stream, partner.id) for row in rows for partner in row.partners}
    hits = [row for row in rows if (row.stream, row.id) in found]
    if not hits:
        return range(0, len(rows), max(1, -(-sum(taken) // max(1, budget))))
    far = [min((abs(row.t0 - hit.t0) for hit in hits if hit.recording == row.recording), default=inf) for row in rows]
    return sorted(range(len(rows)), key=far.__getitem__)


def sizes(rows: Sequence[EvidenceRow]) -> list[int]:
    """Give the tokens that each row takes as a numbered line."""
    return [tokens(line) + MARK for line in _lines(rows)]


def cited(text: str, shown: Numbered) -> tuple[str, tuple[int, ...]]:
    """Give the text with its marks as [n] of rows that exist, others removed, and the indices of the rows they name."""
    found: dict[int, None] = {}

    def kept(mark: re.Match[str]) -> str:
        numbers = [n for n in _numbers(mark[1]) if 1 <= n <= len(shown.places)]
        found.update((shown.places[n - 1], None) for n in numbers)
        order = list(found)
        return "".join(f" [{order.index(shown.places[n - 1]) + 1}]" for n in numbers)

    return " ".join(_MARK.sub(kept, text).split()), tuple(found)


def bare(text: str) -> str:
    """Give the text without its marks."""
    return " ".join(_MARK.sub("", text).split())


def _numbers(inside: str) -> list[int]:
    if pair := re.fullmatch(r"(\d{1,4})\s*[–-]\s*(\d{1,4})", inside):
        return list(range(int(pair[1]), min(int(pair[2]), int(pair[1]) + 20) + 1))
    return [int(number) for number in re.findall(r"\d{1,6}", inside)]


def _lines(rows: Sequence[EvidenceRow]) -> list[str]:
    """Give each row as a line; a partner that has a line of its own is not written out again."""
    several, listed = len({row.recording for row in rows}) > 1, {(row.stream, row.id) for row in rows}
    return [_line(row, several, listed) for row in rows]


def _line(row: EvidenceRow, several: bool, listed: Set[tuple[str, int]]) -> str:
    place = f"{row.recording} " if several else ""
    said = row.text if row.text is not None else (row.label or row.stream)
    kind = "" if row.stream == "transcript" else f"{row.stream}: "
    others = [partner for partner in row.partners if (partner.stream, partner.id) not in listed]
    beside = "; ".join(_beside(partner) for partner in others[:3])
    return (
        f"{place}{clock(row.t0)}-{clock(row.t1)} {fenced(row.speaker) + ': ' if row.speaker else ''}"
        f"{kind}{fenced(said)}{f' (joined with {beside})' if beside else ''}"
    )


def _beside(row: EvidenceRow) -> str:
    return f"{clock(row.t0)}-{clock(row.t1)} {fenced(row.label or row.text or row.speaker or row.stream)[:80]}"
