"""Where sentences of a document end, and pieces of a long quote: offsets into the text, so that every line is kept.

An abbreviation or an initial ends none.
"""

import re
from collections.abc import Iterator

from agent.check.attributions import BLANK

LONGEST = 400
_SENTENCE = 1_000
_END = re.compile(r"[.!?…]+[)\]]*\s+(?=[^\s])|[。！？]+")
_SHORT = re.compile(
    r"(?:\b(?:dr|mr|mrs|ms|prof|hon|st|no|vs|e\.g|i\.e|etc|approx|p\.m|a\.m|bzw|z\.b)|\b[^\W\d_])\.\s+$", re.IGNORECASE
)


def sentences(blanked: str) -> Iterator[tuple[int, int]]:
    """Give the sentences of a paragraph whose quotes are blanked, as [start, end); a very long one in pieces."""
    start = 0
    for match in _END.finditer(blanked):
        if not _SHORT.search(blanked[max(0, match.start() - 12) : match.end()]):
            yield from _cut(blanked, start, match.end())
            start = match.end()
    if blanked[start:].strip():
        yield from _cut(blanked, start, len(blanked))


def pieces(text: str) -> Iterator[tuple[int, int]]:
    """Cut long quotes at sentence ends, so that a verdict is about something one can read."""
    start = end = 0
    for begin, stop in sentences(text):
        if end > start and stop - start > LONGEST:
            yield from _readable(text, start, end)
            start = begin
        end = stop
    if end > start:
        yield from _readable(text, start, end)


def _readable(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut one long sentence between words; one without blanks is cut anywhere."""
    while end - start > 2 * LONGEST:
        cut = text.rfind(" ", start + 1, start + LONGEST)
        cut = cut if cut > start else start + LONGEST
        yield start, cut
        start = cut
    yield start, end


def _cut(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > _SENTENCE:
        cut = text.find(" ", start + _SENTENCE, min(end, start + 4 * _SENTENCE)) + 1 or start + 4 * _SENTENCE
        while cut < end and text[cut] == BLANK:
            cut += 1
        if cut >= end:
            break
        yield start, cut
        start = cut
    yield start, end
