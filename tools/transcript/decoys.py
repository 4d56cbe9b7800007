"""Decoys: made-up words that nobody said, which a term must beat wherever it is thought to be heard.

Each shares its beginning or its end with the term and has the rest from a word of the recording, so that it is of the
same alphabet and can be spoken; of those, the ones that sound most like what was written down are the hardest to beat.
"""

import zlib
from collections.abc import Iterable, Iterator

from tools.transcript.doubts import plain
from tools.transcript.likeness import likeness

COUNT = 8
_SAME = 0.75
"""Likeness from which on a decoy is but another spelling of the term."""
SHORTEST = 4
"""Letters of the shortest term that can be told from decoys: anything shorter is heard everywhere."""
_WORDS = 150


def decoys(term: str, written: str, vocabulary: Iterable[str], count: int = COUNT) -> tuple[str, ...]:
    """Give up to `count` decoys of a term, always the same ones, as like to what was written as it is."""
    wanted = plain(term)
    if len(wanted) < SHORTEST:
        return ()
    words = {plain(word) for word in vocabulary}
    chosen = sorted((word for word in words if len(word) >= SHORTEST), key=lambda word: _any(wanted + word))[:_WORDS]
    made = {decoy for word in chosen for decoy in _spliced(wanted, word) if likeness(decoy, wanted) < _SAME}
    alike = likeness(wanted, written)
    first = sorted(made, key=lambda decoy: (abs(likeness(decoy, written) - alike), _any(decoy)))[:count]
    return tuple(decoy.title() if term[:1].isupper() else decoy for decoy in first)


def _spliced(term: str, word: str) -> Iterator[str]:
    for cut in sorted({len(term) // 3, len(term) // 2, 2 * len(term) // 3}):
        rest = len(term) - cut
        if len(word) > rest:
            yield term[:cut] + word[-rest:]
        if len(word) > cut:
            yield word[:cut] + term[cut:]


def _any(text: str) -> int:
    """Give a number that says nothing about a text, the same everywhere."""
    return zlib.crc32(text.encode())
