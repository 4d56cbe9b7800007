"""The recorded words as arrays: once in order of time, and once voice by voice, so that a quote may run over turns.

A voice's words that lie more than 30 s apart are not joined: between them stands a barrier that no quote crosses.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from agent.check.numerals import MARK
from agent.check.tokens import spoken
from agent.check.words import Words
from store import timed
from store.catalog import RecordingCatalog

Ints = npt.NDArray[np.int32]
BARRIER = -1
APART_MS = 30_000
STEM = 5


@dataclass(frozen=True, slots=True)
class Line:
    """One segment of the transcript."""

    id: int
    t0: int
    t1: int
    voice: int | None
    text: str


@dataclass(frozen=True)
class Heard:
    """A transcript: its lines, and its tokens with the line and the place in it that each comes from.

    `track` holds token ids in order of time, then voice by voice; `origin` leads from a place there to the token.
    """

    connection: sqlite3.Connection
    lines: tuple[Line, ...]
    vocabulary: dict[str, int]
    line_of: Ints
    starts: Ints
    ends: Ints
    track: Ints
    origin: Ints
    parted: Ints

    @cached_property
    def texts(self) -> list[str]:
        """The tokens' texts by id."""
        return list(self.vocabulary)

    @cached_property
    def stems(self) -> tuple[dict[str, int], Ints]:
        """Word beginnings, which inflection leaves alone, and the one at each place of the track."""
        ids: dict[str, int] = {}
        of = np.array([ids.setdefault(stem(text), len(ids)) for text in self.texts] + [BARRIER], np.int32)
        return ids, of[self.track]

    @cached_property
    def numbers(self) -> Ints:
        """Places of the track at which a number is said."""
        marks = np.array([text.startswith(MARK) for text in self.texts] + [False])
        return np.flatnonzero(marks[self.track]).astype(np.int32)

    @cached_property
    def begins(self) -> Ints:
        """For each place of the track where its own stretch between barriers begins."""
        place = np.arange(len(self.track), dtype=np.int32)
        return np.maximum.accumulate(np.where(self.track == BARRIER, place + 1, 0)).astype(np.int32)

    @cached_property
    def voices(self) -> Ints:
        """The voice at each place of the track; -1 where none is known."""
        of = np.array([-1 if line.voice is None else line.voice for line in self.lines] + [-1], np.int32)
        return np.where(self.origin < 0, -1, of[np.append(self.line_of, len(self.lines))[self.origin]]).astype(np.int32)

    @property
    def alone(self) -> int:
        """Where the part of the track begins that is ordered by voice."""
        return len(self.line_of) + 1

    def line(self, token: int) -> Line:
        """Give the line a token stands in."""
        return self.lines[int(self.line_of[token])]

    def text(self, token: int) -> str:
        """Give a token's text."""
        return self.texts[int(self.track[token])]

    def number(self, token: int) -> bool:
        """Say whether a token is a number."""
        return self.text(token).startswith(MARK)

    def span(self, first: int, last: int) -> tuple[int, int]:
        """Give the time from one token's beginning to another's end, in milliseconds."""
        return self._time(first, int(self.starts[first]))[0], self._time(last, int(self.ends[last]))[1]

    def _time(self, token: int, offset: int) -> tuple[int, int]:
        """Give the time of a word by its place in its line: the stored word's, else in proportion to its place."""
        line = self.line(token)
        place = 0
        for word in timed.of_segment(self.connection, line.id):
            found = line.text.find(word.text, place)
            place = (found if found >= 0 else place) + len(word.text)
            if place > int(self.starts[token]):
                return word.t0, word.t1
        length = max(1, len(line.text))
        at = line.t0 + (line.t1 - line.t0) * offset // length
        return at, at

    def timed(self, token: int) -> bool:
        """Say whether a token's line has words with times of their own."""
        return bool(timed.of_segment(self.connection, self.line(token).id))


def stem(token: str) -> str:
    """Give the beginning of a word; numbers stay whole."""
    return token if token.startswith(MARK) else token[:STEM]


def hear(connection: sqlite3.Connection, entry: RecordingCatalog, words: Words) -> Heard:
    """Read the active transcript of a recording."""
    rows = connection.execute(
        "SELECT id, t0, t1, speaker_id, text FROM segment WHERE stream_id = ? ORDER BY t0, t1, id",
        (entry.streams["transcript"].id,),
    )
    lines = tuple(Line(*row) for row in rows)
    vocabulary: dict[str, int] = {}
    ids, line_of, starts, ends = list[int](), list[int](), list[int](), list[int]()
    firsts = [0]
    for number, line in enumerate(lines):
        for token in spoken(line.text, words):
            ids.append(vocabulary.setdefault(token.text, len(vocabulary)))
            line_of.append(number)
            starts.append(token.start)
            ends.append(token.end)
        firsts.append(len(ids))
    origin, parted = _order(lines, firsts)
    known = np.array([*ids, BARRIER], np.int32)
    lined, begun, ended = (np.array(values, np.int32) for values in (line_of, starts, ends))
    return Heard(connection, lines, vocabulary, lined, begun, ended, known[origin], origin, parted)


def _order(lines: Sequence[Line], firsts: Sequence[int]) -> tuple[Ints, Ints]:
    """Give the tokens in order of time and again voice by voice, and how many barriers lie before each place."""
    parts = [np.arange(firsts[-1], dtype=np.int32), np.array([BARRIER], np.int32)]
    by_voice = sorted(range(len(lines)), key=lambda n: (lines[n].voice is None, lines[n].voice or 0, n))
    last: Line | None = None
    for number in by_voice:
        line = lines[number]
        if last is not None and (line.voice != last.voice or line.t0 - last.t1 > APART_MS):
            parts.append(np.array([BARRIER], np.int32))
        parts.append(np.arange(firsts[number], firsts[number + 1], dtype=np.int32))
        last = line
    origin = np.concatenate([*parts, np.array([BARRIER], np.int32)])
    return origin, np.cumsum(origin == BARRIER).astype(np.int32)
