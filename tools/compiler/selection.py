"""One stream call as a CTE: its filters become conditions on the stream's view, its rows one common shape.

Names and labels as people ask for them become constants (voice ids, stored labels) from the catalog; keywords become
rows of `keyword_hit`. A range keeps the rows that share time with it; the nth row is counted after every other filter.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from store import clock
from store.catalog import Catalog
from store.coverage import clipped, covered, reach
from store.fusion import ROW
from store.keywords import normalise
from store.keywords import together as all_of
from store.record import StreamKind
from store.syntax import among, col, either, inner, named, null, number, one_of, ordered, row_number, select
from tools.compiler.bounds import Bounds, Table, bounds
from tools.compiler.labels import Asked, stored, unasked
from tools.emotion.query import EmotionQuery
from tools.events.query import EventsQuery
from tools.speaker.names import resolve
from tools.speaker.query import SpeakerQuery
from tools.stream import StreamQuery
from tools.transcript.query import TranscriptQuery

SHOWN = (*ROW, "recording_id", "speaker", "text", "label", "score")
_ABSENT = {
    "transcript": {"label"},
    "speaker": {"text", "label"},
    "emotion": {"text"},
    "events": {"text", "voice", "speaker"},
}


@dataclass(frozen=True, slots=True)
class Selection:
    """The rows of one call: `tables` end with the one called `name`; `asked` maps what was asked to stored labels.

    `together` says that a row must hold all of several terms; `within` is the stretch asked for.
    """

    name: str
    stream: StreamKind
    columns: tuple[str, ...]
    tables: tuple[Table, ...]
    longest: int
    terms: tuple[str, ...] = ()
    meaning: str | None = None
    asked: Asked = ()
    within: Bounds = Bounds(None, None, ())
    together: bool = False
    nth: bool = False

    def materialized(self, table: str) -> bool | None:
        """Say whether one of the tables is computed once: not where the stream's index must serve each look-up."""
        if self.nth and table == self.name:
            return True
        return None if table.endswith("_spans") else False

    @property
    def wanted(self) -> tuple[str, ...]:
        """The terms of the keywords of which a row must have a hit: any of them, or the one of all together."""
        return (all_of(self.terms),) if self.together else self.terms

    @property
    def hits(self) -> tuple[str, ...]:
        """The terms whose hits the rows come from: keywords, and the meaning marked by a tilde."""
        return (*self.wanted, *([] if self.meaning is None else [f"~{self.meaning}"]))


def selection(name: str, query: StreamQuery, catalog: Catalog, more: Sequence[str] = ()) -> Selection:
    """Compile one call; `name` becomes the CTE's name, `more` are columns besides the row's place and voice."""
    longest = catalog.longest(query.stream)
    within = bounds(query, catalog, longest)
    conditions = list(within.conditions)
    terms: tuple[str, ...] = ()
    asked: Asked = ()
    match query:
        case TranscriptQuery():
            terms = keywords(query)
            conditions += [*_said(query, terms), *_spoken_by([query.spoken_by], catalog)]
        case SpeakerQuery():
            conditions += _spoken_by(query.names, catalog)
        case EmotionQuery():
            asked = stored("emotion", query.labels, catalog)
            conditions += [*_labelled(asked), *_sure(query.min_score), *_spoken_by([query.speaker], catalog)]
        case EventsQuery():
            asked = stored("events", query.labels, catalog)
            conditions += [*(_labelled(asked) or _sounds(catalog)), *_sure(query.min_score)]
    columns = [*ROW, *more]
    rows = select(*_columns(query.stream, columns), source=query.stream, where=conditions)
    tables = _filtered(name, rows, columns, query, within)
    sought = query.sought if isinstance(query, TranscriptQuery) else None
    meaning = None if sought is None else sought.removeprefix("~")
    together = isinstance(query, TranscriptQuery) and query.match == "all" and len(terms) > 1
    groups = tuple((term, ()) for term in terms) if terms else asked
    place = (tuple(columns), (*within.tables, *tables), longest)
    return Selection(name, query.stream, *place, terms, meaning, groups, within, together, query.nth is not None)


