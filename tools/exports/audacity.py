"""Audacity's labels, the transcript as one label track: start, end and `[[Name]] text`, as WhisperX marks a voice.

It holds no words, scores or languages. `]]` inside a name is written `] ]`, and `[[]]` stands before a text without a
voice that begins with `[[` itself.
"""

from store.record import Segment
from tools.exports.content import Content
from tools.sanitize import one_line


def write(content: Content) -> str:
    """Give one line a segment, in seconds; DataError without a transcript."""
    content.need("transcript", "aud")
    names = content.names()
    return "".join(
        f"{row.t0 / 1000:.6f}\t{row.t1 / 1000:.6f}\t{_voice(row, names)}{one_line(row.text)}\n"
        for row in content.segments
    )


def _voice(row: Segment, names: dict[str, str]) -> str:
    if row.speaker is None:
        return "[[]] " if row.text.startswith("[[") else ""
    return f"[[{names[row.speaker].replace(']]', '] ]')}]] "
