"""What an open question brings: the passages that tell most about its words and its meaning, up to a budget of tokens.

A reason rarely repeats the words of the question, so windows of neighbouring turns are weighed and not single rows: by
BM25 of the words in any form, and by how close in meaning their rows are. Windows reach further back than ahead, for
what is asked is answered after it; a turn is weighed as a whole too; and where a person is named, what others say
counts half, for they ask. The weights were chosen on one half of QMSum's training meetings and held on the other;
there, summing standard scores was better than fusing ranks. So was what is asked of a person who is named: some of the
words, or the chief part in the passages and what is nearest.
"""

import math
import re
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from store.catalog import Catalog, RecordingCatalog
from store.database import Database
from store.keywords import Hit, mentions, normalise
from store.migrations import SEQ_BITS
from tools.speaker.names import resolve
from tools.transcript.query import TranscriptQuery

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from store.vectors import Vectors

    Numbers = NDArray[np.float64]

WINDOWS = (400, 1200, 3000)  # tokens
BACK = 0.6  # of a window lies before its middle
OTHERS = 0.5  # what counts of others' words, in the passages of a person who is named
WHOLE = 0.5  # of a segment's weight is its turn's
REACH = 1200  # tokens in which the words must be found
LETTERS = 4  # of a token, on average
NEAR = 0.25  # the cosine from which on a row is near in meaning
ENOUGH = 0.3  # of the words' weight
OWN = 0.15  # of it, in the mouth of a person who is named
NEAREST = 0.35  # the least cosine of what a person says that is nearest of all
CHIEF = 0.25  # of the best passages' tokens
PASSAGE = 1000  # tokens, of which one person's part is taken
RECORDINGS = 20
_TYPES = ("int64", "float64", "float64", "int64", "int64", "bool")  # of the fields of _Rows
_SATURATION = 1.2
_SHARPNESS = 4
_NEAREST = 200


@dataclass(frozen=True, slots=True)
class _Rows:
    """The segments that are weighed, recording by recording in order of time.

    `middle` is where in tokens a segment lies: recordings lie so far apart that no window reaches into another.
    """

    ids: "NDArray[np.int64]"
    tokens: "Numbers"
    middle: "Numbers"
    turns: "NDArray[np.int64]"
    voices: "NDArray[np.int64]"
    theirs: "NDArray[np.bool_]"

    def around(self, values: "Numbers", width: int, back: float = 0.5) -> "Numbers":
        """Sum values over the window of `width` tokens around each segment, of which a part lies before it."""
        import numpy as np

        sums = np.concatenate([[0.0], np.cumsum(values)])
        first = np.searchsorted(self.middle, self.middle - width * back, "left")
        after = np.searchsorted(self.middle, self.middle + width * (1 - back), "right")
        return np.asarray(sums[after] - sums[first])

    def share(self, segments: "NDArray[np.bool_]") -> float:
        """Give the share of all tokens that some segments hold."""
        return float(self.tokens @ segments / self.tokens.sum())

    def by_turn(self, values: "Numbers") -> "Numbers":
        """Give each segment the mean of its turn."""
        import numpy as np

        sums, tokens = (np.bincount(self.turns, each) for each in (values * self.tokens, self.tokens))
        return np.asarray((sums / tokens)[self.turns])


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of the question: its weight, which falls with how common it is, how often each segment holds it, and
    whether a segment's voice bears it in its name."""

    weight: float
    counts: "Numbers"
    named: "NDArray[np.bool_]"


