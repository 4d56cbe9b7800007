"""In which order rows are listed: by time, score, length, or the rank that words and meaning give together."""

from collections.abc import Sequence

from sqlglot import exp

from store.fusion import ROW
from store.syntax import Columns, col, inner, minus, named, number, one_of, ordered, row_number, select, table, together
from tools.compiler.bounds import Table
from tools.compiler.selection import Selection

_FUSION = 60


def order_by(order: str, alias: str | None = None) -> list[Columns]:
    """Give what a plan's order means as columns, which leave no two rows equal."""
    rec, start, row_id = col("rec", alias), col("t0", alias), col("id", alias)
    match order:
        case "-time":
            return [ordered(start, descending=True), ordered(rec), ordered(row_id, descending=True)]
        case "value" | "-value" | "rank":
            return [ordered(col("score", alias), descending=order != "value"), *order_by("time", alias)]
        case "length" | "-length":
            length = minus(col("t1", alias), start)
            return [ordered(length, descending=order == "-length"), *order_by("time", alias)]
        case _:
            return [ordered(rec), ordered(start), ordered(row_id)]


def ranked(anchor: Selection) -> list[Table]:
    """Fuse the ranks that keywords (BM25, summed) and meaning give a segment, by reciprocal rank (k = 60)."""
    sources: list[exp.Query] = []
    for terms in filter(None, (anchor.wanted, anchor.hits[len(anchor.wanted) :])):
        rank = named(rank=exp.Sum(this=col("rank")))
        summed = select(
            "segment_id", *rank, source="keyword_hit", where=[one_of(col("term"), terms)], group=["segment_id"]
        )
        place = named(place=row_number(["rank", "segment_id"]))
        sources.append(select("segment_id", *place, source=inner(summed, "summed")))
    under = exp.Paren(this=exp.Add(this=number(_FUSION), expression=col("place")))
    share = exp.Div(this=number(1.0), expression=under, typed=True, safe=True)
    scores = select("segment_id", *named(best=exp.Sum(this=share)), source="places", group=["segment_id"])
    return [("places", together(sources)), ("scores", scores)]


def scored(more: Sequence[str], source: str) -> exp.Select:
    """Give the rows of a table that have one of the scores of `ranked`, with it."""
    rows = select(
        *named(**{name: col(name, "k") for name in (*ROW, *more)}),
        *named(best=col("best", "s")),
        source=table(source, "k"),
    )
    rows.set("joins", [exp.Join(this=table("scores", "s"), on=col("segment_id", "s").eq(col("id", "k")))])
    return rows
