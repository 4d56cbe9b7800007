"""A fusion that a model made is taken only when it holds what both sides say, and nothing else.

Models that fuse texts continue them, merge rows and cut others off. So each word must be on one of the sides, each word
that only one side can have heard must stay, and no row may be there twice.
"""

from collections import Counter
from collections.abc import Sequence

from store.record import Span
from tools.transcript.interview.table import Said
from tools.transcript.interview.words import Token, tokens

_KEPT = 0.95


def refused(fused: Sequence[Said], end: Sequence[Said], begin: Sequence[Said], overlap: Span) -> str | None:
    """Say why a fusion cannot be taken, None when it can."""
    ours, theirs, found = tokens(end), tokens(begin), tokens(fused)
    heard = _counted(ours) | _counted(theirs)
    if invented := [token.text for token in found if token.key not in heard]:
        return f"it holds what neither side says: “{' '.join(invented[:8])}”"
    early = [token for token in ours if token.middle < overlap.t0]
    late = [token for token in theirs if token.middle >= overlap.t1]
    alone = _counted(early) + _counted(late)
    lost = sum((alone - _counted(found)).values())
    if lost > (1 - _KEPT) * max(1, sum(alone.values())):
        return f"it lacks {lost} words that one side says"
    in_overlap = (_counted(ours) - _counted(early)) | (_counted(theirs) - _counted(late))
    doubled = sum((_counted(found) - alone - in_overlap).values())
    if doubled > (1 - _KEPT) * max(1, len(found)):
        return f"it says {doubled} words once more than either side"
    if any(row.t0 < end[0].t0 - 1_000 or row.t0 > begin[-1].t1 for row in fused):
        return "its times lie elsewhere"
    return None


def _counted(found: Sequence[Token]) -> Counter[str]:
    return Counter(token.key for token in found)
