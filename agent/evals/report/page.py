"""EVALUATION.md: bars first, then each column by itself, and at the end what was left out and why.

Nothing in it depends on when or how fast it was measured.
"""

from collections.abc import Iterator, Sequence

from agent.evals.report import markdown, peers
from agent.evals.report.chapter import Section, checks
from agent.evals.report.found import Check, Table
from agent.evals.report.part import COLUMNS, Column, Measured

TITLE = """\
# Evaluation

Made by `{command}`; do not edit. Three columns that are never mixed:

- **Rows given**: made worlds whose rows are written straight into the store. Tests everything after hearing, over any
  length, with answers known by construction. Its figures are not comparable with anybody's figures on audio.
- **Made audio**: recordings that were put together (read or synthetic speech, real sounds) and heard by the default
  models. Answers are known by construction.
- **Real audio or real diarization**: recordings of real meetings and shows, or what people wrote down of them.

Intervals are 95 %, by a bootstrap over worlds or meetings (over items where there are fewer than five; 10,000 rounds,
seed 2026) or Wilson's for shares. RS(c) is 100 times the mean of: right answer or right abstention 1, abstaining on
what can be answered 0, a wrong answer, or any answer to what cannot be answered, -c; N is the number of items. A
reply without the asked form scores 0. Brain: the rules, no model. How fast it is, `make bench` says; no seconds are
on this page, so that equal runs give equal pages.
"""
SAYS: dict[Column, str] = {
    "rows given": "",
    "made audio": "Beside these stand the paper's figures, with what is and is not comparable.",
    "real audio or real diarization": "",
}


def page(command: str, measured: Sequence[Measured], sections: Sequence[Section]) -> str:
    """Write the page."""
    return "\n".join(_lines(command, measured, sections)).rstrip("\n") + "\n"


def _lines(command: str, measured: Sequence[Measured], sections: Sequence[Section]) -> Iterator[str]:
    yield TITLE.format(command=command)
    for column in COLUMNS:
        of_column = [one for one in sections if one.column == column]
        yield f"## {column[0].upper()}{column[1:]}\n"
        if SAYS[column]:
            yield f"{SAYS[column]}\n"
        if not of_column:
            yield "Nothing of it was measured; why, stands at the end.\n"
        yield from _bars(checks(of_column))
        for section in of_column:
            yield from _section(section)
        for table in _peers(column, measured, of_column):
            yield from markdown.table(table, 3)
    yield from _left_out(measured)


def _bars(found: Sequence[Check]) -> Iterator[str]:
    asked = [one for one in found if one.bar is not None]
    if asked:
        held = sum(one.verdict == "held" for one in asked)
        yield f"### Bars: {held} of {len(asked)} held\n"
        yield from markdown.bars(asked)
        yield ""


def _section(section: Section) -> Iterator[str]:
    yield f"### {section.title}\n"
    for part in section.parts:
        yield f"    {part.line}"
    yield ""
    notes = (section.found.settings, *(part.note for part in section.parts))
    if told := " ".join(f"{note[0].upper()}{note[1:].rstrip('.')}." for note in notes if note):
        yield f"{told}\n"
    for table in section.found.tables:
        yield from markdown.table(table)
    if any(one.bar is None for one in section.found.checks):
        yield from markdown.figures(section.found.checks)
        yield ""


def _peers(column: Column, measured: Sequence[Measured], sections: Sequence[Section]) -> Iterator[Table]:
    if column == "made audio":
        yield peers.paper([record for one in measured if one.part.role == "audio" for record in one.records])
    if column == "real audio or real diarization":
        first = {one.name: one.value for one in checks(sections)}
        ours = {kind: first[name] for kind in peers.KINDS if (name := f"QMSum {kind}: R@1") in first}
        if ours:
            yield peers.transcribe(ours)


def _left_out(measured: Sequence[Measured]) -> Iterator[str]:
    gone = [one for one in measured if one.left_out]
    yield "## Left out\n"
    if not gone:
        yield "Nothing.\n"
        return
    rows = [
        (p.title, p.column, one.left_out, "-" if not p.command else f"`{p.line}`") for one in gone for p in [one.part]
    ]
    yield from markdown.grid(("what", "column", "why", "command"), rows)
