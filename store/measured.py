"""What was measured for an emotion row, a number a name: the names are kept once with the version, the numbers packed.

Rows of one version mostly have the same names, which would take more room than all their numbers.
"""

import json
import sqlite3
from collections.abc import Mapping

from store.packing import coded, decoded, pack, unpack


class Names:
    """The sets of names that the rows of one version have, each with its number; a new one is written when seen."""

    def __init__(self, connection: sqlite3.Connection, stream_id: int) -> None:
        self._connection, self._stream_id = connection, stream_id
        rows = connection.execute("SELECT names, n FROM measured WHERE stream_id = ?", (stream_id,))
        self._numbers: dict[tuple[str, ...], int] = {tuple(json.loads(names)): n for names, n in rows}
        self._names = {n: names for names, n in self._numbers.items()}

    def packed(self, scores: Mapping[str, float]) -> bytes | None:
        """Give the cell of a row; None when nothing was measured."""
        if not scores:
            return None
        names = tuple(sorted(scores))
        return pack([self._number(names), *(coded(scores[name]) for name in names)])

    def unpacked(self, cell: bytes | None) -> dict[str, float]:
        """Give what was measured for a row, in order of the names."""
        if cell is None:
            return {}
        number, *values = unpack(cell)
        return {name: decoded(value) or 0.0 for name, value in zip(self._names[number], values, strict=True)}

    def _number(self, names: tuple[str, ...]) -> int:
        if names not in self._numbers:
            number = len(self._numbers)
            self._connection.execute(
                "INSERT INTO measured VALUES(?, ?, ?)",
                (self._stream_id, number, json.dumps(names, ensure_ascii=False)),
            )
            self._numbers[names], self._names[number] = number, names
        return self._numbers[names]
