"""The one place where a call is checked, timed and traced: a session keeps one fence open for one question.

Keywords and meanings are resolved by trusted code before the SQL runs, each once a question.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol, Self

from store.borders import continued
from store.catalog import Catalog
from store.database import Database
from store.errors import ToolError
from store.fence import Fence, Result, open_fence
from store.guard import PLAN
from store.keywords import hits
from store.record import StreamKind
from tools.again.ear import SecondListen
from tools.again.listening import Again, listen_again
from tools.compiler.selection import looked_up
from tools.compiler.slices import RECORDING
from tools.compiler.versus import compared, sides
from tools.evidence import Evidence, EvidenceRow, Group
from tools.fuse import Compiled, Counting, compile_count, compile_plan, doubtful
from tools.passages import passages
from tools.plan import Fuse, Plan
from tools.similarity import similar
from tools.sql import QuerySql
from tools.transcript.query import TranscriptQuery

if TYPE_CHECKING:
    from store.vectors import Vectors

Embed = Callable[[str], "Vectors"]

_PLACED = ("first_occurrence", "longest_gap", "gaps", "overlaps")


class Tracer(Protocol):
    """Where calls are recorded; `rows` is None when a call failed."""

    def record(self, name: str, args: Mapping[str, Any], seconds: float, rows: int | None, error: str | None) -> None:
        """Record one call."""
        ...


class Session:
    """The calls of one question: plans and SQL run behind one fence, on one snapshot of the library."""

    def __init__(
        self, database: Database, catalog: Catalog, embed: Embed | None = None, tracer: Tracer | None = None
    ) -> None:
        self.catalog = catalog
        self._database, self._embed, self._tracer = database, embed, tracer
        self._resolved: set[str] = set()
        self._meant: list[TranscriptQuery] = []
        self._onward: dict[tuple[str, int], int] = {}
        self._open = ExitStack()

    def __enter__(self) -> Self:
        """Open the fence."""
        self._reader = self._open.enter_context(self._database.reader())
        self._fence: Fence = self._open.enter_context(open_fence(self._database, self.catalog))
        return self

    def __exit__(self, *_: object) -> None:
        """Close the fence."""
        self._open.close()

    def run(self, plan: Plan, most: int | None = None) -> Evidence:
        """Run a plan: its rows with their partners, their true number, the value's groups.

        At most `most` rows are listed: 2,000 unless said, 200 where a value is computed from all of them.

        ToolError says what about the plan cannot be run.
        """
        calls = {call.id: call.query for call in plan.calls}
        with self._traced("fuse", plan.fuse.model_dump(exclude_defaults=True)) as done:
            found = [self._evidence(side, compile_plan(side, self.catalog, most)) for side in sides(plan)]
            evidence = compared(plan, found) if len(found) > 1 else found[0]
            done(evidence.total)
        for name, count in evidence.found.items():
            self._record(calls[name].stream, calls[name].model_dump(exclude_defaults=True), 0.0, count, None)
        return evidence

    def count(self, plan: Plan) -> tuple[int, str]:
        """Give the true number of anchors a plan finds, and the SQL that counts them."""
        compiled = compile_count(plan, self.catalog)
        with self._traced("count", plan.fuse.model_dump(exclude_defaults=True)) as done:
            self._resolve(plan, compiled)
            total = int(self._fence.run(compiled.total_sql, PLAN).rows[0][0])
            done(total)
        return total, compiled.total_sql

    def recount(self, sql: str, terms: Sequence[str] = ()) -> int:
        """Run a count's SQL again, as a proof gives it, with the keywords it looks for; SqlRefused says why not."""
        self._look_up(terms)
        return int(self._fence.run(sql, PLAN).rows[0][0])

    def listen_again(self, query: TranscriptQuery, how: SecondListen) -> Again:
        """Hear the likeliest audio for a query's keywords; what was heard is found by every search from now on."""
        args = {"keywords": query.keywords, "seconds": how.seconds}
        with self._traced("listen_again", args) as done:
            again = listen_again(self._reader, self.catalog, query, how)
            self._look_up(looked_up(query))
            self._fence.add_hits(again.hits)
            done(len(again.hits))
        return again

    def query_sql(self, query: QuerySql) -> Result:
        """Run one SELECT that a model wrote, its keywords resolved before; SqlRefused says why not."""
        with self._traced("query_sql", query.model_dump(exclude_defaults=True)) as done:
            self._look_up(query.keywords)
            result = self._fence.run(query.sql)
            done(len(result.rows))
        return result

    def _evidence(self, plan: Plan, compiled: Compiled) -> Evidence:
        self._resolve(plan, compiled)
        began = time.monotonic()
        rows = self._fence.run(compiled.rows_sql, PLAN).rows
        counting = compiled.found_sql or compiled.total_sql
        statements, found = [compiled.rows_sql, counting], list(self._fence.run(counting, PLAN).rows[0])
        total = found.pop(0) if compiled.found_sql is None else rows[0][-1] if rows else 0
        groups: list[tuple[Any, ...]] = []
        if compiled.value_sql is not None:
            groups = self._fence.run(compiled.value_sql, PLAN).rows
            statements.append(compiled.value_sql)
            if (wider := _uncut(plan, groups)) is not None and (sql := compile_plan(wider, self.catalog).value_sql):
                groups = _with_ties(groups, self._fence.run(sql, PLAN).rows)
                statements.append(sql)
        partners, missing = self._partners(plan, compiled) if rows else ({}, 0)
        statements += compiled.partner_sql
        recordings = {entry.recording.id: entry.recording for entry in self.catalog.recordings}
        lengths = {recording.public_id: recording.duration_ms for recording in recordings.values()}
        ids = {rec_id: recording.public_id for rec_id, recording in recordings.items()}
        stream = plan.call(plan.fuse.anchor).query.stream
        plain = (_row(stream, row, tuple(partners.get(row[1], ()))) for row in rows)
        listed = tuple(self._with_onward(row, compiled.terms) for row in plain)
        return Evidence(
            rows=listed,
            total=total,
            groups=tuple(_group(plan.fuse, row, ids) for row in groups),
            sql=tuple(statements),
            milliseconds=(time.monotonic() - began) * 1000,
            caveats=(*_caveats(plan, self.catalog, len(rows), total, groups), *_unshown(missing)),
            found=dict(zip(compiled.calls, found, strict=True)),
            beyond=_beyond(plan.fuse, groups),
            lengths=lengths,
        )

    def _partners(self, plan: Plan, compiled: Compiled) -> tuple[Mapping[int, Sequence[EvidenceRow]], int]:
        """Give the rows' partners by row, each with its own partners, and how many there are beyond those."""
        theirs: dict[int | None, dict[int, list[EvidenceRow]]] = {}
        missing = 0
        for place, sql in reversed(list(enumerate(compiled.partner_sql))):
            call, parent = compiled.partner_of[place]
            stream, below = plan.call(call).query.stream, theirs.get(place, {})
            rows, found = self._fence.run(sql, PLAN).rows, dict[int, list[EvidenceRow]]()
            for anchor, *row in rows:
                found.setdefault(anchor, []).append(_row(stream, row, tuple(below.get(row[1], ()))))
            missing += rows[0][-1] - len(rows) if rows else 0
            beside = theirs.setdefault(parent, {})
            for anchor, partners in found.items():
                beside[anchor] = partners + beside.get(anchor, [])
        return theirs.get(None, {}), missing

    def _resolve(self, plan: Plan, compiled: Counting) -> None:
        self._look_up(compiled.terms)
        for call in plan.calls:
            if call.id in compiled.calls and isinstance(call.query, TranscriptQuery) and call.query.sought:
                self._mean(call.query)

    def _look_up(self, terms: Sequence[str]) -> None:
        new = [term for term in dict.fromkeys(terms) if term not in self._resolved]
        if new:
            found = hits(self._reader, self._transcripts(), new)
            self._fence.add_hits(found)
            self._onward |= {(hit.term, hit.segment_id): hit.onward for hit in found if hit.onward is not None}
            self._resolved.update(new)

    def _with_onward(self, row: EvidenceRow, terms: Sequence[str]) -> EvidenceRow:
        """Add to a row of the transcript the rows over whose border the words run that were looked for."""
        lasts = [self._onward[term, row.id] for term in terms if (term, row.id) in self._onward]
        if row.stream != "transcript" or not lasts:
            return row
        onward = (
            EvidenceRow("transcript", row_id, row.recording, t0, t1, row.speaker, text, score=score)
            for row_id, t0, t1, text, score in continued(self._reader, row.id, lasts)
        )
        return replace(row, onward=tuple(onward))

    def _mean(self, query: TranscriptQuery) -> None:
        """Find the segments nearest in meaning, or the best passages, among those the query's other filters leave."""
        if self._embed is None and query.semantic is not None:
            raise ToolError(
                f"'{query.semantic}' cannot be searched by meaning: the model that embeds sentences is not at hand "
                "(`overheard models pull minilm`); keywords work without it"
            )
        passing = query.passages is not None
        asked = query if passing else query.model_copy(update={"keywords": [], "match": "any", "nth": None})
        if asked not in self._meant:
            self._meant.append(asked)
            search = passages if passing else similar
            self._fence.add_hits(search(self._database, self._reader, self.catalog, asked, self._embed))

    def _transcripts(self) -> list[tuple[int, int]]:
        return [(rec_id, state.id) for rec_id, state in self.catalog.of("transcript").items()]

    @contextmanager
    def _traced(self, name: str, args: Mapping[str, Any]) -> Iterator[Callable[[int], None]]:
        began, found = time.monotonic(), list[int]()
        try:
            yield found.append
        except ToolError as error:
            self._record(name, args, time.monotonic() - began, None, str(error))
            raise
        self._record(name, args, time.monotonic() - began, found[0], None)

    def _record(self, name: str, args: Mapping[str, Any], seconds: float, rows: int | None, error: str | None) -> None:
        if self._tracer is not None:
            self._tracer.record(name, args, seconds, rows, error)


