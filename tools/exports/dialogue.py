"""A recording to read: `md`, Markdown with the time of each paragraph, and `book`, an interview as it is printed.

Both are for people and are not read back: edges of segments, words, scores, languages, sounds and emotions are not
in them, and `book` has no times. `book` names a voice where it begins, in capitals unless two names would then be one.
"""

import re
from collections.abc import Mapping

from store.clock import clock
from tools.exports.content import Content
from tools.exports.paragraphs import paragraphs
from tools.sanitize import one_line

UNKNOWN = "unknown"
_MARKUP = re.compile(r"([\\`*_\[\]<>&~$])")


def write_md(content: Content) -> str:
    """Give Markdown: the title, then `**Name** (0:12): text`; DataError without a transcript."""
    content.need("transcript", "md")
    names = _names(content)
    blocks = [f"# {_plain(one_line(content.recording.title))}"]
    for paragraph in paragraphs(content.segments):
        voice = "" if paragraph.goes_on else names[paragraph.speaker]
        opening = f"**{_plain(voice)}** ({clock(paragraph.t0)}):" if voice else f"({clock(paragraph.t0)})"
        blocks.append(f"{opening} {_plain(one_line(paragraph.text))}")
    return "\n\n".join(blocks) + "\n"


def write_book(content: Content) -> str:
    """Give plain text: the title, then `NAME: text`, a paragraph a line; DataError without a transcript."""
    content.need("transcript", "book")
    names = _capitals(_names(content))
    blocks = [one_line(content.recording.title)]
    for paragraph in paragraphs(content.segments):
        voice = "" if paragraph.goes_on else names[paragraph.speaker]
        text = one_line(paragraph.text)
        blocks.append(f"{voice}: {text}" if voice else text)
    return "\n\n".join(blocks) + "\n"


def _names(content: Content) -> dict[str | None, str]:
    """Give the name of each voice; who is not known is said to be so where others are."""
    voiced = any(segment.speaker for segment in content.segments)
    names: dict[str | None, str] = {None: UNKNOWN if voiced else ""}
    return names | content.names()


def _capitals(names: Mapping[str | None, str]) -> dict[str | None, str]:
    capitals = {label: name.upper() for label, name in names.items()}
    return capitals if len(set(capitals.values())) == len(names) else dict(names)


def _plain(text: str) -> str:
    """Write what somebody said so that no reader of Markdown takes it for markup."""
    return _MARKUP.sub(r"\\\1", text)
