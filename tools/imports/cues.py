"""Subtitle files as cues, read as people and programs really write them.

Own reading: the libraries fold NOTE blocks into cues or drop cues with odd times, and both without a word.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from store.clock import clock_time

_ARROW = re.compile(r"^\s*(\S.*?)\s*-->\s*(\S+)")
_REGULAR = re.compile(r"(?:\d{2,}:)?\d\d:\d\d[.,]\d{3}", re.ASCII)


@dataclass(frozen=True, slots=True)
class Cue:
    """One cue as written: the line of its times, seconds (None when unreadable), and its lines of text."""

    line: int
    start: Decimal | None
    end: Decimal | None
    regular: bool
    lines: tuple[str, ...]


def cues(text: str, *, numbered: bool) -> Iterator[Cue]:
    """Give the cues of a text; in SubRip (`numbered`) a blank line may stand inside a cue, a number before the next."""
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        if not numbered and re.match(r"(NOTE|STYLE|REGION)(\s|$)", lines[at]):
            at = _after_block(lines, at)
            continue
        times = _ARROW.match(lines[at])
        if times is None or not _timed(lines, at, inside=numbered):
            at += 1
            continue
        end = _after_text(lines, at + 1, numbered)
        body = lines[at + 1 : end]
        yield Cue(at + 1, *_times(times[1], times[2]), tuple(_trimmed(body, numbered, end < len(lines))))
        at = end


def _after_block(lines: list[str], at: int) -> int:
    while at < len(lines) and lines[at].strip():
        at += 1
    return at


def _after_text(lines: list[str], at: int, numbered: bool) -> int:
    while at < len(lines) and not _timed(lines, at, inside=True) and (numbered or lines[at].strip()):
        at += 1
    return at


def _timed(lines: list[str], at: int, *, inside: bool) -> bool:
    """Say whether a line holds a cue's times; inside a text an arrow may be said, or end a voice tag: `<v Bob; -->`."""
    match = _ARROW.match(lines[at])
    if match is None or not inside:
        return match is not None
    return match[1].lstrip("-")[:1].isdigit() or (at > 0 and lines[at - 1].strip().isdigit())


def _times(start: str, end: str) -> tuple[Decimal | None, Decimal | None, bool]:
    try:
        regular = bool(_REGULAR.fullmatch(start) and _REGULAR.fullmatch(end))
        return clock_time(start), clock_time(end), regular
    except ValueError:
        return None, None, False


def _trimmed(body: list[str], numbered: bool, followed: bool) -> list[str]:
    """Leave out blank lines, and the number of the cue that follows."""
    kept = [line for line in body if line.strip()]
    if numbered and followed and kept and re.fullmatch(r"\s*\d+\s*", kept[-1]):
        kept.pop()
    return kept