def _row(stream: StreamKind, row: Sequence[Any], partners: tuple[EvidenceRow, ...] = ()) -> EvidenceRow:
    _, row_id, t0, t1, _, recording, speaker, text, label, score, *_ = row
    return EvidenceRow(stream, row_id, recording, t0, t1, speaker, text, label, score, partners)


def _group(fuse: Fuse, row: Sequence[Any], ids: Mapping[int, str]) -> Group:
    key, _, value, also, first, _ = row
    placed = fuse.aggregate in _PLACED
    recording = ids[first // RECORDING] if placed or fuse.group == "time" else None
    return Group(None if key is None else str(key), [value, also] if placed else value, recording)


def _caveats(plan: Plan, catalog: Catalog, shown: int, total: int, groups: Sequence[Sequence[Any]]) -> Iterator[str]:
    fuse = plan.fuse
    if fuse.aggregate == "none" and shown < min(total, fuse.limit or total):
        yield f"{total:,} rows were found, of which the first {shown:,} are listed"
    if (beyond := _beyond(fuse, groups)) > 0:
        yield f"{len(groups) + beyond:,} results were found, of which the first {len(groups):,} are listed"
    if fuse.aggregate == "count_distinct" and fuse.group != "time":
        for _, _, value, also, *_ in groups:
            if also > value:
                yield f"{value} main speakers ({also} labels, {also - value} doubtful)"
    elif fuse.group in ("speaker", "time") and plan.call(plan.fuse.anchor).query.stream == "speaker":
        out = len(doubtful(catalog))
        if out and (fuse.group == "speaker" or fuse.aggregate == "count_distinct"):
            yield f"{out} doubtful {'voice is' if out == 1 else 'voices are'} left out"


def _beyond(fuse: Fuse, groups: Sequence[Sequence[Any]]) -> int:
    """Give how many groups a cap left out: not those beyond the limit that was asked for."""
    if not groups:
        return 0
    every = int(groups[0][-1])
    return max(0, min(every, fuse.limit or every) - len(groups))


def _uncut(plan: Plan, groups: Sequence[Sequence[Any]]) -> Plan | None:
    """Give the plan without its limit, where that may have cut between results of one value: two who spoke the most."""
    fuse = plan.fuse
    if not groups or fuse.limit is None or fuse.order not in ("value", "-value") or fuse.aggregate in _PLACED:
        return None
    uncut = plan.model_copy(update={"fuse": fuse.model_copy(update={"limit": None})})
    return uncut if int(groups[0][-1]) > len(groups) else None


def _with_ties(groups: list[tuple[Any, ...]], every: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Give the first results, and those after them that are worth as much as the last of them.

    Of an emotion that somebody mostly has, the second figure is how long it lasts.
    """
    worth = 3 if isinstance(groups[-1][2], str) else 2
    return [*groups, *(one for one in every[len(groups) :] if one[worth] == groups[-1][worth])]


def _unshown(partners: int) -> Iterator[str]:
    if partners:
        yield f"{partners:,} more rows were joined than are listed beside those found"