def passages(
    database: Database,
    connection: sqlite3.Connection,
    catalog: Catalog,
    query: TranscriptQuery,
    embed: "Callable[[str], Vectors] | None" = None,
) -> list[Hit]:
    """Give the segments of the best passages, up to `query.passages` tokens, best first, as hits of `query.sought`.

    With a speaker only what that person says is weighed, and nothing is found where it is too little: few of the words,
    and not what is nearest in meaning, said in passages that are theirs for a good part. `query.around` adds what is
    said around the rows that hold words or meaning. Without `embed` words alone decide.
    """
    meant = None if embed is None or query.semantic is None else embed(query.semantic).reshape(-1)
    entries = _chosen(database, connection, catalog, query, meant)
    rows = _rows(connection, entries, query)
    if not rows.ids.size:
        return []
    words = _words(connection, entries, query, rows)
    heard = _near(connection, entries, meant, rows)
    near = heard * rows.theirs
    if query.speaker and query.keywords:
        if not _told(words, rows, OWN) and not _foremost(words, heard, rows):
            return []
    elif not _told(words, rows, ENOUGH) and near.max() < NEAR:
        return []
    own = rows.theirs * sum((word.weight * word.counts.clip(max=2) for word in words), 0 * near)
    score = _score(words, heard, rows, OTHERS)
    holding = rows.theirs & ((own > 0) | (near >= NEAR))
    kept = _fitting(score, holding | query.around, rows, query.passages or 0)
    best = (_standard(score) + _standard(own) + _standard(near))[kept]
    ranked = sorted(zip(-best, rows.ids[kept], strict=True))
    return [Hit(str(query.sought), int(row_id), float(place)) for place, (_, row_id) in enumerate(ranked, 1)]


def _chosen(
    database: Database,
    connection: sqlite3.Connection,
    catalog: Catalog,
    query: TranscriptQuery,
    meant: "Vectors | None",
) -> list[RecordingCatalog]:
    """Give the recordings that are searched: of many those that hold most of the words, the rare ones first."""
    entries = [entry for entry in catalog.recordings if "transcript" in entry.streams]
    if query.speaker is not None:
        entries = [entry for entry in entries if resolve(entry, query.speaker)]
    if len(entries) <= RECORDINGS:
        return entries
    held = dict.fromkeys((entry.recording.id for entry in entries), 0.0)
    for word in query.keywords:
        found = Counter(segment_id >> SEQ_BITS for segment_id in mentions(connection, _streams(entries), word))
        for rec_id, times in found.items():
            held[rec_id] += math.log(1 + len(entries) / len(found)) * math.log1p(times)
    if meant is not None:
        from store.vectors import across

        for hit in across(database, connection, [stream for _, stream in _streams(entries)], meant, _NEAREST):
            held[hit.segment_id >> SEQ_BITS] += max(hit.similarity, 0.0) ** _SHARPNESS
    return sorted(entries, key=lambda entry: -held[entry.recording.id])[:RECORDINGS]


def _streams(entries: Sequence[RecordingCatalog]) -> list[tuple[int, int]]:
    return [(entry.recording.id, entry.streams["transcript"].id) for entry in entries]


def _rows(connection: sqlite3.Connection, entries: Sequence[RecordingCatalog], query: TranscriptQuery) -> _Rows:
    import numpy as np

    found: list[tuple[int, float, float, int, int, bool]] = []
    at, turn = 0.0, -1
    for entry in entries:
        state, asked = entry.streams["transcript"], query.within(entry.recording.duration_ms)
        voices = None if query.speaker is None else {voice.id for voice in resolve(entry, query.speaker)}
        labels = {voice.id: len(voice.display) / LETTERS + 1 for voice in entry.voices}
        said = connection.execute(
            "SELECT id, speaker_id, length(text) FROM segment"
            " WHERE stream_id = ? AND t0 > ? AND t0 < ? AND t1 > ? ORDER BY t0, id",
            (state.id, asked.t0 - state.max_dur - 1, asked.t1, asked.t0),
        )
        for speaker_id, group in groupby(said, key=itemgetter(1)):
            turn += 1
            label = labels.get(speaker_id, 0.0)
            for row_id, _, letters in group:
                tokens, label = max(letters, 1) / LETTERS + label, 0.0
                theirs = voices is None or speaker_id in voices
                found.append((row_id, tokens, at + tokens / 2, turn, speaker_id or 0, theirs))
                at += tokens
        at += 2 * max(WINDOWS)
    columns = zip(*found, strict=True) if found else [()] * len(_TYPES)
    return _Rows(*(np.array(column, kind) for column, kind in zip(columns, _TYPES, strict=True)))


