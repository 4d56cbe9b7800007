"""One second listen: the likeliest segments are read from the recording's file and heard for the words that lack."""

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from store.catalog import Catalog
from store.errors import DataError, MissingWeights
from store.keywords import Hit, holds, normalise
from store.record import Span
from tools.again.ear import Ear, SecondListen
from tools.again.likely import Likely, likely, within
from tools.again.recall import Recall, recall_of
from tools.selection import keywords, looked_up
from tools.transcript.query import TranscriptQuery

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PAD_MS = 500
TOO_LONG = "its segments are too long to be heard at once"


@dataclass(frozen=True, slots=True)
class Term:
    """A term heard in a segment."""

    text: str
    where: Likely


@dataclass(frozen=True, slots=True)
class Again:
    """What a second listen did: segments heard, their seconds, what such a listen finds, terms found, and hits."""

    terms: tuple[str, ...]
    heard: tuple[Likely, ...] = ()
    found: tuple[Term, ...] = ()
    hits: tuple[Hit, ...] = ()
    why_not: str | None = None

    @property
    def seconds(self) -> float:
        """Seconds of audio that were heard again."""
        return sum(each.span.duration for each in self.heard) / 1000

    @property
    def recall(self) -> Recall | None:
        """What was measured of words planted in audio heard as well as this, None where nothing was."""
        return recall_of(self.heard)


def listen_again(
    connection: sqlite3.Connection,
    catalog: Catalog,
    query: TranscriptQuery,
    how: SecondListen,
    *,
    near: Sequence[int] = (),
) -> Again:
    """Hear the likeliest segments within a query's limits for its keywords; `hits` are what its search then finds."""
    terms = keywords(query)
    among = likely(connection, catalog, query, terms, frozenset(near))
    chosen = within(among, how.seconds)
    if not terms or not chosen:
        return Again(terms, why_not=TOO_LONG if among else "there is no audio at hand")
    try:
        paths = {rec_id: _path(catalog, rec_id) for rec_id in {each.recording for each in chosen}}
        found = list(_heard(chosen, paths, terms, how.make()))
    except (MissingWeights, DataError) as error:
        return Again(terms, why_not=str(error))
    return Again(terms, tuple(chosen), tuple(found), tuple(_hits(query, chosen, found)))


def _path(catalog: Catalog, rec_id: int) -> Path:
    """Give a recording's file; DataError when it is gone, or is not the one that was heard."""
    from tools.audio import content_id

    recording = next(entry.recording for entry in catalog.recordings if entry.recording.id == rec_id)
    path = Path(recording.path or "")
    if not path.is_file():
        raise DataError(f"the audio of {recording.public_id} is no longer at {path}")
    if recording.origin == "ingest" and content_id([path]) != recording.sha256:
        raise DataError(f"the audio at {path} is not the one that was heard as {recording.public_id}")
    return path


def _heard(chosen: Sequence[Likely], paths: Mapping[int, Path], terms: Sequence[str], ear: Ear) -> Iterator[Term]:
    for each in chosen:
        missing = [term for term in terms if not holds(normalise(each.text), normalise(term))]
        samples = stretch(paths[each.recording], each.span)
        said = ear.hear(samples, missing) if missing and len(samples) else ()
        yield from (Term(term, each) for term in said)


def stretch(path: Path, span: Span) -> "NDArray[np.float32]":
    """Read what is heard again for a span: a little more on both sides, which one window holds."""
    from tools.audio import read

    t0 = max(0, span.t0 - PAD_MS)
    return read(path, t0, span.t1 + PAD_MS)


def _hits(query: TranscriptQuery, chosen: Sequence[Likely], found: Sequence[Term]) -> Iterator[Hit]:
    """Give the hits of the terms that the query's SQL reads: each by itself, or all of them together."""
    terms, read_terms = keywords(query), looked_up(query)
    heard: Mapping[int, set[str]] = {
        each.segment_id: {term.text for term in found if term.where is each} for each in chosen
    }
    for each in chosen:
        for term in heard[each.segment_id]:
            yield Hit(term, each.segment_id, 0.0)
        if len(read_terms) > len(terms) and heard[each.segment_id]:
            text = normalise(each.text)
            if all(term in heard[each.segment_id] or holds(text, normalise(term)) for term in terms):
                yield Hit(read_terms[-1], each.segment_id, 0.0)
