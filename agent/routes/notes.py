"""Notes on stretches: sentences with the rows they stand on. A model cites notes; whoever asked is shown the rows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.brains.protocol import Answered
from agent.graph.ground import Ground
from agent.graph.grounded import standing
from agent.graph.sentences import MARK, sentences
from tools.evidence import EvidenceRow


@dataclass(frozen=True, slots=True)
class Note:
    """One sentence without marks, and the rows it stands on."""

    text: str
    rows: tuple[EvidenceRow, ...]


def held(answered: Answered, rows: Sequence[EvidenceRow], base: Ground) -> list[Note]:
    """Give the sentences of a model's notes with the rows they cite, without what these disprove.

    What only looks doubtful is kept, since what was decided is often said in two words; the answer that is put together
    from notes is held against the rows again.
    """
    marks = {n: rows[place] for n, place in enumerate(answered.cited, 1) if 0 <= place < len(rows)}
    return [Note(text, cited) for text, cited in standing(answered.text, marks, base)]


def as_rows(notes: Sequence[Note]) -> tuple[EvidenceRow, ...]:
    """Give notes as rows for a prompt; a row's id is the note's place."""
    return tuple(
        EvidenceRow(
            "transcript", place, note.rows[0].recording,
            min(row.t0 for row in note.rows), max(row.t1 for row in note.rows), None, note.text,
        )
        for place, note in enumerate(notes)
    )  # fmt: skip


def stood_on(notes: Sequence[Note]) -> tuple[EvidenceRow, ...]:
    """Give the rows that notes stand on, each once, in order of time."""
    rows = {(row.stream, row.id): row for note in notes for row in note.rows}
    return tuple(sorted(rows.values(), key=lambda row: (row.recording, row.t0, row.id)))


def in_rows(answered: Answered, notes: Sequence[Note], rows: Sequence[EvidenceRow]) -> Answered:
    """Give an answer that cites notes as one that cites these rows."""
    places = {(row.stream, row.id): place for place, row in enumerate(rows)}
    cited: dict[int, None] = {}
    marks: dict[int, list[int]] = {}
    for mark, place in enumerate(answered.cited, 1):
        own = [places[row.stream, row.id] for row in notes[place].rows] if 0 <= place < len(notes) else []
        cited.update(dict.fromkeys(own))
        marks[mark] = [list(cited).index(place) + 1 for place in own]
    text = MARK.sub(lambda found: "".join(f" [{n}]" for n in marks.get(int(found[1]), [])), answered.text)
    return replace(answered, text=text, cited=tuple(cited))


def as_notes(answered: Answered, notes: Sequence[Note]) -> list[Note]:
    """Give an answer that cites notes as fewer notes, each on the rows of those it cites."""
    found = []
    for sentence in sentences(answered.text):
        places = [answered.cited[mark - 1] for mark in sentence.marks if 1 <= mark <= len(answered.cited)]
        rows = dict.fromkeys(row for place in places if 0 <= place < len(notes) for row in notes[place].rows)
        if rows:
            found.append(Note(sentence.text, tuple(rows)))
    return found


def said(notes: Sequence[Note]) -> Answered:
    """Give the notes themselves as an answer that cites notes."""
    text = " ".join(f"{note.text.rstrip('.')} [{n}]." for n, note in enumerate(notes, 1))
    value = " ".join(note.text for note in notes)
    return Answered(text, value, tuple(range(len(notes))), "generated")
