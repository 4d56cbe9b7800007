"""One stream call as a CTE: its filters become conditions on the stream's view, its rows one common shape.

Names and labels as people ask for them become constants (voice ids, stored labels) from the catalog; keywords become
rows of `keyword_hit`. A range keeps the rows that share time with it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlglot import exp

from store import clock
from store.catalog import Catalog
from store.coverage import clipped, covered, reach
from store.fusion import ROW
from store.record import StreamKind
from store.syntax import among, both, col, either, inner, named, null, number, one_of, select
from tools.emotion.query import EmotionQuery
from tools.events.query import EventsQuery
from tools.labels import Asked, stored
from tools.speaker.names import resolve
from tools.speaker.query import SpeakerQuery
from tools.stream import StreamQuery
from tools.transcript.query import TranscriptQuery

Table = tuple[str, exp.Query]

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

    `together` says that a row must hold all of several terms.
    """

    name: str
    stream: StreamKind
    columns: tuple[str, ...]
    tables: tuple[Table, ...]
    longest: int
    terms: tuple[str, ...] = ()
    meaning: str | None = None
    asked: Asked = ()
    start: int | None = None
    end: int | None = None
    together: bool = False

    @property
    def hits(self) -> tuple[str, ...]:
        """The terms whose hits the rows come from: keywords, and the meaning marked by a tilde."""
        return (*self.terms, *([] if self.meaning is None else [f"~{self.meaning}"]))


def selection(name: str, query: StreamQuery, catalog: Catalog, more: Sequence[str] = ()) -> Selection:
    """Compile one call; `name` becomes the CTE's name, `more` are columns besides the row's place and voice."""
    longest, start, end = catalog.longest(query.stream), query.start_ms, query.end_ms
    conditions = _in_range(start, end, longest)
    terms: tuple[str, ...] = ()
    asked: Asked = ()
    match query:
        case TranscriptQuery():
            terms = keywords(query)
            conditions += [*_said(query, terms), *_spoken_by([query.speaker], catalog)]
        case SpeakerQuery():
            conditions += _spoken_by(query.names, catalog)
        case EmotionQuery():
            asked = stored("emotion", query.labels, catalog)
            conditions += [*_labelled(asked), *_sure(query.min_score), *_spoken_by([query.speaker], catalog)]
        case EventsQuery():
            asked = stored("events", query.labels, catalog)
            conditions += [*_labelled(asked), *_sure(query.min_score)]
    columns = [*ROW, *more]
    rows = select(*_columns(query.stream, columns), source=query.stream, where=conditions)
    talk = query.min_talk if isinstance(query, SpeakerQuery) else None
    tables = [(name, rows)] if talk is None else _talkative(name, rows, columns, clock.end_ms(talk), (start, end))
    meaning = query.semantic if isinstance(query, TranscriptQuery) else None
    together = isinstance(query, TranscriptQuery) and query.match == "all" and len(terms) > 1
    groups = tuple((term, ()) for term in terms) if terms else asked
    place = (tuple(columns), tuple(tables), longest)
    return Selection(name, query.stream, *place, terms, meaning, groups, start, end, together)


def keywords(query: TranscriptQuery) -> tuple[str, ...]:
    """Give the terms to look up: each keyword, or all of them as one phrase."""
    given = query.keywords
    return (" ".join(given),) if query.match == "phrase" and given else tuple(dict.fromkeys(given))


def hit(terms: Iterable[str]) -> exp.Condition:
    """Give the condition that a row's segment holds one of the terms."""
    return among(col("id"), select("segment_id", source="keyword_hit", where=[one_of(col("term"), terms)]))


def shown(stream: str, alias: str) -> list[exp.Expr]:
    """Give what people see of a row, from its stream's view under an alias."""
    return _columns(stream, SHOWN, alias)


def _columns(stream: str, names: Sequence[str], alias: str | None = None) -> list[exp.Expr]:
    absent = _ABSENT[stream]
    return [named(**{name: null()})[0] if name in absent else col(name, alias) for name in names]


def _in_range(start: int | None, end: int | None, longest: int) -> list[exp.Condition]:
    conditions: list[exp.Condition] = []
    if start is not None:
        conditions += [col("t0") > number(start - longest), col("t1") > number(start)]
    if end is not None:
        conditions.append(col("t0") < number(end))
    return conditions


def _said(query: TranscriptQuery, terms: tuple[str, ...]) -> list[exp.Condition]:
    each = [hit([term]) for term in terms] if query.match == "all" else [hit(terms)] if terms else []
    if query.semantic is None:
        return each
    meant = hit([f"~{query.semantic}"])
    return [either(both(each), meant)] if each else [meant]


def _spoken_by(names: Iterable[str | None], catalog: Catalog) -> list[exp.Condition]:
    wanted = [name for name in names if name is not None]
    if not wanted:
        return []
    voices = (voice.id for entry in catalog.recordings for name in wanted for voice in resolve(entry, name))
    return [one_of(col("voice"), sorted(set(voices)))]


def _labelled(asked: Asked) -> list[exp.Condition]:
    labels = dict.fromkeys(label for _, labels in asked for label in labels)
    return [one_of(col("label"), tuple(labels))] if asked else []


def _sure(score: float | None) -> list[exp.Condition]:
    return [] if score is None else [col("score") >= number(score)]


def _talkative(
    name: str, rows: exp.Select, columns: Sequence[str], talk: int, span: tuple[int | None, int | None]
) -> list[Table]:
    """Keep the voices whose turns cover at least `talk` milliseconds, counted inside the range."""
    every, spans = f"{name}_every", f"{name}_spans"
    cut = inner(select("id", "voice", *clipped(*span), source=every), "cut")
    reached = select("voice", "t0", "t1", *named(reach=reach("voice")), source=cut)
    enough = select("voice", source=spans, group=["voice"])
    enough.set("having", exp.Having(this=exp.GTE(this=exp.Sum(this=covered()), expression=number(talk))))
    kept = select(*columns, source=every, where=[among(col("voice"), enough)])
    return [(every, rows), (spans, reached), (name, kept)]
