"""Borders of segments: speech recognisers cut sentences anywhere, so what one voice says goes on in its next segment.

A segment goes on in the next one of its voice (or both have none) when at most 1.5 s lie between and nobody else's
segment lies wholly in there. What runs over a border belongs to the segment in which it begins, and takes no word of
what stands within one.
"""

import json
import re
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from store.matching import matching

GAP_MS = 1_500
_BEFORE = f"""
SELECT r.id, l.id FROM segment r CROSS JOIN segment l ON l.id = (
  SELECT p.id FROM segment p WHERE p.stream_id = r.stream_id AND p.speaker_id IS r.speaker_id
    AND (p.t0, p.id) < (r.t0, r.id) ORDER BY p.t0 DESC, p.id DESC LIMIT 1)
WHERE r.id IN (SELECT value FROM json_each(?)) AND r.stream_id = ? AND r.t0 - l.t1 <= {GAP_MS}
  AND NOT EXISTS (SELECT 1 FROM segment x
    WHERE x.stream_id = r.stream_id AND x.t0 >= l.t1 AND x.t0 < r.t0 AND x.t1 <= r.t0)
ORDER BY r.t0, r.id
"""
_Ends = dict[int, tuple[str, float]]
_CUT = re.compile(r"^\.{2,} ?| ?\.{2,}$")


@dataclass(frozen=True, slots=True)
class Crossing:
    """A phrase that begins in one segment and ends in a later one; its rank is that of its end as a phrase (BM25)."""

    first: int
    last: int
    rank: float


def before(connection: sqlite3.Connection, stream_id: int, ids: Collection[int]) -> dict[int, int]:
    """Give, in order of time, the segment that goes on in each of these; those in which none goes on are left out."""
    return dict(connection.execute(_BEFORE, (json.dumps(sorted(ids)), stream_id)).fetchall()) if ids else {}


def continued(
    connection: sqlite3.Connection, first: int, lasts: Collection[int]
) -> list[tuple[int, int, int, str, float | None]]:
    """Give id, start, end, text and score of the segments in which one goes on up to the latest of others."""
    return connection.execute(
        "SELECT s.id, s.t0, s.t1, s.text, s.score FROM segment f JOIN segment s ON s.stream_id = f.stream_id"
        " AND s.speaker_id IS f.speaker_id AND (s.t0, s.id) > (f.t0, f.id)"
        " JOIN (SELECT t0, id FROM segment WHERE id IN (SELECT value FROM json_each(?))"
        " ORDER BY t0 DESC, id DESC LIMIT 1) l ON (s.t0, s.id) <= (l.t0, l.id) WHERE f.id = ? ORDER BY s.t0, s.id",
        (json.dumps(list(lasts)), first),
    ).fetchall()


def crossings(
    connection: sqlite3.Connection, stream_ids: Sequence[tuple[int, int]], term: str, written: re.Pattern[str]
) -> dict[int, list[Crossing]]:
    """Find by transcript where a normalised phrase runs over borders, written as the pattern says.

    Transcripts are given as (recording, active stream) ids; no word counts twice.
    """
    beginning = _beginning(connection, stream_ids, term)
    return {stream_id: _crossings(connection, stream_id, term, written, ends) for stream_id, ends in beginning.items()}


def _crossings(
    connection: sqlite3.Connection, stream_id: int, term: str, written: re.Pattern[str], ends: _Ends
) -> list[Crossing]:
    chains = _chains(connection, stream_id, term.count(" "), {row_id: text for row_id, (text, _) in ends.items()})
    taken: dict[int, int] = {}
    found: list[Crossing] = []
    for chain in chains:
        ids, texts = list(chain), [_CUT.sub("", text) for text in chain.values()]
        place = next(_over(texts, written, [taken.get(row_id, 0) for row_id in ids]), None)
        if place is not None:
            first, end = place
            taken |= {row_id: len(text) for row_id, text in zip(ids[first + 1 :], texts[first + 1 :], strict=True)}
            taken[ids[-1]] = end
            found.append(Crossing(ids[first], ids[-1], ends[ids[-1]][1]))
    return found


def _beginning(connection: sqlite3.Connection, stream_ids: Sequence[tuple[int, int]], term: str) -> Mapping[int, _Ends]:
    """Give by transcript the segments that begin with the end of a phrase, with their ranks."""
    words, found = term.split(" "), defaultdict[int, _Ends](dict)
    ends = (" ".join(words[place:]).replace('"', '""') for place in range(1, len(words)))
    phrase = " OR ".join(f'^"{end}"' for end in ends if re.search(r"\w", end))
    for stream_id, row_id, text, rank in matching(connection, stream_ids, phrase) if phrase else ():
        found[stream_id][row_id] = text, rank
    return found


def _chains(
    connection: sqlite3.Connection, stream_id: int, words: int, ends: Mapping[int, str]
) -> Sequence[dict[int, str]]:
    """Give each end with the segments that go on in it, back to so many words before it, in order of time."""
    chains = {row_id: {row_id: text} for row_id, text in ends.items()}
    whole: dict[int, dict[int, str]] = {}
    for _ in range(words):
        earlier = before(connection, stream_id, {next(iter(chain)) for chain in chains.values()})
        texts = _texts(connection, set(earlier.values()))
        chains = {
            last: {earlier[head]: texts[earlier[head]]} | chain
            for last, chain in chains.items()
            if (head := next(iter(chain))) in earlier
        }
        whole |= chains
        chains = {last: chain for last, chain in chains.items() if _length(chain, last) < words}
        if not chains:
            break
    order = before(connection, stream_id, whole)
    return [whole[last] for last in order]


def _length(chain: Mapping[int, str], last: int) -> int:
    return sum(len(text.split(" ")) for row_id, text in chain.items() if row_id != last)


def _texts(connection: sqlite3.Connection, ids: Collection[int]) -> dict[int, str]:
    query = "SELECT f.rowid, f.text FROM json_each(?) e CROSS JOIN segment_fts f ON f.rowid = e.value"
    return dict(connection.execute(query, (json.dumps(sorted(ids)),)).fetchall())


def _over(texts: Sequence[str], written: re.Pattern[str], taken: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Give where a phrase begins before the last text and ends in it: the place of the text, and its end in the last.

    No word of a text is used that is taken already or is of a phrase within it.
    """
    starts = [0, *accumulate(len(text) + 1 for text in texts[:-1])]
    within = [[match.span() for match in written.finditer(text)] for text in texts]
    free = [max([mine, *(end for _, end in spans)]) for mine, spans in zip(taken, within, strict=True)]
    most = within[-1][0][0] if within[-1] else len(texts[-1])
    whole = " ".join(texts)
    for match in re.finditer(f"(?=({written.pattern}))", whole):
        begin, end = match.span(1)
        first = max(place for place, start in enumerate(starts) if start <= begin)
        if end <= starts[-1] or first == len(texts) - 1:
            continue
        used = any(taken[first + 1 : -1]) or begin - starts[first] < free[first]
        if not used and end - starts[-1] <= most:
            yield first, end - starts[-1]
