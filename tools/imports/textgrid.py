"""TextGrids as streams: tiers are voices, their intervals segments or turns; points are events.

Tiers of one name are one voice. A tier named after what it holds (`words`, `transcript`) is nobody's, one of an aligner
(`Ada - words`) is Ada's, beside a tier `Ada` the words of its segments, and phones are not read. Intervals without text
are silence.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from store.errors import DataError
from store.record import Row, Segment, StreamKind, Word
from tools.imports import marks
from tools.imports.parsed import Parsed, Placed, span, within
from tools.imports.praat import Tier, tiers
from tools.imports.voices import unified
from tools.sanitize import one_line

_OTHER = re.compile(
    r"(?:words?|sentences?|utterances?|segments?|phrases?|text|trs|transcri(?:pt|ption|pts)|orth?o?(?:graph(?:y|ic))?"
    r"|speech|labels?|intervals?|speakers?|diari[sz]ation|turns?|emotions?|moods?|events?|sounds?|noises?)",
    re.IGNORECASE,
)
_PHONES = re.compile(r"(?:.* - )?(?:phones?|phonemes?|segs|phn)", re.IGNORECASE)
_ALIGNED = re.compile(r"(.+) - words", re.IGNORECASE)


def read(text: str, kind: StreamKind) -> Parsed:
    """Read the tiers that hold a stream; entries that cannot be are set aside by line; DataError without a tier."""
    found, end = tiers(text)
    chosen, notes = _chosen(found, kind)
    chosen, words = _companions(chosen) if kind == "transcript" else (chosen, [[] for _ in chosen])
    rows: list[Placed] = []
    lost = [line for tier in chosen for line in tier.lost]
    voices = unified([_voice(tier.name) for tier in chosen])
    for tier, voice, beside in zip(chosen, voices, words, strict=True):
        spoken = _words(beside)
        for mark in tier.marks:
            try:
                if mark.text.strip():
                    row = marks.row(kind, *span(mark.start, mark.end), mark.text, voice)
                    rows.append(Placed(mark.line, _worded(row, spoken)))
            except ValueError:
                lost.append(mark.line)
    if not rows and not lost:
        raise DataError("nothing is written in its tiers")
    notes += [f"the tier {one_line(t.name)} lacks {t.missing} of its {t.size} entries" for t in chosen if t.missing][:8]
    duration = None if end is None or not 0 < end <= 10**9 else max(1, span(0, end)[1])
    return Parsed("textgrid", within(rows, "the TextGrid"), tuple(sorted(lost)), tuple(notes), duration_ms=duration)


def _chosen(found: Sequence[Tier], kind: StreamKind) -> tuple[list[Tier], list[str]]:
    """Give the tiers of a stream, and which were left: points are events, intervals are all else."""
    points = kind == "events" and any(tier.points for tier in found)
    chosen = [tier for tier in found if tier.points == points and not _PHONES.fullmatch(tier.name.strip())]
    left = [one_line(tier.name) for tier in found if tier not in chosen and tier.marks]
    if not chosen:
        raise DataError(f"no tier of intervals in it but {', '.join(left[:8]) or 'none'}; --events reads points")
    return chosen, [f"not read as {kind}: {', '.join(left[:8])}"] if left else []


def _companions(chosen: Sequence[Tier]) -> tuple[list[Tier], list[list[Tier]]]:
    """Part tiers of words, `Ada - words`, from those of segments, and give each of these its words."""
    names = {tier.name for tier in chosen}
    rest: list[Tier] = []
    found: list[list[Tier]] = []
    early: dict[str, list[Tier]] = {}
    for tier in chosen:
        aligned = _ALIGNED.fullmatch(tier.name)
        if aligned is None or aligned[1] not in names:
            rest.append(tier)
            found.append(early.pop(tier.name, []))
            continue
        places = [place for place, other in enumerate(rest) if other.name == aligned[1]]
        (found[places[-1]] if places else early.setdefault(aligned[1], [])).append(tier)
    return rest, found


def _words(tiers: Sequence[Tier]) -> list[Word]:
    """Give the words of some tiers by time; what is no stretch of time or empty is left out."""
    found = []
    for mark in (mark for tier in tiers for mark in tier.marks):
        with suppress(ValueError):
            t0, t1 = span(mark.start, mark.end)
            if 0 <= t0 < t1 and (text := one_line(mark.text)):
                found.append(Word(t0, t1, text))
    return sorted(found, key=lambda word: (word.t0, word.t1))


def _worded(row: Row, spoken: Sequence[Word]) -> Row:
    """Give a segment the words that lie in it."""
    if not isinstance(row, Segment) or not spoken:
        return row
    first = bisect_left(spoken, row.t0, key=lambda word: word.t0)
    until = bisect_left(spoken, row.t1, key=lambda word: word.t0)
    return replace(row, words=tuple(word for word in spoken[first:until] if word.t1 <= row.t1))


def _voice(name: str) -> str | None:
    """Give whose a tier is, by its name."""
    aligned = _ALIGNED.fullmatch(name.strip())
    name = one_line(aligned[1] if aligned else name)
    return None if not name or _OTHER.fullmatch(name) else name
