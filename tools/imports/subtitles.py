"""WebVTT and SubRip, as Teams, Zoom, YouTube and hand editors write them: cues become segments, one a voice."""

from collections.abc import Iterable

from store.errors import DataError
from store.record import Segment
from tools.imports.cues import Cue, cues
from tools.imports.parsed import Parsed, Placed, span, within
from tools.imports.voices import prefixed, spoken, unified

Said = tuple[int, int, int, str | None, str]


def read_vtt(text: str) -> Parsed:
    """Read a WebVTT file; NOTE and STYLE are never cues; DataError when it holds no cue at all."""
    return _parsed(cues(text, numbered=False), "vtt")


def read_srt(text: str) -> Parsed:
    """Read a SubRip file: the same cues, written with less care; DataError when it holds no cue at all."""
    return _parsed(cues(text, numbered=True), "srt")


def _parsed(found: Iterable[Cue], kind: str) -> Parsed:
    """Give cues as segments: one for each voice of a cue; times that are no times are set aside by their line."""
    said: list[Said] = []
    lost: list[int] = []
    odd: list[int] = []
    for cue in found:
        if cue.start is None or cue.end is None:
            lost.append(cue.line)
            continue
        if not cue.regular:
            odd.append(cue.line)
        try:
            t0, t1 = span(cue.start, cue.end)
        except ValueError:
            lost.append(cue.line)
            continue
        said += [(cue.line, t0, t1, voice, text) for voice, text in spoken(cue.lines)]
    if not said and not lost:
        raise DataError(f"no {kind} cue in it: a cue is a line of times with --> and a line of text")
    rows, named = _segments(said)
    notes = [f"read 'Name: text' as voices: {', '.join(named)}"] if named else []
    if odd:
        notes.append(f"{len(odd)} times are written unusually, first at line {odd[0]}")
    return Parsed(kind, within(rows, f"the {kind} file"), tuple(lost), tuple(notes))


def _segments(said: list[Said]) -> tuple[list[Placed], list[str]]:
    """Give the segments, and the names that were read from `Name: text` when no cue marks its voice."""
    marked = any(voice is not None for *_, voice, _ in said)
    pairs = [(voice, text) for *_, voice, text in said] if marked else prefixed([text for *_, text in said])
    voices = unified([voice for voice, _ in pairs])
    rows = [
        Placed(line, Segment(t0, t1, text, voice))
        for (line, t0, t1, *_), voice, (_, text) in zip(said, voices, pairs, strict=True)
    ]
    named = [] if marked else sorted({voice for voice in voices if voice is not None})
    return rows, named[:8]
