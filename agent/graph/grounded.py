"""A generated answer cut down to what stands on rows: every sentence that is left cites a row."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from unicodedata import normalize

from agent.graph.ground import TIME, Ground, flat, trimmed
from agent.graph.sentences import Sentence, bare, renumbered, sentences
from agent.graph.state import Desk
from agent.graph.topic import meant
from store.catalog import Voice
from store.clock import clock_time
from tools.evidence import Evidence, EvidenceRow
from tools.families import value
from tools.plan import Plan

NOTE = "(not supported)"
# Languages that write every noun with a capital, so that a capital says nothing about names.
_CAPITALS = ("de", "lb")


@dataclass(frozen=True, slots=True)
class Grounded:
    """What is left of an answer: `text` with marks from [1], `sure` without the noted sentences, the rows in order."""

    text: str
    sure: str
    rows: tuple[EvidenceRow, ...]
    caveats: tuple[str, ...]
    computed: tuple[float, ...] = ()


def grounded(text: str, cited: Mapping[int, EvidenceRow], base: Ground) -> Grounded:
    """Check each sentence of a text whose marks [n] name the rows of `cited`; nothing left gives an empty text."""
    rows = dict(cited)
    checked = [_checked(sentence, rows, base) for sentence in sentences(text)]
    kept = [(sentence, sure) for sentence, sure, _ in checked if sentence is not None]
    if not any(sure for _, sure in kept):
        kept = []
    order = list(dict.fromkeys(mark for sentence, _ in kept for mark in sentence.marks if mark in rows))
    places = {mark: place for place, mark in enumerate(order, 1)}
    written = [renumbered(sentence.raw, places).strip() for sentence, _ in kept]
    sure = [renumbered(sentence.raw, places).strip() for sentence, sure in kept if sure]
    return Grounded(
        text=" ".join(written),
        sure=" ".join(sure),
        rows=_with_partners([rows[mark] for mark in order]),
        caveats=tuple(_caveats(len(checked) - len(kept), len(kept) - len(sure), any(cut for *_, cut in checked))),
        computed=tuple(base.computed),
    )


def standing(text: str, cited: Mapping[int, EvidenceRow], base: Ground) -> list[tuple[str, tuple[EvidenceRow, ...]]]:
    """Give each sentence of a text that its rows do not disprove, without marks, with these rows.

    Sentences that are only doubtful are among them: whoever writes on from them is held against the rows once more. A
    figure that was said shortly before or after brings its row along.
    """
    rows = dict(cited)
    found = []
    for sentence in sentences(text):
        kept, sure, _ = _checked(_with_figures(sentence, rows, base), rows, base)
        if kept is not None:
            said = kept if sure else Sentence(kept.raw.replace(f" {NOTE}", ""))
            found.append((said.text, tuple(rows[mark] for mark in said.marks if mark in rows)))
    return found


def ground(desk: Desk, plan: Plan, evidence: Evidence) -> Ground:
    """Give what the sentences of this question's answer may stand on besides the rows they cite."""
    found = value(plan, evidence)
    figures = [*_figures(found), *(f for group in evidence.groups for f in _figures(group.value)), evidence.total]
    spans = [call.query.start for call in plan.calls] + [call.query.end for call in plan.calls]
    asked = [float(clock_time(word)) for word in TIME.findall(desk.question.text)]
    return Ground(
        people=[_forms(voice.display, (voice.label, *voice.aliases)) for voice in _voices(desk)],
        computed=[*figures, *(figure / 60 for figure in figures), *(figure * 100 for figure in figures)],
        times=[*(span for span in spans if span is not None), *asked],
        question=desk.question.text,
        capitals=all(entry.recording.language not in _CAPITALS for entry in desk.catalog.recordings),
        spare=evidence.rows,
        asked=meant(plan, desk.catalog),
    )


def _with_figures(sentence: Sentence, rows: dict[int, EvidenceRow], base: Ground) -> Sentence:
    """Give a sentence with the marks of rows that hold its figures where those it cites do not."""
    mine = [rows[mark] for mark in sentence.marks if mark in rows]
    for row in base.beside(bare(sentence.text), mine) if mine else ():
        mark = next((mark for mark, known in rows.items() if known == row), max(rows) + 1)
        rows[mark] = row
        sentence = sentence.marked(f"[{mark}]")
    return sentence


def _checked(sentence: Sentence, rows: dict[int, EvidenceRow], base: Ground) -> tuple[Sentence | None, bool, bool]:
    """Give a sentence as it can stand (None: not at all), whether it is sure, and whether a quote was cut."""
    marks = [mark for mark in sentence.marks if mark in rows]
    mine = [rows[mark] for mark in marks]
    near = mine or [*rows.values(), *base.spare]
    cut = trimmed(sentence.raw, [row.text for row in flat(near) if row.text])
    if cut is None:
        return None, False, False
    changed, sentence = cut != sentence.raw, Sentence(cut)
    if not mine:
        return _attached(sentence, rows, base, changed)
    match base.verdict(bare(sentence.text), mine):
        case "unsupported":
            return None, False, False
        case "doubtful":
            return sentence.marked(NOTE), False, changed
    return sentence, True, changed


def _attached(
    sentence: Sentence, rows: dict[int, EvidenceRow], base: Ground, changed: bool
) -> tuple[Sentence | None, bool, bool]:
    """Give a sentence that cites nothing the mark of the row it stands on; a cited row if it can."""
    row = base.best(sentence.text, [*rows.values()]) or base.best(sentence.text, base.spare)
    if row is None or not sentence.finished:
        return None, False, False
    mark = next((mark for mark, known in rows.items() if known == row), max(rows, default=0) + 1)
    rows[mark] = row
    return sentence.marked(f"[{mark}]"), True, changed


def _caveats(left_out: int, noted: int, cut: bool) -> Iterator[str]:
    if left_out:
        yield f"sentences that no row supports were left out: {left_out}"
    if noted:
        yield f"sentences marked as not supported by the rows they cite: {noted}"
    if cut:
        yield "a quote was cut down to what is there"


def _with_partners(rows: Sequence[EvidenceRow]) -> tuple[EvidenceRow, ...]:
    known = {(row.stream, row.id) for row in rows}
    firsts = {(p.stream, p.id): p for row in rows for p in row.partners[:1] if (p.stream, p.id) not in known}
    return (*rows, *firsts.values())


def _figures(found: Any) -> list[float]:
    if isinstance(found, int | float) and not isinstance(found, bool):
        return [float(found)]
    return [figure for item in found for figure in _figures(item)] if isinstance(found, list | tuple) else []


def _voices(desk: Desk) -> Iterator[Voice]:
    for entry in desk.catalog.recordings:
        yield from entry.voices


def _forms(display: str, others: Sequence[str]) -> frozenset[str]:
    """Give the ways a voice is named: all its names, and the first word of a name of several.

    Sentences have accents in one with their letters, as rows and their voices may not.
    """
    first = display.split()[0] if " " in display else display
    known = {display, first, *others} - {""}
    return frozenset(known | {normalize("NFC", name) for name in known})