def _words(
    connection: sqlite3.Connection, entries: Sequence[RecordingCatalog], query: TranscriptQuery, rows: _Rows
) -> list[_Word]:
    import numpy as np

    place = {int(row_id): i for i, row_id in enumerate(rows.ids)}
    words: list[_Word] = []
    for term in dict.fromkeys(query.keywords):
        counts = np.zeros(len(place))
        for row_id, times in mentions(connection, _streams(entries), term).items():
            if row_id in place:
                counts[place[row_id]] = times
        holding = max(1, int(np.count_nonzero(counts)))
        weight = math.log(1 + (len(place) - holding + 0.5) / (holding + 0.5))
        words.append(_Word(weight, counts, np.isin(rows.voices, _bearing(entries, term))))
    return words


def _bearing(entries: Sequence[RecordingCatalog], term: str) -> list[int]:
    """Give the voices that bear a word in their names, none where all do."""
    voices = [voice for entry in entries for voice in entry.voices]
    found = [voice.id for voice in voices if normalise(term) in re.findall(r"\w+", normalise(voice.display))]
    return found if len(found) < len(voices) else []


def _told(words: Sequence[_Word], rows: _Rows, share: float) -> bool:
    """Say whether some window holds a share of the words, by weight; one that nobody says weighs as one said once."""
    held = sum((word.weight * (rows.around(word.counts * rows.theirs, REACH) > 0) for word in words), 0 * rows.tokens)
    return float(held.max()) > 0 and float(held.max()) >= share * sum(word.weight for word in words)


def _foremost(words: Sequence[_Word], near: "Numbers", rows: _Rows) -> bool:
    """Say whether the nearest segment of all is theirs, and a good part of the passages that tell most, by anybody."""
    best = int(near.argmax())
    if near[best] < NEAREST or not rows.theirs[best]:
        return False
    kept = _fitting(_score(words, near, rows, 1.0), rows.theirs >= 0, rows, PASSAGE)
    return float(rows.tokens[kept] @ rows.theirs[kept]) >= CHIEF * float(rows.tokens[kept].sum())


def _near(
    connection: sqlite3.Connection, entries: Sequence[RecordingCatalog], meant: "Vectors | None", rows: _Rows
) -> "Numbers":
    """Give each segment's cosine to the meaning, 0 for those without a vector."""
    import numpy as np

    if meant is None:
        return np.zeros(rows.ids.size)
    from store.vectors import similarities

    cosine = similarities(connection, [stream for _, stream in _streams(entries)], meant)
    return np.array([cosine.get(int(row_id), 0.0) for row_id in rows.ids])


def _score(words: Sequence[_Word], near: "Numbers", rows: _Rows, others: float) -> "Numbers":
    """Weigh segments by the windows around them, where `others` is what counts of words that are not theirs."""
    import numpy as np

    part = np.where(rows.theirs, 1.0, others)
    total = 0 * rows.tokens
    for width in WINDOWS:
        total += _standard(_said(words, part, rows, width)) + _standard(_meant(near * part, rows, width))
    return (1 - WHOLE) * total + WHOLE * rows.by_turn(total)


def _said(words: Sequence[_Word], part: "Numbers", rows: _Rows, width: int) -> "Numbers":
    """Weigh windows by BM25, without its norm of length, since all are equally long; who is named counts as a word."""
    total = 0 * rows.tokens
    for word in words:
        times = rows.around((word.counts + word.named) * part, width, BACK)
        if times.any():
            total -= math.log(rows.share(times > 0)) * times * (_SATURATION + 1) / (times + _SATURATION)
    return total


def _meant(near: "Numbers", rows: _Rows, width: int) -> "Numbers":
    """Weigh windows by the sum of their rows' cosines, sharpened, so that a few near rows outweigh many vague ones."""
    return rows.around(near.clip(min=0) ** _SHARPNESS * rows.tokens, width, BACK)


def _fitting(score: "Numbers", wanted: "NDArray[np.bool_]", rows: _Rows, budget: int) -> list[int]:
    """Give the best segments that fit into a budget of tokens, at least one."""
    import numpy as np

    kept: list[int] = []
    left = float(budget)
    for i in np.argsort(-score, kind="stable"):
        if not wanted[i]:
            continue
        left -= rows.tokens[i]
        if left < 0 and kept:
            break
        kept.append(int(i))
    return kept


def _standard(values: "Numbers") -> "Numbers":
    standard: Numbers = (values - values.mean()) / (values.std() or 1.0)
    return standard
