"""What a chat shows: stages, the answer with its moments, the evidence as a table, a refusal with its counts.

Everything that was not typed by us is sanitised and drawn as Text, never read as markup.
"""

import re
import sys
from collections.abc import Iterable, Sequence
from typing import Any, TextIO

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from agent.front.render import refusal_lines
from agent.reply import Citation, Reply
from store.clock import clock, start_ms
from tools.sanitize import one_line, sanitize

MOST_ROWS = 8
_PIPE_WIDTH = 120
_MARK = re.compile(r"\[(\d+)\]")


class Screen:
    """Results on one stream, narration on another; plain lines where neither is a terminal."""

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self._out = _console(out or sys.stdout)
        self._err = _console(err or sys.stderr)

    def stage(self, name: str, text: str, seconds: float) -> None:
        """Show one stage that has just happened."""
        line = Text.assemble((f"  {one_line(name):<9}", "cyan"), one_line(text), (f"  {seconds * 1000:.0f} ms", "dim"))
        self._err.print(line, no_wrap=True, overflow="ellipsis")

    def note(self, text: str) -> None:
        """Show a line of narration."""
        self._err.print(Text(sanitize(text), style="dim"))

    def warn(self, text: str) -> None:
        """Show what went wrong, in one line."""
        self._err.print(Text(one_line(text), style="red"))

    def text(self, text: str) -> None:
        """Show a text as a result."""
        self._out.print(Text(sanitize(text)))

    def table(self, titles: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
        """Show rows as a table."""
        table = Table(box=None, pad_edge=False, header_style="dim")
        for title in titles:
            table.add_column(Text(one_line(title)), overflow="fold")
        for row in rows:
            table.add_row(*(Text(one_line("" if cell is None else str(cell))) for cell in row))
        self._out.print(table)

    def reply(self, reply: Reply) -> None:
        """Show a reply: the answer, its evidence, a refusal's proof, caveats and what it took."""
        for part in _parts(reply):
            self._out.print(part)
        if reply.citations:
            self.evidence(reply.citations)
        if reply.refusal is not None:
            for line in refusal_lines(reply.refusal):
                self.text(f"  {line}")
        for caveat in reply.caveats:
            self.note(f"note: {caveat}")
        took = f"{reply.usage.seconds:.2f} s"
        self.note(f"{reply.status}, {reply.answer_kind} by {reply.by}, confidence {reply.confidence:.2f}, {took}")

    def evidence(self, citations: Sequence[Citation]) -> None:
        """Show the rows that an answer stands on."""
        rows = [
            (f"[{c.n}]", f"{_clock(c.start)}-{_clock(c.end)}", c.speaker, c.stream, c.quote)
            for c in citations[:MOST_ROWS]
        ]
        self.table(("", "when", "who", "stream", "evidence"), rows)
        if len(citations) > MOST_ROWS:
            self.note(f"and {len(citations) - MOST_ROWS} more rows")


def moments(text: str, citations: Sequence[Citation]) -> str:
    """Give an answer whose marks [n] are the moments they stand for: [12:34 Ada]."""
    by_number = {citation.n: citation for citation in citations}

    def moment(mark: re.Match[str]) -> str:
        citation = by_number.get(int(mark[1]))
        return (
            mark[0] if citation is None else f"[{' '.join(filter(None, (_clock(citation.start), citation.speaker)))}]"
        )

    return _MARK.sub(moment, text)


def _parts(reply: Reply) -> list[RenderableType]:
    style = {"answered": "bold", "refused": "yellow", "not_found": "yellow", "failed": "red"}[reply.status]
    told = reply.answer or (reply.error.message if reply.error else "")
    return [Text(sanitize(moments(told, reply.citations)), style=style)]


def _clock(seconds: float) -> str:
    return clock(start_ms(float(seconds)))


def _console(stream: TextIO) -> Console:
    width = None if stream.isatty() else _PIPE_WIDTH
    return Console(file=stream, markup=False, emoji=False, highlight=False, width=width, soft_wrap=False)
