"""What people see of rows and replies. Text of recordings is data: sanitised, laid out as Text, never as markup."""

import io
import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from agent.front import output
from store.clock import clock
from tools.sanitize import one_line, sanitize

if TYPE_CHECKING:
    from agent.reply import Citation, Refusal, Reply

PIPED_WIDTH = 200


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Print a table to stdout; cells are shown literally, on one line each where the width allows."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    live = sys.stdout.isatty()
    width = shutil.get_terminal_size().columns if live else PIPED_WIDTH
    canvas = io.StringIO()  # Rich writing to a pipe that was closed would end the program with its own exit code
    console = Console(file=canvas, width=width, force_terminal=live, markup=False, emoji=False, highlight=False)
    grid = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for column in columns:
        grid.add_column(Text(column), overflow="fold")
    for row in rows:
        grid.add_row(*(Text(cell(value)) for value in row))
    console.print(grid)
    output.drawn(canvas.getvalue())


def cell(value: object) -> str:
    """Give a value as one line of text: nothing for None, floats without a tail."""
    if value is None:
        return ""
    return repr(round(value, 6)).removesuffix(".0") if isinstance(value, float) else one_line(str(value))


def shown(reply: "Reply") -> "Reply":
    """Give a reply as any front may show it: without secrets in what is not the answer, which quotes people."""
    from agent.reply import Reply
    from store.redact import redacted

    said = {"value", "citations"} | ({"answer"} if reply.status == "answered" else set())
    parts = reply.model_dump(mode="json")
    return Reply.model_validate({name: part if name in said else redacted(part) for name, part in parts.items()})


def reply_text(reply: "Reply", *, several: bool = False) -> str:
    """Give a reply as people read it: the answer, its citations, why it was refused, what to know.

    Citations name their recording where `several` were asked, or are cited.
    """
    reply = shown(reply)
    lines = [sanitize(reply.answer)]
    many = several or len({citation.recording for citation in reply.citations}) > 1
    lines += [f"  {citation_text(citation, many)}" for citation in reply.citations]
    if reply.refusal is not None:
        lines += [f"  {line}" for line in refusal_lines(reply.refusal)]
    if reply.error is not None and one_line(reply.error.message) not in lines[0]:
        lines.append(f"  {reply.error.kind}: {one_line(reply.error.message)}")
    lines += [f"  note: {one_line(caveat)}" for caveat in reply.caveats]
    lines += [f"  by {one_line(reply.by)}"] if reply.usage.model else []
    return "\n".join(line for line in lines if line.strip())


def citation_text(citation: "Citation", with_recording: bool = False) -> str:
    """Give `[12:34 Ada] "quote"`; what code could not find in the rows is marked."""
    who = f" {one_line(citation.speaker)}" if citation.speaker else ""
    where = f" {one_line(citation.recording)}" if with_recording else ""
    quote = f" {one_line(citation.quote)}" if citation.quote else f" until {clock(round(citation.end * 1000))}"
    if citation.quote and citation.stream == "transcript":
        quote = f' "{one_line(citation.quote)}"'
    return f"[{clock(round(citation.start * 1000))}{who}{where}]{quote}{'' if citation.verified else ' (unverified)'}"


def refusal_lines(refusal: "Refusal") -> list[str]:
    """Give the proof: rows found with all constraints and with each dropped, then what does exist."""
    lines = []
    if refusal.counts:
        found = (f"{one_line(name)} {count}" for name, count in refusal.counts.items())
        lines.append(f"rows found: {', '.join(found)}")
    if refusal.coverage:
        lines.append(f"coverage: {_covered(refusal.coverage)}")
    several = len({entry.get("recording") for entry in refusal.alternatives} - {None}) > 1
    named = [one_line(str(entry["speaker"])) for entry in refusal.alternatives if set(entry) == {"speaker"}]
    others = [entry for entry in refusal.alternatives if set(entry) != {"speaker"}]
    lines += [f"instead: {_listed(entry, several)}" for entry in others]
    return lines + ([f"who speaks: {', '.join(named)}"] if named else [])


def _covered(coverage: dict[str, Any]) -> str:
    """Give how much was heard, in words where it is of one speaker."""
    if not {"speaker", "seconds", "turns", "poorly_heard_seconds"} <= set(coverage):
        return _listed(coverage, several=True)
    seconds, poorly = round(coverage["seconds"], 1), round(coverage["poorly_heard_seconds"], 1)
    heard = f"{cell(seconds)} s in {coverage['turns']} turns, {cell(poorly)} s of it poorly"
    return f"{one_line(str(coverage['speaker']))} was heard for {heard if seconds else '0 s'}"


def _listed(entry: dict[str, Any], several: bool) -> str:
    """Give one alternative: its time and speaker as a citation's, its text as a quote, the rest by name."""
    rest = dict(entry)
    start, who, text = rest.pop("start", None), rest.pop("speaker", None), rest.pop("quote", rest.pop("text", None))
    placed = f"{clock(round(start * 1000))} " if isinstance(start, int | float) else ""
    head = f"[{placed}{one_line(str(who or ''))}".rstrip() + "]" if placed or who else ""
    said = f'"{one_line(str(text))}"' if text else ""
    if placed:
        rest.pop("end", None)
    if not several:
        rest.pop("recording", None)
    kind = f"({one_line(str(rest.pop('kind')))})" if rest.get("kind") else ""
    others = ", ".join(
        f"{one_line(name).replace('_', ' ')} {cell(value)}" for name, value in rest.items() if value is not None
    )
    return " ".join(part for part in (head, said, kind, others) if part)
