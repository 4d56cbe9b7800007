"""WebVTT and SubRip: the transcript alone. SubRip has no voices, so `Name: text` as Zoom writes it.

SubRip has no escapes either: a text that looks like a tag is one to whoever reads the file.
"""

import html

from tools.exports.content import Content


def write_vtt(content: Content) -> str:
    """Give WebVTT cues with `<v Name>`; DataError without a transcript."""
    content.need("transcript", "vtt")
    names = content.names()
    cues = []
    for segment in content.segments:
        voice = f"<v {_annotation(names[segment.speaker])}>" if segment.speaker else ""
        cues.append(f"{_time(segment.t0, '.')} --> {_time(segment.t1, '.')}\n{voice}{_escaped(segment.text)}\n")
    return "WEBVTT\n\n" + "\n".join(cues)


def write_srt(content: Content) -> str:
    """Give SubRip cues, an arrow in the text as `->`, for which there is no escape; DataError without a transcript."""
    content.need("transcript", "srt")
    names = content.names()
    cues = []
    for number, segment in enumerate(content.segments, 1):
        voice = f"{names[segment.speaker]}: " if segment.speaker else ""
        text = f"{voice}{segment.text}".replace("-->", "->")
        cues.append(f"{number}\n{_time(segment.t0, ',')} --> {_time(segment.t1, ',')}\n{text}\n")
    return "\n".join(cues)


def _escaped(text: str) -> str:
    return html.escape(text, quote=False)


def _annotation(name: str) -> str:
    """Write a name so that with the tag's end it makes no arrow, which would end the cue."""
    escaped = _escaped(name)
    return f"{escaped[:-1]}&#45;" if escaped.endswith("-") else escaped


def _time(ms: int, point: str) -> str:
    seconds, rest = divmod(ms, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{point}{rest:03}"
