"""What a corrected file does not say of a row stays as it was: words, scores, languages, spreads, voices.

A cue whose text was corrected keeps the times of its words when it has as many as before.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from store.record import Emotion, Event, Row, Segment, Span, Turn, Word
from tools.timeline import Timeline

_NEAR = 1e-6  # exports write six digits


def kept(new: Sequence[Row], old: Sequence[Row]) -> list[Row]:
    """Give the rows of a file completed by those they correct, in order of time."""
    theirs = {(_said(row), _speaker(row)): row for row in old}
    anyones = {_said(row): row for row in old}
    spans = Counter((row.t0, row.t1) for row in old)
    placed = {(row.t0, row.t1): row for row in old if spans[row.t0, row.t1] == 1}
    found = []
    for row in _voiced(new, old):
        before = theirs.get((_said(row), _speaker(row))) or anyones.get(_said(row))
        found.append(_corrected(row, placed.get((row.t0, row.t1))) if before is None else _unchanged(row, before))
    return sorted(found, key=_order)


def same(one: Sequence[Row], other: Sequence[Row]) -> bool:
    """Say whether two versions hold the same rows, in whatever order equal times stand."""
    return len(one) == len(other) and sorted(one, key=_order) == sorted(other, key=_order)


def _order(row: Row) -> tuple[int, int, str]:
    return row.t0, row.t1, repr(row)


def _said(row: Row) -> tuple[int, int, str]:
    return row.t0, row.t1, row.text if isinstance(row, Segment) else "" if isinstance(row, Turn) else row.label


def _speaker(row: Row) -> str | None:
    return None if isinstance(row, Event) else row.speaker


def _voiced(new: Sequence[Row], old: Sequence[Row]) -> Sequence[Row]:
    """Give a transcript that names nobody the voices of the one it corrects, by the time they share."""
    said = [row for row in new if isinstance(row, Segment)]
    if not said or any(row.speaker for row in said):
        return new
    timeline = Timeline(Turn(row.t0, row.t1, row.speaker) for row in old if isinstance(row, Segment) and row.speaker)
    return [replace(row, speaker=timeline.voice(Span(row.t0, row.t1))) for row in said]


def _unchanged(row: Row, old: Row) -> Row:
    """Give an old row with what the file says otherwise of it: the voice, other words, another score."""
    match row, old:
        case Segment(), Segment():
            words = row.words if row.words and not _alike(row.words, old.words) else old.words
            return replace(old, speaker=row.speaker, words=words)
        case Turn(), Turn():
            return replace(old, speaker=row.speaker) if row.score is None or _near(row.score, old.score) else row
        case Emotion(), Emotion():
            voice = row.speaker or old.speaker
            return replace(old if _near(row.score, old.score) else replace(row, scores=old.scores), speaker=voice)
        case Event(), Event():
            return old if _near(row.score, old.score) else row
        case _:
            return row


def _corrected(row: Row, old: Row | None) -> Row:
    """Give a row of another text or label than the old one in its place."""
    if not isinstance(row, Segment) or not isinstance(old, Segment):
        return row
    language = old.language or row.language
    if row.words and not _alike(row.words, old.words):
        return replace(row, language=language)
    said = row.text.split()
    if len(said) != len(old.words):
        return replace(row, language=language, words=())
    words = tuple(_reworded(word, text) for word, text in zip(old.words, said, strict=True))
    return replace(row, language=language, words=words)


def _reworded(word: Word, text: str) -> Word:
    return word if word.text == text else replace(word, text=text, score=None)


def _alike(one: Sequence[Word], other: Sequence[Word]) -> bool:
    return [(word.t0, word.t1, word.text) for word in one] == [(word.t0, word.t1, word.text) for word in other]


def _near(one: float, other: float | None) -> bool:
    return other is not None and abs(one - other) < _NEAR
