"""SubRip (.srt): the same cues as WebVTT, written with less care."""

from tools.imports.parsed import Parsed
from tools.imports.subtitles import cues
from tools.imports.webvtt import subtitles


def read(text: str) -> Parsed:
    """Read a SubRip file; DataError when it holds no cue at all."""
    return subtitles(cues(text, numbered=True), "srt")