def keywords(query: TranscriptQuery) -> tuple[str, ...]:
    """Give the terms to look up: all keywords as one phrase, or each of them, in the first of its spellings."""
    given = [] if query.passages else query.keywords
    if query.match == "phrase" and given:
        return (" ".join(given),)
    return tuple({normalise(word): word for word in reversed(given)}.values())[::-1]


def looked_up(query: TranscriptQuery) -> tuple[str, ...]:
    """Give every term whose hits a query's SQL may read."""
    terms = keywords(query)
    return (*terms, all_of(terms)) if query.match == "all" and len(terms) > 1 else terms


def hit(terms: Iterable[str]) -> exp.Condition:
    """Give the condition that a row's segment holds one of the terms."""
    return among(col("id"), select("segment_id", source="keyword_hit", where=[one_of(col("term"), terms)]))


def shown(stream: str, alias: str) -> list[exp.Expr]:
    """Give what people see of a row, from its stream's view under an alias."""
    return _columns(stream, SHOWN, alias)


def _columns(stream: str, names: Sequence[str], alias: str | None = None) -> list[exp.Expr]:
    absent = _ABSENT[stream]
    return [named(**{name: null()})[0] if name in absent else col(name, alias) for name in names]


def _said(query: TranscriptQuery, terms: tuple[str, ...]) -> list[exp.Condition]:
    wanted = [all_of(terms)] if query.match == "all" and len(terms) > 1 else terms
    if query.sought is None:
        return [hit(wanted)] if wanted else []
    meant = hit([query.sought])
    return [either(hit(wanted), meant)] if wanted else [meant]


def _spoken_by(names: Iterable[str | None], catalog: Catalog) -> list[exp.Condition]:
    wanted = [name for name in names if name is not None]
    if not wanted:
        return []
    voices = (voice.id for entry in catalog.recordings for name in wanted for voice in resolve(entry, name))
    return [one_of(col("voice"), sorted(set(voices)))]


def _labelled(asked: Asked) -> list[exp.Condition]:
    labels = dict.fromkeys(label for _, labels in asked for label in labels)
    return [one_of(col("label"), tuple(labels))] if asked else []


def _sounds(catalog: Catalog) -> list[exp.Condition]:
    """Leave out regions where no label is asked for: speech and silence are no sounds that were heard."""
    regions = unasked(catalog)
    return [exp.Not(this=one_of(col("label"), regions))] if regions else []


def _sure(score: float | None) -> list[exp.Condition]:
    return [] if score is None else [col("score") >= number(score)]


def _filtered(name: str, rows: exp.Select, columns: Sequence[str], query: StreamQuery, within: Bounds) -> list[Table]:
    """Give the tables of a call, the last called `name`: filters that need all rows come after those that do not."""
    nth, talk = query.nth, query.min_talk if isinstance(query, SpeakerQuery) else None
    every = name if nth is None else f"{name}_every"
    tables: list[Table] = (
        [(every, rows)] if talk is None else _talkative(every, rows, columns, clock.end_ms(talk), within)
    )
    return tables if nth is None else [*tables, (name, _nth(every, columns, nth))]


def _nth(every: str, columns: Sequence[str], nth: int) -> exp.Select:
    """Keep the nth row of each recording in order of time, from its end where nth is negative."""
    place = named(place=row_number([ordered("t0", nth < 0), ordered("id", nth < 0)], "rec"))
    placed = inner(select(*columns, *place, source=every), "placed")
    return select(*columns, source=placed, where=[exp.EQ(this=col("place"), expression=number(abs(nth)))])


def _talkative(name: str, rows: exp.Select, columns: Sequence[str], talk: int, within: Bounds) -> list[Table]:
    """Keep the voices whose turns cover at least `talk` milliseconds, counted inside the range."""
    every, spans = f"{name}_turns", f"{name}_spans"
    cut = inner(select("id", "rec", "voice", *clipped(within.start, within.end), source=every), "cut")
    reached = select("voice", "t0", "t1", *named(reach=reach("voice")), source=cut)
    enough = select("voice", source=spans, group=["voice"])
    enough.set("having", exp.Having(this=exp.GTE(this=exp.Sum(this=covered()), expression=number(talk))))
    kept = select(*columns, source=every, where=[among(col("voice"), enough)])
    return [(every, rows), (spans, reached), (name, kept)]
