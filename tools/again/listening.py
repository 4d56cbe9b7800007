"""One second listen: the likeliest passages are read from the recording's file and heard for the words that lack."""

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from store.catalog import Catalog
from store.errors import DataError, MissingWeights
from store.keywords import Hit, holds, normalise
from tools.again.ear import SecondListen
from tools.again.likely import Likely, likely, within
from tools.again.recall import Recall, recall_of
from tools.compiler.selection import keywords, looked_up
from tools.transcript.decoys import SHORTEST
from tools.transcript.doubts import plain
from tools.transcript.evidence import Asked
from tools.transcript.query import TranscriptQuery

TOO_LONG = "its segments are too long to be heard at once"
NOWHERE = "there is no audio at hand"
TOO_SHORT = f"a word of fewer than {SHORTEST} letters is not told from others by its sound"


@dataclass(frozen=True, slots=True)
class Again:
    """What a second listen did: passages heard, their seconds, what such a listen finds, where terms are, and hits.

    `not_heard` says in one line each why nothing, or nothing of some recording, was heard.
    """

    terms: tuple[str, ...]
    heard: tuple[Likely, ...] = ()
    found: tuple[Likely, ...] = ()
    hits: tuple[Hit, ...] = ()
    not_heard: tuple[str, ...] = ()

    @property
    def seconds(self) -> float:
        """Seconds of audio that were heard again."""
        return sum(each.span.duration for each in self.heard) / 1000

    def poorly(self, below: float) -> float:
        """Give the seconds of that audio whose words were heard worse than so at first."""
        poor = [each for each in self.heard if each.score is not None and each.score < below]
        return sum(each.span.duration for each in poor) / 1000

    @property
    def recall(self) -> Recall | None:
        """What was measured of words planted in audio heard as well as this, None where nothing was."""
        return recall_of(self.heard)


def listen_again(connection: sqlite3.Connection, catalog: Catalog, query: TranscriptQuery, how: SecondListen) -> Again:
    """Hear the likeliest passages within a query's limits for its keywords; `hits` are what its search then finds."""
    terms = keywords(query)
    audible = [term for term in terms if len(plain(term)) >= SHORTEST]
    if not audible:
        return Again(terms, not_heard=(TOO_SHORT,))
    gone = _gone(catalog)
    among = [each for each in likely(connection, catalog, query, audible) if each.recording not in gone]
    chosen = within(among, how.seconds)
    try:
        changed = _changed(catalog, chosen)
        chosen = [each for each in chosen if each.recording not in changed]
        found = tuple(_heard(chosen, among, catalog, how)) if chosen else ()
    except (MissingWeights, DataError) as error:
        return Again(terms, not_heard=(str(error),))
    lacking = (*gone.values(), *changed.values()) or (() if chosen else (TOO_LONG if among else NOWHERE,))
    return Again(terms, tuple(chosen), found, tuple(_hits(query, found)), lacking)


def _gone(catalog: Catalog) -> dict[int, str]:
    """Give the recordings whose file is no longer there, each with a line that says so."""
    recordings = [entry.recording for entry in catalog.recordings]
    return {
        each.id: f"the audio of {each.public_id} is no longer at {each.path}"
        for each in recordings
        if each.path is not None and not Path(each.path).is_file()
    }


def _changed(catalog: Catalog, chosen: Sequence[Likely]) -> dict[int, str]:
    """Give the recordings whose file is not the one that was heard, each with a line that says so."""
    wanted = {each.recording for each in chosen}
    listened = [entry.recording for entry in catalog.recordings if entry.recording.id in wanted]
    return {
        each.id: f"the audio at {each.path} is not the one that was heard as {each.public_id}"
        for each in listened
        if each.origin == "ingest" and _content(Path(each.path or "")) != each.sha256
    }


def _content(path: Path) -> str:
    """Give what identifies a file's bytes, read anew only when the file was written to: it may be hours long."""
    try:
        there = path.stat()
    except OSError as error:
        raise DataError(f"{path.name!r} cannot be read: {error.strerror}") from error
    return _read_through(path, there.st_size, there.st_mtime_ns)


@lru_cache(maxsize=64)
def _read_through(path: Path, size: int, changed: int) -> str:
    from tools.media.audio import content_id

    return content_id([path])


def _heard(chosen: Sequence[Likely], among: Sequence[Likely], catalog: Catalog, how: SecondListen) -> Iterator[Likely]:
    """Give the passages in which their term is heard; decoys are made of the words of all."""
    from tools.media.audio import read

    ear, vocabulary = how.make(), frozenset(word for each in among for word in each.words)
    paths = {entry.recording.id: Path(entry.recording.path or "") for entry in catalog.recordings}
    read_out = ((each, read(paths[each.recording], each.span.t0, each.span.t1)) for each in chosen)
    audible = [(each, samples) for each, samples in read_out if len(samples)]
    heard = ear.hear([(samples, asked_of(each, vocabulary)) for each, samples in audible])
    yield from (each for (each, _), said in zip(audible, heard, strict=True) if said)


def asked_of(passage: Likely, vocabulary: Collection[str]) -> Asked:
    """Give what a passage is asked."""
    return Asked(passage.term, passage.words, passage.places, vocabulary, passage.language)


def _hits(query: TranscriptQuery, found: Sequence[Likely]) -> Iterator[Hit]:
    """Give the hits of the terms that the query's SQL reads: each by itself, or all of them together."""
    terms, read_terms = keywords(query), looked_up(query)
    heard: dict[int, set[str]] = {}
    for each in found:
        heard.setdefault(each.segment_id, set()).add(each.term)
        yield Hit(each.term, each.segment_id, 0.0)
    if len(read_terms) > len(terms):
        for segment_id, text in {each.segment_id: normalise(each.text) for each in found}.items():
            if all(term in heard[segment_id] or holds(text, normalise(term)) for term in terms):
                yield Hit(read_terms[-1], segment_id, 0.0)
