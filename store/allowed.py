"""What a statement may be made of: everything else is refused, because lists of forbidden things are never complete.

Functions by SQLite's names; nodes and their arguments by sqlglot's. Functions that sqlglot knows are nodes too.
"""

from collections.abc import Mapping


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


FUNCTIONS = _words("""
    abs avg ceil ceiling coalesce count cume_dist date datetime dense_rank first_value floor format glob group_concat
    ifnull iif instr julianday lag last_value lead length like lower ltrim max min nth_value ntile nullif percent_rank
    pow power printf rank replace round row_number rtrim sign sqrt strftime substr substring sum time total trim
    typeof unixepoch upper
""")
NODES = _words("""
    Select Union Intersect Except Subquery Paren With CTE TableAlias Alias From Join Where Group Having Order Ordered
    Limit Offset Distinct Table Column Identifier Star Literal Null Boolean Neg Not And Or EQ NEQ GT GTE LT LTE Is
    NullSafeEQ NullSafeNEQ In Between Like Glob Escape Exists Add Sub Mul Div Mod DPipe Case If Cast DataType
    DataTypeParam Collate Tuple Var Window WindowSpec Filter
    Abs Avg Ceil Coalesce Count CumeDist Date DenseRank FirstValue Floor Format GroupConcat Greatest Lag LastValue Lead
    Least Length Lower Max Min NthValue Ntile Nullif PercentRank Pow Rank Replace Round RowNumber Sign Sqrt StrPosition
    Substring Sum TimeToStr Trim TsOrDsToTimestamp Typeof Upper
""")
ARGUMENTS: Mapping[str, frozenset[str]] = {
    "Select": _words("with_ expressions distinct from_ joins where group having order limit offset windows"),
    "Table": _words("this alias"),
    "In": _words("this expressions query"),
    "With": _words("expressions"),
    "CTE": _words("this alias materialized"),
    "Limit": _words("expression"),
    "Distinct": _words("expressions"),
    "Subquery": _words("this alias"),
    "Cast": _words("this to"),
    "Join": _words("this on using side kind method"),
}
COLLATIONS = _words("nocase binary rtrim")
TYPES = _words("INT INTEGER BIGINT SMALLINT TINYINT TEXT VARCHAR CHAR FLOAT DOUBLE REAL DECIMAL NUMERIC BOOLEAN")
