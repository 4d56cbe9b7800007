"""Praat's TextGrid, the long text form: the transcript, one interval tier a voice, silence as empty intervals.

Intervals of a tier cannot overlap: a segment that begins before its voice's tier is free goes to the next tier of the
same name, and tiers of one name are one voice when they are read back. Segments without a voice are in `transcript`.
Words follow in a tier of their own, `Ada - words`, as aligners write them. It holds no scores or languages.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from store.record import Segment, Word
from tools.exports.content import Content

UNVOICED = "transcript"
Marked = Segment | Word
_HEAD = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\n'


def write(content: Content) -> str:
    """Give a TextGrid from 0 to the recording's end; DataError without a transcript."""
    content.need("transcript", "textgrid")
    names = content.names()
    segments = content.segments
    end = max([content.recording.duration_ms, *(row.t1 for row in segments)])
    found = [
        each for voice, tier in _tiers(segments) for each in _with_words(names[voice] if voice else UNVOICED, tier)
    ]
    found = found or [(UNVOICED, [])]
    items = "".join(_item(number, name, tier, end) for number, (name, tier) in enumerate(found, 1))
    head = f"xmin = 0 \nxmax = {_time(end)} \ntiers? <exists> \nsize = {len(found)} \nitem []: \n"
    return f"{_HEAD}{head}{items}"


def _tiers(segments: Sequence[Segment]) -> Iterator[tuple[str | None, list[Segment]]]:
    """Give each voice's tiers, voices by when they first speak, each segment in the first tier with room for it."""
    voices: dict[str | None, list[list[Segment]]] = {}
    for row in sorted(segments, key=lambda row: (row.t0, row.t1)):
        tiers = voices.setdefault(row.speaker, [])
        free = next((tier for tier in tiers if tier[-1].t1 <= row.t0), None)
        if free is None:
            tiers.append([row])
        else:
            free.append(row)
    return ((voice, tier) for voice, tiers in voices.items() for tier in tiers)


def _with_words(name: str, tier: Sequence[Segment]) -> Iterator[tuple[str, Sequence[Marked]]]:
    """Give a tier, and the tier of its words where it has any; a word is cut where the next begins."""
    yield name, tier
    words = sorted((word for row in tier for word in row.words), key=lambda word: (word.t0, word.t1))
    if words:
        ends = [*(word.t0 for word in words[1:]), words[-1].t1]
        cut = [replace(word, t1=min(word.t1, end)) for word, end in zip(words, ends, strict=True)]
        yield f"{name} - words", [word for word in cut if word.t0 < word.t1]


def _item(number: int, name: str, tier: Sequence[Marked], end: int) -> str:
    intervals = list(_intervals(tier, end))
    head = f'    item [{number}]:\n        class = "IntervalTier" \n        name = {_quoted(name)} \n'
    head += f"        xmin = 0 \n        xmax = {_time(end)} \n        intervals: size = {len(intervals)} \n"
    return head + "".join(
        f"        intervals [{at}]:\n            xmin = {_time(t0)} \n            xmax = {_time(t1)} \n"
        f"            text = {_quoted(text)} \n"
        for at, (t0, t1, text) in enumerate(intervals, 1)
    )


def _intervals(tier: Sequence[Marked], end: int) -> Iterator[tuple[int, int, str]]:
    at = 0
    for row in tier:
        if row.t0 > at:
            yield at, row.t0, ""
        yield row.t0, row.t1, row.text
        at = row.t1
    if at < end:
        yield at, end, ""


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def _time(ms: int) -> str:
    return f"{ms / 1000:.3f}".rstrip("0").rstrip(".")
