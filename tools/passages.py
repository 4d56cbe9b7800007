"""What an open question brings: the passages that tell most about its words and its meaning, up to a budget of tokens.

A reason rarely repeats the words of the question, so windows of neighbouring turns are weighed and not single rows: by
BM25 of the words in any form, and by how close in meaning their rows are. The weights were chosen on one half of
QMSum's training meetings and held on the other; there, summing standard scores was better than fusing ranks. So was
what is asked of a person who is named: some of the words, or the chief part in the passages and what is nearest.
"""

import math
import sqlite3
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from store.catalog import Catalog, RecordingCatalog
from store.database import Database
from store.keywords import Hit, mentions
from store.migrations import SEQ_BITS
from tools.speaker.names import resolve
from tools.transcript.query import TranscriptQuery

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from store.vectors import Vectors

    Numbers = NDArray[np.float64]

WINDOWS = (400, 1200)  # tokens
LETTERS = 4  # of a token, on average
NEAR = 0.25  # the cosine from which on a row is near in meaning
ENOUGH = 0.3  # of the words' weight
OWN = 0.15  # of it, in the mouth of a person who is named
NEAREST = 0.35  # the least cosine of what a person says that is nearest of all
CHIEF = 0.25  # of the best passages' tokens
PASSAGE = 1000  # tokens, of which one person's part is taken
RECORDINGS = 20
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
    theirs: "NDArray[np.bool_]"

    def around(self, values: "Numbers", width: int) -> "Numbers":
        """Sum values over the window of `width` tokens around each segment."""
        import numpy as np

        sums = np.concatenate([[0.0], np.cumsum(values)])
        first = np.searchsorted(self.middle, self.middle - width / 2, "left")
        after = np.searchsorted(self.middle, self.middle + width / 2, "right")
        return np.asarray(sums[after] - sums[first])


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
    said = _words(connection, entries, query, rows)
    heard = _near(connection, entries, meant, rows)
    words, near = [(weight, counts * rows.theirs) for weight, counts in said], heard * rows.theirs
    if query.speaker and query.keywords:
        if not _told(words, rows, OWN) and not _foremost(said, heard, rows):
            return []
    elif not _told(words, rows, ENOUGH) and near.max() < NEAR:
        return []
    own = sum((weight * counts.clip(max=2) for weight, counts in words), 0 * near)
    score = _standard(_said(words, rows)) + _standard(_meant(near, rows))
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

    found: list[tuple[int, float, float, bool]] = []
    at = 0.0
    for entry in entries:
        state, asked = entry.streams["transcript"], query.within(entry.recording.duration_ms)
        voices = None if query.speaker is None else {voice.id for voice in resolve(entry, query.speaker)}
        labels = {voice.id: len(voice.display) / LETTERS + 1 for voice in entry.voices}
        said = connection.execute(
            "SELECT id, speaker_id, length(text) FROM segment"
            " WHERE stream_id = ? AND t0 > ? AND t0 < ? AND t1 > ? ORDER BY t0, id",
            (state.id, asked.t0 - state.max_dur - 1, asked.t1, asked.t0),
        )
        last = None
        for row_id, speaker_id, letters in said:
            tokens = letters / LETTERS + (labels.get(speaker_id, 0.0) if speaker_id != last else 0.0)
            found.append((row_id, tokens, at + tokens / 2, voices is None or speaker_id in voices))
            at, last = at + tokens, speaker_id
        at += 2 * max(WINDOWS)
    ids, tokens, middle, theirs = zip(*found, strict=True) if found else ((), (), (), ())
    return _Rows(np.array(ids, np.int64), np.array(tokens, float), np.array(middle, float), np.array(theirs, bool))


def _words(
    connection: sqlite3.Connection, entries: Sequence[RecordingCatalog], query: TranscriptQuery, rows: _Rows
) -> "list[tuple[float, Numbers]]":
    """Give each word: its weight, which falls with how common it is, and how often each segment holds it."""
    import numpy as np

    place = {int(row_id): i for i, row_id in enumerate(rows.ids)}
    words: list[tuple[float, Numbers]] = []
    for term in dict.fromkeys(query.keywords):
        counts = np.zeros(len(place))
        for row_id, times in mentions(connection, _streams(entries), term).items():
            if row_id in place:
                counts[place[row_id]] = times
        holding = max(1, int(np.count_nonzero(counts)))
        words.append((math.log(1 + (len(place) - holding + 0.5) / (holding + 0.5)), counts))
    return words


def _told(words: "Sequence[tuple[float, Numbers]]", rows: _Rows, share: float) -> bool:
    """Say whether some window holds a share of the words, by weight; one that nobody says weighs as one said once."""
    held = sum((weight * (rows.around(counts, max(WINDOWS)) > 0) for weight, counts in words), 0 * rows.tokens)
    return float(held.max()) > 0 and float(held.max()) >= share * sum(weight for weight, _ in words)


def _foremost(words: "Sequence[tuple[float, Numbers]]", near: "Numbers", rows: _Rows) -> bool:
    """Say whether the nearest segment of all is theirs, and a good part of the passages that tell most, by anybody."""
    best = int(near.argmax())
    if near[best] < NEAREST or not rows.theirs[best]:
        return False
    score = _standard(_said(words, rows)) + _standard(_meant(near, rows))
    kept = _fitting(score, rows.theirs >= 0, rows, PASSAGE)
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


def _said(words: "Sequence[tuple[float, Numbers]]", rows: _Rows) -> "Numbers":
    """Weigh windows by BM25, without its norm of length: windows of one width are equally long."""
    total = 0 * rows.tokens
    for width in WINDOWS if words else ():
        score = 0 * rows.tokens
        for weight, counts in words:
            times = rows.around(counts, width)
            score += weight * times * (_SATURATION + 1) / (times + _SATURATION)
        total += _standard(score)
    return total


def _meant(near: "Numbers", rows: _Rows) -> "Numbers":
    """Weigh windows by the sum of their rows' cosines, sharpened, so that a few near rows outweigh many vague ones."""
    sharp = near.clip(min=0) ** _SHARPNESS * rows.tokens
    total = 0 * rows.tokens
    for width in WINDOWS:
        total += _standard(rows.around(sharp, width))
    return total


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
