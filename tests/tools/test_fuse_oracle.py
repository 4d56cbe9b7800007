"""Every fused result is identical to a brute-force oracle's, over random recordings and random plans."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from store import recordings, streams
from store.catalog import Catalog, catalog
from store.database import Database
from store.record import STREAMS, Emotion, Event, Row, Segment, Turn
from tests.tools.oracle import Partners, expected
from tests.tools.oracle_rows import Known, World
from tools.call import Session
from tools.evidence import Evidence, EvidenceRow
from tools.plan import COMPARED, SLICED, TOGETHER, Plan, parse_plan

EXAMPLES = int(os.environ.get("OVERHEARD_ORACLE_WORLDS", "100"))
PLANS = 8
# Shrinking a world of rows and eight plans takes minutes and says little more than the plan that failed.
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
UNITS = (1, 500, 2500, 2500, 30_000, 700)
BLURRED = 700
VOICES = ("Ada", "Ben", "Select")
AGGREGATES = (
    "none", "none", "count", "count", "count_distinct", "first_occurrence", "total_duration", "average",
    "longest_gap", "gaps", "majority", "overlaps", "overlap_duration",
)  # fmt: skip
RELATIONS = (
    "overlaps", "nearest", "nearest_midpoint", "contains", "within", "before", "after", "right_after", "anywhere",
)  # fmt: skip
WORDS = ("red", "blue", "folder")
LABELS = ("bell", "dog", "no clear emotion", "Speech")


@st.composite
def stretches(draw: st.DrawFn, unit: int) -> tuple[int, int]:
    start = draw(st.integers(0, 12)) * unit + draw(st.sampled_from((0, 0, 0, 1)))
    length = draw(st.sampled_from((1, unit, unit, 2 * unit, 3 * unit, 9 * unit)))
    return start, start + length


@st.composite
def world(draw: st.DrawFn, unit: int) -> list[dict[str, list[Row]]]:
    """One or two recordings, each with few rows that touch, nest and tie, some far longer than the rest."""
    spans = stretches(unit)
    voice, label = st.sampled_from(VOICES), st.sampled_from(LABELS)
    score = st.sampled_from((0.2, 0.5, 0.9))
    text = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
    someone = st.none() | voice
    rows: dict[str, st.SearchStrategy[Row]] = {
        "transcript": st.builds(lambda s, v, t: Segment(s[0], s[1], t, v, score=0.5), spans, someone, text),
        "speaker": st.builds(lambda s, v, x: Turn(s[0], s[1], v, x), spans, voice, score),
        "emotion": st.builds(lambda s, v, n, x: Emotion(s[0], s[1], n, x, v), spans, someone, label, score),
        "events": st.builds(lambda s, n, x: Event(s[0], s[1], n, x), spans, label, score),
    }
    one = st.fixed_dictionaries(
        {kind: st.lists(row, min_size=2, max_size=8) | st.just([]) for kind, row in rows.items()}
    )
    return draw(st.lists(one, min_size=1, max_size=3))


def seconds(unit: int) -> st.SearchStrategy[float]:
    return st.integers(0, 13).map(lambda n: n * unit / 1000)


@st.composite
def relative(draw: st.DrawFn, unit: int) -> dict[str, Any]:
    """Times before the end of a recording, whose length is some units; beside one from its start, or alone."""
    late, more = draw(st.integers(1, 20)) * unit / 1000, draw(st.integers(1, 20)) * unit / 1000
    return draw(
        st.sampled_from(
            ({"start": -late}, {"end": -late}, {"start": -late - more, "end": -late}, {"start": late, "end": -more},
             {"start": -late, "end": more})
        )
    )  # fmt: skip


@st.composite
def query(draw: st.DrawFn, unit: int) -> tuple[str, dict[str, Any]]:
    stream = draw(st.sampled_from(STREAMS))
    args: dict[str, Any] = {}
    some = st.integers(0, 3).map(lambda n: n == 3)
    if draw(some):
        start = draw(seconds(unit))
        args |= {"start": start, "end": start + draw(st.integers(1, 9)) * unit / 1000}
    elif draw(some):
        args |= draw(relative(unit))
    if draw(some):
        args["nth"] = draw(st.sampled_from((1, 1, 2, 3, -1, -2)))
    if stream == "transcript":
        words = (
            draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=2, unique=True)) if draw(st.booleans()) else []
        )
        args |= {"keywords": words, "match": draw(st.sampled_from(("any", "all", "phrase")))}
    elif stream == "speaker":
        args |= (
            {"names": draw(st.lists(st.sampled_from(VOICES), min_size=1, max_size=2, unique=True))}
            if draw(some)
            else {}
        )
        args |= {"min_talk": draw(seconds(unit))} if draw(some) else {}
    else:
        args |= (
            {"labels": draw(st.lists(st.sampled_from(LABELS), min_size=1, max_size=2, unique=True))}
            if draw(some)
            else {}
        )
        args |= {"min_score": 0.5} if draw(some) else {}
    if stream in ("transcript", "emotion") and draw(some):
        args["speaker"] = draw(st.sampled_from(VOICES))
    return stream, args


@st.composite
def joins(draw: st.DrawFn, unit: int, calls: int) -> list[dict[str, Any]]:
    """Joins that make a tree of calls: each to the anchor or to a call before it."""
    relation = st.sampled_from(RELATIONS)
    tolerance = st.none() | st.sampled_from((0.0, 0.001, unit / 1000, 2 * unit / 1000, 2.5))
    found: list[dict[str, Any]] = []
    for n in range(1, calls):
        to = draw(st.sampled_from((0, *range(n))))
        kinds = ("inner", "inner", "inner", "without") if to else ("inner", "inner", "left", "without")
        join = {"stream": f"c{n}", "relation": draw(relation), "tolerance": draw(tolerance)}
        join |= {"kind": draw(st.sampled_from(kinds)), "voice": draw(st.sampled_from(("any", "any", "same", "other")))}
        found.append(join if to == 0 and draw(st.booleans()) else join | {"to": f"c{to}"})
    return found


@st.composite
def fuses(draw: st.DrawFn, unit: int) -> dict[str, Any]:
    """An aggregate with what goes with it."""
    aggregate = draw(st.sampled_from(AGGREGATES))
    groups = [None, None, "speaker", "label", "recording", *(["time"] * 3 if aggregate in SLICED else [])]
    group = None if aggregate in ("gaps", *TOGETHER) else draw(st.sampled_from(groups))
    fuse: dict[str, Any] = {"aggregate": aggregate, "group": group, "limit": draw(st.none() | st.integers(1, 4))}
    fuse["order"] = draw(st.sampled_from(("time", "time", "-time", "value", "-value", "length", "-length")))
    fuse["fields"] = draw(st.sampled_from(([], ["label"], ["speaker"], ["recording"])))
    if group == "time":
        fuse["every"] = draw(st.sampled_from((1, 2, 5, 60, 86_400)))
    values = (0, 1, 2, 3) if aggregate in ("count", "count_distinct") else (0, unit / 1000, 2 * unit / 1000, 0.5)
    if draw(st.booleans()):
        least, most = sorted((draw(st.sampled_from(values)), draw(st.sampled_from(values))))
        bounds = ({"min_value": most}, {"max_value": least}, {"min_value": least, "max_value": most})
        fuse |= draw(st.sampled_from(bounds))
    return fuse


@st.composite
def plans(draw: st.DrawFn, unit: int) -> Plan:
    calls = [draw(query(unit)) for _ in range(draw(st.sampled_from((1, 1, 2, 2, 3, 4))))]
    fuse = {"anchor": "c0", "joins": draw(joins(unit, len(calls)))} | draw(fuses(unit))
    if calls[0][0] == "events" and fuse["aggregate"] in TOGETHER:
        fuse["aggregate"] = "gaps"
    if fuse["aggregate"] in COMPARED and fuse["group"] is None and draw(st.booleans()):
        other = draw(query(unit).filter(lambda found: found[0] == calls[0][0]))
        fuse["versus"] = f"c{len(calls)}"
        calls.append(other)
    tools = [{"name": name, "args": args, "id": f"c{n}"} for n, (name, args) in enumerate(calls)]
    return parse_plan([*tools, {"name": "fuse", "args": fuse, "id": "f"}])


@st.composite
def cases(draw: st.DrawFn) -> tuple[list[dict[str, list[Row]]], int, list[Plan]]:
    """A world, its scale in milliseconds, and plans whose times are on that scale."""
    unit = draw(st.sampled_from(UNITS))
    return draw(world(unit)), unit, [draw(plans(unit)) for _ in range(PLANS)]


class Published:
    """A world in a library: its catalog, and its rows as the oracle knows them."""

    def __init__(self, database: Database, content: list[dict[str, list[Row]]], unit: int) -> None:
        self.database, self.unit = database, unit
        with database.writing() as connection:
            known = [self._record(connection, number, streams) for number, streams in enumerate(content)]
        lengths = {rec: self._length(number) for number, rec in enumerate(self.ids)}
        heard = {rec: length - 1 for rec, length in lengths.items()}
        self.world = World([row for rows in known for row in rows], lengths, heard, self.resolution)
        with database.reader() as connection:
            wanted = set(self.ids)
            self.catalog: Catalog = catalog(connection, [r for r in recordings.every(connection) if r.id in wanted])

    ids: list[int]

    @property
    def resolution(self) -> dict[str, int]:
        """In one world of six, events are as blurred as a detector that looks now and then."""
        return {"events": 480} if self.unit == BLURRED else {}

    def _length(self, number: int) -> int:
        return (24 - 5 * number) * self.unit + number

    def _record(self, connection: Any, number: int, content: dict[str, list[Row]]) -> list[Known]:
        taken = connection.execute("SELECT COUNT(*) FROM recording").fetchone()[0]
        new = recordings.NewRecording(f"{taken:064x}", f"r {taken}", "import", self._length(number))
        rec = recordings.add(connection, new).id
        streams.hear_until(connection, rec, self._length(number) - 1)
        self.ids = [*(self.ids if number else []), rec]
        known: list[Known] = []
        for kind in STREAMS:
            source = streams.Source("test", {"resolution_ms": self.resolution.get(kind, 0)})
            stream = streams.new_version(connection, rec, kind, source)
            streams.publish(connection, stream, content[kind])
            known += [_known(kind, rec, seq, row) for seq, row in enumerate(content[kind])]
        return known


def _known(kind: str, rec: int, seq: int, row: Row) -> Known:
    voice = getattr(row, "speaker", None)
    return Known(
        kind, rec, (rec << 20) + seq, row.t0, row.t1, None if voice is None else f"{rec}/{voice}",
        getattr(row, "text", None), getattr(row, "label", None), row.score,
    )  # fmt: skip


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Database:
    folder: Path = tmp_path_factory.mktemp("library")
    return Database.open(folder)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), phases=PHASES)
@given(case=cases())
def test_a_plan_brings_back_what_brute_force_finds(library: Database, case: tuple[Any, int, list[Plan]]) -> None:
    content, unit, asked = case
    published = Published(library, content, unit)
    names = {f"rec{e.recording.id}": e.recording.public_id for e in published.catalog.recordings}
    with Session(library, published.catalog) as session:
        for plan in asked:
            evidence = session.run(plan)
            try:
                _compare(evidence, plan, published, names)
            except AssertionError as error:
                raise AssertionError(f"{error}\n{plan!r}\n{evidence.sql}") from error


def _compare(evidence: Evidence, plan: Plan, published: Published, names: dict[str, str]) -> None:
    wanted = expected(plan, published.world)
    assert [row.id for row in evidence.rows] == wanted.ids
    assert evidence.total == wanted.total
    keyed = [(names.get(str(key), key), value) for key, value in wanted.groups]
    assert [(group.key, group.value) for group in evidence.groups] == keyed
    for row in evidence.rows:
        assert _ids(row) == wanted.partners[row.id]


def _ids(row: EvidenceRow) -> Partners:
    return sorted((partner.id, _ids(partner)) for partner in row.partners)
