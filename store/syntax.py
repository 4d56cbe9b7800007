"""Small pieces of SQL as syntax trees, so that no statement is ever pasted from strings."""

from collections.abc import Iterable, Sequence

from sqlglot import exp


def number(value: int | float) -> exp.Condition:
    """Give a number as a literal."""
    literal = exp.Literal.number(abs(value))
    return literal if value >= 0 else exp.Neg(this=literal)


def text(value: str) -> exp.Condition:
    """Give a text as a quoted literal."""
    return exp.Literal.string(value)


def col(name: str, table: str | None = None) -> exp.Column:
    """Give a column, of a table where one is named."""
    return exp.column(name, table=table)


def table(name: str, alias: str | None = None) -> exp.Expr:
    """Give a table, under an alias where one is named."""
    return exp.to_table(name) if alias is None else exp.alias_(exp.to_table(name), alias, table=True)


def both(conditions: Iterable[exp.Condition]) -> exp.Condition:
    """Give the conjunction of conditions (at least one), each in parentheses where it needs them."""
    return exp.and_(*conditions)


def one_of(column: exp.Condition, values: Sequence[int] | Sequence[str]) -> exp.Condition:
    """Give the condition that a column is one of the values; false for none."""
    literals = [number(value) if isinstance(value, int) else text(value) for value in values]
    return exp.In(this=column, expressions=literals or [exp.null()])


def plus(left: exp.Condition, milliseconds: int) -> exp.Condition:
    """Give a time moved by some milliseconds."""
    if milliseconds == 0:
        return left.copy()
    operator = exp.Add if milliseconds > 0 else exp.Sub
    return operator(this=left.copy(), expression=number(abs(milliseconds)))


def minus(left: exp.Condition, right: exp.Condition) -> exp.Sub:
    """Give a difference."""
    return exp.Sub(this=left.copy(), expression=right.copy())


def exists(name: str, alias: str, condition: exp.Condition) -> exp.Exists:
    """Give the condition that a table has a row of which another condition holds."""
    return exp.Exists(this=exp.select("1").from_(table(name, alias)).where(condition))


def ordered(key: str | exp.Expr, descending: bool = False) -> exp.Ordered:
    """Give one key of an ORDER BY."""
    if isinstance(key, exp.Ordered):
        return key.copy()
    return exp.Ordered(this=col(key) if isinstance(key, str) else key, desc=descending, nulls_first=not descending)


def row_number(order: Sequence[str | exp.Expr], *partition: str) -> exp.Window:
    """Give ROW_NUMBER() in an order, over a partition where one is named."""
    return exp.Window(
        this=exp.RowNumber(),
        partition_by=[col(name) for name in partition],
        order=exp.Order(expressions=[ordered(key) for key in order]),
    )


def reach(*partition: str) -> exp.Window:
    """Give the latest end among the rows before a row: how far their union reaches; NULL for the first row."""
    return exp.Window(
        this=exp.Max(this=col("t1")),
        partition_by=[col(name) for name in partition],
        order=exp.Order(expressions=[ordered(key) for key in ("t0", "t1", "id")]),
        spec=exp.WindowSpec(
            kind="ROWS", start="UNBOUNDED", start_side="PRECEDING", end=number(1), end_side="PRECEDING"
        ),
    )


def covered() -> exp.Condition:
    """Give the milliseconds by which a row (t0, t1, reach) lengthens the union of the rows before it."""
    fresh = exp.or_(col("reach").is_(exp.null()), col("reach") <= col("t0"))
    longer = col("t1") > col("reach")
    case = exp.Case().when(fresh, minus(col("t1"), col("t0"))).when(longer, minus(col("t1"), col("reach")))
    return case.else_(number(0))


def clipped(start: int | None, end: int | None) -> list[exp.Expr]:
    """Give t0 and t1 cut to a range."""
    cuts: list[tuple[str, int | None, type[exp.Binary]]] = [("t0", start, exp.LT), ("t1", end, exp.GT)]
    return [exp.alias_(_cut(name, limit, beyond), name) for name, limit, beyond in cuts]


def _cut(name: str, limit: int | None, beyond: type[exp.Binary]) -> exp.Condition:
    if limit is None:
        return col(name)
    return exp.Case().when(beyond(this=col(name), expression=number(limit)), number(limit)).else_(col(name))
