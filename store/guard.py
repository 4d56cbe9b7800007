"""The fence's first half: a statement is one SELECT made of known nodes, tables, columns and functions, or refused.

What runs is the regenerated SQL, never the text: whatever a comment, a quote or a second statement hid is gone.
Everything is an allow-list, because a list of forbidden things let 31 of 51 hostile strings through.
"""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, TypeVar

from store.allowed import ARGUMENTS, COLLATIONS, FUNCTIONS, NODES, TYPES
from store.errors import SqlRefused
from store.views import HIDDEN, HITS, NUMBERS, PUBLIC, keyed

if TYPE_CHECKING:
    from sqlglot import exp

E = TypeVar("E", bound="exp.Expr")

_ADVICE = "name views and columns plainly, and write IN with a list or a subquery"


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one statement may ask; `hidden`: compiled plans may name the integer columns."""

    bytes: int
    joins: int
    rows: int
    seconds: float
    hidden: bool


MODEL = Limits(bytes=4096, joins=4, rows=200, seconds=1.0, hidden=False)
PLAN = Limits(bytes=32768, joins=8, rows=2000, seconds=10.0, hidden=True)


def check(sql: str, limits: Limits = MODEL) -> str:
    """Give the statement as it may run: regenerated for SQLite, with a LIMIT; SqlRefused says why not."""
    from sqlglot.errors import SqlglotError, UnsupportedError

    try:
        tree = _parse(sql, limits)
        # walked once, because a walk costs as much as running most statements
        nodes = list(tree.walk())
        _check_nodes(nodes)
        _check_tables(tree, nodes, limits)
        _check_columns(nodes, limits)
        _check_size(nodes, limits)
        _bound(tree, limits.rows)
        if limits.hidden:
            _read_keyed(nodes)
        return _text(tree)
    except RecursionError:
        raise SqlRefused("the statement is nested too deeply; write it flatter, with CTEs") from None
    except UnsupportedError as error:
        raise SqlRefused(f"SQLite cannot say this: {error}; write it in SQLite's own words") from error
    except SqlglotError as error:
        raise SqlRefused(f"this is not one SELECT in SQLite's dialect: {_first_line(error)}") from error


def _parse(sql: str, limits: Limits) -> "exp.Query":
    from sqlglot import Dialect, exp
    from sqlglot.tokenizer_core import TokenType

    # sqlglot warns on stderr of what a refusal says anyway
    logging.getLogger("sqlglot").setLevel(logging.CRITICAL)
    size = len(sql.encode("utf-8", "surrogatepass"))
    if size > limits.bytes:
        _refuse(f"the statement has {size:,} bytes", f"at most {limits.bytes:,} are read")
    if any(character == "\0" or "\ud800" <= character <= "\udfff" for character in sql):
        _refuse("the statement holds a NUL or half a character", "write plain text")
    dialect = Dialect.get_or_raise("sqlite")
    tokens = dialect.tokenize(sql)
    kinds = [token.token_type for token in tokens]
    while kinds and kinds[-1] == TokenType.SEMICOLON:
        kinds.pop()
    if not kinds or kinds[0] not in (TokenType.SELECT, TokenType.WITH):
        _refuse("the statement does not begin with SELECT or WITH", "only SELECT can be run")
    if TokenType.SEMICOLON in kinds:
        _refuse("there is more than one statement", "send one SELECT at a time")
    trees = [tree for tree in dialect.parser().parse(tokens, sql) if tree is not None]
    if len(trees) != 1 or not isinstance(trees[0], exp.Select | exp.SetOperation):
        _refuse("this is not a SELECT", "only one SELECT can be run")
    return trees[0]


def _of(nodes: "Sequence[exp.Expr]", kind: "type[E]") -> "list[E]":
    """Give the nodes of one kind, in order."""
    return [node for node in nodes if isinstance(node, kind)]


def _check_nodes(nodes: "Sequence[exp.Expr]") -> None:
    from sqlglot import exp

    for node in nodes:
        kind = type(node).__name__
        if isinstance(node, exp.Anonymous):
            _known_function(node.name)
        elif kind not in NODES:
            if isinstance(node, exp.Func):
                _known_function(node.sql_name().lower())
            _refuse(f"{kind.upper()} is not allowed", "use SELECT with joins, grouping, CASE, windows and CTEs")
        given = {name for name, value in node.args.items() if value}
        extra = given - ARGUMENTS.get(kind, given)
        if extra:
            _refuse(f"{kind.upper()} has a form that is not allowed ({', '.join(sorted(extra))})", _ADVICE)
        if isinstance(node, exp.Collate) and node.expression.name.lower() not in COLLATIONS:
            _refuse(f"there is no collation {node.expression.name}", "NOCASE exists")
        if isinstance(node, exp.DataType) and node.this.name not in TYPES:
            _refuse(f"CAST to {node.this.name} is not allowed", "INTEGER, REAL and TEXT are")


def _known_function(name: str) -> None:
    if name.lower() not in FUNCTIONS:
        _refuse(f"the function {name} is not allowed", f"these are: {', '.join(sorted(FUNCTIONS))}")


def _check_tables(tree: "exp.Query", nodes: "Sequence[exp.Expr]", limits: Limits) -> None:
    from sqlglot import exp

    withs = _of(nodes, exp.With)
    if any(node.parent is not tree for node in withs):
        _refuse("a WITH stands inside a subquery", "put every CTE into one WITH at the start")
    ctes = list(withs[0].expressions) if withs else []
    names = [cte.alias.lower() for cte in ctes]
    taken = {*PUBLIC, *map(keyed, PUBLIC), NUMBERS}
    readable = (*PUBLIC, NUMBERS) if limits.hidden else tuple(PUBLIC)
    for number, name in enumerate(names):
        if name in taken or name in names[:number] or name.startswith("sqlite_"):
            _refuse(f"a CTE may not be called {name}", "give it a name of its own")
    for table in _of(nodes, exp.Table):
        within = table.find_ancestor(exp.CTE)
        visible = names if within is None else names[: next(i for i, cte in enumerate(ctes) if cte is within)]
        if not isinstance(table.this, exp.Identifier) or table.name.lower() not in (*readable, *visible):
            _refuse(f"there is no view {table.sql('sqlite')}", f"these exist: {', '.join((*readable, *visible))}")


def _check_columns(nodes: "Sequence[exp.Expr]", limits: Limits) -> None:
    from sqlglot import exp

    known = {column for columns in PUBLIC.values() for column in columns}
    if limits.hidden:
        known |= {"n", *(column for columns in HIDDEN.values() for column in columns)}
    made = {alias.alias.lower() for alias in _of(nodes, exp.Alias)}
    made |= {column.name.lower() for alias in _of(nodes, exp.TableAlias) for column in alias.columns}
    columns, named = _of(nodes, exp.Column), known | made
    for column in columns:
        if isinstance(column.this, exp.Star) or column.name.lower() in named:
            continue
        quoted = "; text goes into single quotes" if column.this.args.get("quoted") else ""
        _refuse(f"there is no column {column.name}{quoted}", _columns_of(nodes))
    for column in columns:
        # SQLite reads a quoted name that it does not find as text: unquoted, a wrong name is an error
        if column.name.lower() in known and isinstance(column.this, exp.Identifier):
            column.this.set("quoted", False)


def _columns_of(nodes: "Sequence[exp.Expr]") -> str:
    from sqlglot import exp

    read = dict.fromkeys(table.name.lower() for table in _of(nodes, exp.Table))
    shown = [f"{name}({', '.join(PUBLIC[name])})" for name in read if name in PUBLIC]
    return f"these exist: {'; '.join(shown) or ', '.join(PUBLIC)}"


def _check_size(nodes: "Sequence[exp.Expr]", limits: Limits) -> None:
    from sqlglot import exp

    joins = len(_of(nodes, exp.Join))
    if joins > limits.joins:
        _refuse(f"the statement has {joins} joins", f"at most {limits.joins} are run")


def _bound(tree: "exp.Query", rows: int) -> None:
    from sqlglot import exp

    limit = tree.args.get("limit")
    asked = limit.expression if limit is not None else None
    if asked is not None and not (isinstance(asked, exp.Literal) and asked.name.isdecimal()):
        _refuse("LIMIT is not a plain number", f"write LIMIT {rows}")
    if asked is None or int(asked.name) > rows:
        tree.set("limit", exp.Limit(expression=exp.Literal.number(rows + 1)))


def _read_keyed(nodes: "Sequence[exp.Expr]") -> None:
    from sqlglot import exp

    for table in _of(nodes, exp.Table):
        name = table.name.lower()
        if name in HIDDEN and name != HITS:
            table.set("alias", table.args.get("alias") or exp.TableAlias(this=exp.to_identifier(name)))
            table.set("this", exp.to_identifier(keyed(name)))


def _text(tree: "exp.Query") -> str:
    from sqlglot.errors import ErrorLevel

    return tree.sql(dialect="sqlite", comments=False, unsupported_level=ErrorLevel.RAISE, copy=False)


def _first_line(error: Exception) -> str:
    lines: Iterable[str] = str(error).splitlines()
    return next(iter(lines), type(error).__name__)


def _refuse(why: str, instead: str) -> NoReturn:
    raise SqlRefused(f"{why}; {instead}")
