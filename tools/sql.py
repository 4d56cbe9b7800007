"""SQL that a model writes, for what a plan cannot say: same fence, same scope, the keywords looked up before."""

from typing import Any

from pydantic import Field

from store.fence import Result
from store.views import schema
from tools.stream import Strict


class QuerySql(Strict):
    """Run one SELECT over the views of this question's recordings; keywords are looked up first, into keyword_hit."""

    sql: str = Field(max_length=4096, description="one SELECT in SQLite's dialect")
    keywords: list[str] = Field(default_factory=list, max_length=24, description="terms to find in keyword_hit.term")


def views() -> str:
    """Write the views and their columns as a model is told them, one a line."""
    return schema()


def table(result: Result, most: int = 50) -> dict[str, Any]:
    """Give a result as it goes back to a model: columns, the first rows, and whether there are more."""
    more = result.truncated or len(result.rows) > most
    return {"columns": list(result.columns), "rows": [list(row) for row in result.rows[:most]], "more": more}
