"""Speech as print has it: what one voice says in a row is a paragraph, whatever segments it was heard in.

The same voice begins a new paragraph when it pauses after a sentence, or when a paragraph has grown long and a
sentence ends. Every word stays, hesitations too.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from store.record import Segment

PAUSE_MS = 3000
LONG = 1200  # characters
_ENDED = re.compile(r"[.!?…。！？][\"'”’»)\]]*$")
_UNSPACED = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]")  # scripts written without blanks


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph: its time in milliseconds, its voice's label, and whether the voice spoke the one before too."""

    t0: int
    t1: int
    speaker: str | None
    text: str
    goes_on: bool = False


def paragraphs(segments: Iterable[Segment]) -> list[Paragraph]:
    """Give the paragraphs of segments in order of time."""
    found: list[Paragraph] = []
    for segment in segments:
        last = found[-1] if found else None
        if last is None or last.speaker != segment.speaker:
            found.append(Paragraph(segment.t0, segment.t1, segment.speaker, segment.text))
        elif _parted(last, segment):
            found.append(Paragraph(segment.t0, segment.t1, segment.speaker, segment.text, goes_on=True))
        else:
            joined = _joined(last.text, segment.text)
            found[-1] = Paragraph(last.t0, max(last.t1, segment.t1), last.speaker, joined, last.goes_on)
    return found


def _parted(last: Paragraph, segment: Segment) -> bool:
    return bool(_ENDED.search(last.text)) and (segment.t0 - last.t1 >= PAUSE_MS or len(last.text) > LONG)


def _joined(one: str, other: str) -> str:
    tight = _UNSPACED.match(one[-1:]) and _UNSPACED.match(other[:1])
    return f"{one}{other}" if tight else f"{one} {other}"
