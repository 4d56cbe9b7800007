"""A recording's streams are examined when they change: how sure their rows are, and what speaks against them.

The health of a stream is how sure its rows are on average (or what its recogniser says of itself), less the share that
is spoilt; rows that somebody wrote have no scores, and no health unless something is wrong with them.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from store import checks as kept
from store.record import StreamKind
from store.recordings import Recording
from store.versions import Version, versions
from tools.emotion.labels import UNCLEAR
from tools.health import checks
from tools.health.finding import GIVEN, Finding, Told
from tools.listening import failures
from tools.transcript.doubts import plain

WRITTEN = 0.95
"""How sure rows are that nobody scored."""


@dataclass(frozen=True)
class _Streams:
    """The rows of the streams that are asked, and which turns were made of the text and so can contradict nothing.

    `heard` is the text that a recogniser heard, where one that was read from a file is asked.
    """

    recording: Recording
    rows: Mapping[StreamKind, Sequence[Told]]
    asked: Mapping[StreamKind, Version]
    heard: Sequence[Told] = ()

    def other(self, kind: StreamKind) -> Sequence[Told]:
        """Give the rows of a stream that was made independently of the text, none otherwise."""
        derived = kind == "speaker" and "from" in self.asked[kind].source.params if kind in self.asked else False
        return () if derived else self.rows.get(kind, ())


def examine(connection: sqlite3.Connection, recording: Recording) -> None:
    """Examine the streams of a recording that are asked, and keep with each what was found."""
    known = versions(connection, recording.id)
    asked = {version.kind: version for version in known if version.active}
    rows = {kind: _told(connection, version) for kind, version in asked.items()}
    read = "transcript" in asked and asked["transcript"].origin is not None
    heard = [version for version in known if read and version.kind == "transcript" and version.origin is None]
    streams = _Streams(recording, rows, asked, _told(connection, heard[-1]) if heard else ())
    for kind, version in asked.items():
        aside = kept.aside_words(connection, version.id)
        found = [*_unheard(version, recording), *_given(version), *_findings(kind, streams, aside)]
        _keep(connection, version, rows[kind], found)


def _findings(kind: StreamKind, streams: _Streams, set_aside: int = 0) -> Iterator[Finding]:
    """Give everything that speaks against one stream."""
    return (finding for finding in _CHECKS[kind](streams, set_aside) if finding is not None)


def _unheard(version: Version, recording: Recording) -> list[Finding]:
    missed = failures.of(version)
    return [Finding("unheard", failures.told(missed), failures.share(missed, recording.duration_ms))] if missed else []


def _given(version: Version) -> list[Finding]:
    """Give what a version's recogniser found out itself while it wrote."""
    return [Finding(**one) for one in version.checks.get(GIVEN, [])]


def _told(connection: sqlite3.Connection, version: Version) -> list[Told]:
    rows = kept.told(connection, version.id, version.kind)
    says = plain if version.kind == "transcript" else str
    return [Told(t0, t1, says(said), voice, score) for t0, t1, said, voice, score in rows]


def _keep(connection: sqlite3.Connection, version: Version, rows: Sequence[Told], found: Sequence[Finding]) -> None:
    given = version.checks.get("given", version.source.health)
    sure = _mean(rows) if given is None else given
    spoilt = 1.0
    for finding in found:
        spoilt *= 1 - min(1.0, finding.spoilt)
    graded = sure if spoilt == 1.0 else (WRITTEN if sure is None else sure) * spoilt
    told = [asdict(finding) for finding in found]
    kept.add(connection, version.id, given=given, scores=_spread(rows), findings=told)
    kept.grade(connection, version.id, graded)


def _mean(rows: Sequence[Told]) -> float | None:
    """Give the mean score, weighted by the rows' lengths."""
    scored = [(row.score, row.t1 - row.t0) for row in rows if row.score is not None]
    return sum(score * ms for score, ms in scored) / sum(ms for _, ms in scored) if scored else None


def _spread(rows: Sequence[Told]) -> list[float]:
    """Give the scores at a tenth, a half and nine tenths of the rows."""
    scores = sorted(row.score for row in rows if row.score is not None)
    return [round(scores[int(share * (len(scores) - 1))], 3) for share in (0.1, 0.5, 0.9)] if scores else []


def _transcript(streams: _Streams, set_aside: int) -> list[Finding | None]:
    said, turns = streams.rows["transcript"], streams.other("speaker")
    return [
        checks.repeated(said),
        checks.doubled(said),
        checks.uncovered(said, turns, "the time in which somebody speaks"),
        checks.contradicted(said, turns, "where nobody is heard speaking"),
        checks.stops(said, turns, streams.recording.duration_ms, "speech"),
        checks.aside(sum(len(row.said.split()) for row in said), set_aside),
        checks.translated(said, streams.heard),
    ]


def _speaker(streams: _Streams, set_aside: int) -> list[Finding | None]:
    turns = streams.rows["speaker"]
    said = streams.rows.get("transcript", ()) if streams.other("speaker") else ()
    return [
        checks.doubled(turns),
        checks.flickers(turns),
        checks.uncovered(turns, said, "the time in which words are said"),
        checks.stops(turns, said, streams.recording.duration_ms, "the transcript"),
    ]


def _emotion(streams: _Streams, set_aside: int) -> list[Finding | None]:
    rows, turns = streams.rows["emotion"], streams.rows.get("speaker", ())
    return [
        checks.one_label(rows, streams.asked["emotion"].source.labels, UNCLEAR),
        checks.doubled(rows),
        checks.stops(rows, turns, streams.recording.duration_ms, "speech"),
    ]


def _events(streams: _Streams, set_aside: int) -> list[Finding | None]:
    return [checks.doubled(streams.rows["events"])]


_CHECKS: Mapping[StreamKind, Callable[[_Streams, int], list[Finding | None]]] = {
    "transcript": _transcript,
    "speaker": _speaker,
    "emotion": _emotion,
    "events": _events,
}
