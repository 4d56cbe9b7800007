"""What a plan brought back: rows that can be cited, their true number, and the value SQL computed from them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from store.record import Span, StreamKind


@dataclass(frozen=True, slots=True)
class EvidenceRow:
    """One row of a stream: `recording` is the public id, `speaker` the display name; times in milliseconds.

    `onward` are the rows in which this voice goes on, where what was looked for runs over the border.
    """

    stream: StreamKind
    id: int
    recording: str
    t0: int
    t1: int
    speaker: str | None = None
    text: str | None = None
    label: str | None = None
    score: float | None = None
    partners: tuple["EvidenceRow", ...] = ()
    onward: tuple["EvidenceRow", ...] = ()

    @property
    def span(self) -> Span:
        """The row's stretch of time."""
        return Span(self.t0, self.t1)

    @property
    def said(self) -> str:
        """The row's text, with what goes on from it."""
        return " ".join(row.text for row in (self, *self.onward) if row.text)


def excerpt(text: str, most: int) -> str:
    """Give a text's first `most` characters, cut between words; the whole where it is no longer."""
    plain = text.strip()
    return plain if len(plain) <= most else plain[:most].rsplit(" ", 1)[0] + " …"


@dataclass(frozen=True, slots=True)
class Group:
    """One line of a grouped or aggregated result: durations in milliseconds, times as [t0, t1].

    `recording` is the public id where the line is a place: a slice of time, a gap, a first row.
    """

    key: str | None
    value: Any
    recording: str | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """The result of one plan: `total` counts all anchors found, of which `rows` may be the first ones.

    `found` counts the rows of each call by itself, by the call's id. Where a second call is compared, the first
    `compared` of `rows` are the anchor's. `beyond` counts groups that a cap left
    out. `lengths` gives the recordings' milliseconds by public id.
    """

    rows: tuple[EvidenceRow, ...]
    total: int
    groups: tuple[Group, ...] = ()
    sql: tuple[str, ...] = ()
    milliseconds: float = 0.0
    caveats: tuple[str, ...] = ()
    found: Mapping[str, int] = field(default_factory=dict)
    compared: int | None = None
    beyond: int = 0
    lengths: Mapping[str, int] = field(default_factory=dict)

    @property
    def results(self) -> int:
        """The true number of groups up to the limit that was asked for, listed or not."""
        return len(self.groups) + self.beyond
