"""TextGrids as streams: tiers are voices, their intervals segments or turns; points are events.

Tiers of one name are one voice. A tier named after what it holds (`words`, `transcript`) is nobody's, one of an aligner
(`Ada - words`) is Ada's, and phones are not read. Intervals without text are silence.
"""

import re
from collections.abc import Sequence

from store.errors import DataError
from store.record import StreamKind
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
    rows: list[Placed] = []
    lost = [line for tier in chosen for line in tier.lost]
    for tier, voice in zip(chosen, unified([_voice(tier.name) for tier in chosen]), strict=True):
        for mark in tier.marks:
            try:
                if mark.text.strip():
                    rows.append(Placed(mark.line, marks.row(kind, *span(mark.start, mark.end), mark.text, voice)))
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


def _voice(name: str) -> str | None:
    """Give whose a tier is, by its name."""
    aligned = _ALIGNED.fullmatch(name.strip())
    name = one_line(aligned[1] if aligned else name)
    return None if not name or _OTHER.fullmatch(name) else name
