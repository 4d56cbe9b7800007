"""The scorer of a gold statement: the value is what the statement gives, run on the same rows behind the same fence."""

from collections.abc import Sequence
from typing import Any

import sqlglot
from pydantic import field_validator

from agent.evals.suites.scorers.scorer import RIGHT, Mark, Scorer, Seen, Words, instead
from agent.evals.suites.scorers.values import Tolerance, alike
from store.errors import SqlRefused
from store.guard import MODEL, check
from tools.canonical import to_json


class SqlResult(Scorer):
    """The value equals the rows of this SELECT over the views of `sql --schema`.

    One row of one column is a value, one column a list, several a list of rows; without ORDER BY in any order.
    """

    target: Words
    tolerance: Tolerance = 0.0

    @field_validator("target")
    @classmethod
    def _may_run(cls, target: str) -> str:
        try:
            check(target, MODEL)
        except SqlRefused as refusal:
            raise ValueError(f"the statement may not run: {refusal}") from refusal
        return target

    def mark(self, seen: Seen) -> Mark:
        """Run the statement and compare."""
        if seen.rows is None:
            return Mark(0.0, "the statement can be run on one recording of the library only")
        try:
            rows = seen.rows(self.target)
        except SqlRefused as refusal:
            return Mark(0.0, f"the statement could not be run: {refusal}")
        if not rows or rows == [(None,)]:
            return Mark(0.0, "the statement finds nothing, so it proves nothing")
        given, wanted = seen.reply.value, value(rows)
        ordered = sqlglot.parse_one(self.target, dialect="sqlite").args.get("order") is not None
        if not ordered and isinstance(given, list) and isinstance(wanted, list):
            given, wanted = sorted(given, key=to_json), sorted(wanted, key=to_json)
        same = alike(given, wanted, self.tolerance) or alike(given, [wanted], self.tolerance)
        return RIGHT if same else instead(seen.reply.value, wanted)


def value(rows: Sequence[Sequence[Any]]) -> Any:
    """Give rows as a reply's value would hold them."""
    if any(len(row) > 1 for row in rows):
        return [list(row) for row in rows]
    flat = [row[0] for row in rows]
    return flat[0] if len(flat) == 1 else flat
