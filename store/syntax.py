"""Small pieces of SQL as syntax trees, so that no statement is ever pasted from strings.

Nodes are made directly: sqlglot's builders read every name as SQL, which costs more than running the statement.
"""

from collections.abc import Iterable, Sequence
from functools import reduce

from sqlglot import exp

Columns = str | exp.Expr


def number(value: int | float) -> exp.Condition:
    """Give a number as a literal."""
    literal = exp.Literal(this=str(abs(value)), is_string=False)
    return literal if value >= 0 else exp.Neg(this=literal)


def text(value: str) -> exp.Condition:
    """Give a text as a quoted literal."""
    return exp.Literal(this=value, is_string=True)


def null() -> exp.Condition:
    """Give NULL."""
    return exp.Null()


def col(name: str, table: str | None = None) -> exp.Column:
    """Give a column, of a table where one is named."""
    return exp.Column(this=exp.Identifier(this=name), table=exp.Identifier(this=table) if table else None)


def table(name: str, alias: str | None = None) -> exp.Table:
    """Give a table, under an alias where one is named."""
    return exp.Table(this=exp.Identifier(this=name), alias=_table_alias(alias))


def inner(query: exp.Query, alias: str | None = None) -> exp.Subquery:
    """Give a query in parentheses, under an alias where one is named."""
    return exp.Subquery(this=query, alias=_table_alias(alias))


def named(**columns: exp.Expr) -> list[exp.Expr]:
    """Give expressions as columns of these names."""
    return [exp.Alias(this=value, alias=exp.Identifier(this=name)) for name, value in columns.items()]


def select(
    *columns: Columns, source: str | exp.Expr, where: Sequence[exp.Condition] = (), group: Iterable[str] = ()
) -> exp.Select:
    """Give a SELECT of columns from one source."""
    query = exp.Select(
        expressions=[col(column) if isinstance(column, str) else column for column in columns],
        from_=exp.From(this=table(source) if isinstance(source, str) else source),
    )
    if where:
        query.set("where", exp.Where(this=both(where)))
    by = [col(name) for name in group]
    if by:
        query.set("group", exp.Group(expressions=by))
    return query


def together(queries: Sequence[exp.Query]) -> exp.Query:
    """Give the rows of all queries, with UNION ALL."""
    return reduce(lambda left, right: exp.Union(this=left, expression=right, distinct=False), queries)


def finished(query: exp.Select, order: Sequence[Columns], limit: int) -> exp.Select:
    """Give a query with its ORDER BY and LIMIT."""
    query.set("order", exp.Order(expressions=[ordered(key) for key in order]))
    query.set("limit", exp.Limit(expression=number(limit)))
    return query


def both(conditions: Sequence[exp.Condition]) -> exp.Condition:
    """Give the conjunction of conditions, at least one."""
    return reduce(lambda left, right: exp.And(this=left, expression=right), conditions)


def either(left: exp.Condition, right: exp.Condition) -> exp.Condition:
    """Give a disjunction, in parentheses."""
    return exp.Paren(this=exp.Or(this=left, expression=right))


def one_of(column: exp.Condition, values: Iterable[int] | Iterable[str]) -> exp.Condition:
    """Give the condition that a column is one of the values; never true for none."""
    literals = [text(value) if isinstance(value, str) else number(value) for value in values]
    return exp.In(this=column, expressions=literals or [null()])


def among(column: exp.Condition, query: exp.Query) -> exp.Condition:
    """Give the condition that a column is among a query's values."""
    return exp.In(this=column, query=inner(query))


def exists(name: str, alias: str, condition: exp.Condition) -> exp.Condition:
    """Give the condition that a table has a row of which another condition holds."""
    return exp.Exists(this=select(number(1), source=table(name, alias), where=[condition]))


def plus(left: exp.Condition, milliseconds: int) -> exp.Condition:
    """Give a time moved by some milliseconds."""
    if milliseconds == 0:
        return left.copy()
    operator = exp.Add if milliseconds > 0 else exp.Sub
    return operator(this=left.copy(), expression=number(abs(milliseconds)))


def minus(left: exp.Condition, right: exp.Condition) -> exp.Sub:
    """Give a difference."""
    return exp.Sub(this=left.copy(), expression=right.copy())


def ordered(key: Columns, descending: bool = False) -> exp.Ordered:
    """Give one key of an ORDER BY."""
    if isinstance(key, exp.Ordered):
        return key
    return exp.Ordered(this=col(key) if isinstance(key, str) else key, desc=descending, nulls_first=not descending)


def row_number(order: Sequence[Columns], *partition: str) -> exp.Window:
    """Give ROW_NUMBER() in an order, over a partition where one is named."""
    return exp.Window(
        this=exp.RowNumber(),
        partition_by=[col(name) for name in partition],
        order=exp.Order(expressions=[ordered(key) for key in order]),
    )


def _table_alias(name: str | None) -> exp.TableAlias | None:
    return None if name is None else exp.TableAlias(this=exp.Identifier(this=name))
