"""One correction, all streams: when a person says who spoke in one stream, the others follow, so that none contradicts.

A voice that a correction renames throughout is renamed throughout. Else only the stretches that were corrected follow:
the old voice's turns inside a cue go to the cue's new voice, and rows take the new voice of turns that changed.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from store.record import Emotion, Row, Segment, Span, StreamKind, Turn
from tools.imports import naming
from tools.imports.kept import same
from tools.timeline import Timeline, foremost

Streams = Mapping[StreamKind, Sequence[Row]]
Voiced = TypeVar("Voiced", Segment, Emotion)


def following(before: Streams, changed: Streams, from_text: bool) -> dict[StreamKind, list[Row]]:
    """Give the streams that must follow those a file changed; `from_text`: turns are the voices of the text."""
    said, heard = _segments(before), _turns(before)
    found: dict[StreamKind, list[Row]] = {}
    if "speaker" in changed:
        turns = _turns(changed)
        if "transcript" in before and "transcript" not in changed:
            found["transcript"] = list(rows_of(said, heard, turns))
    elif "transcript" in changed:
        after = _segments(changed)
        turns = naming.voices(after) if from_text else turns_of(heard, said, after)
        found["speaker"] = list(turns)
    else:
        return {}
    if "emotion" in before and "emotion" not in changed:
        felt = [row for row in before["emotion"] if isinstance(row, Emotion)]
        found["emotion"] = list(rows_of(felt, heard, turns))
    return {kind: rows for kind, rows in found.items() if not same(rows, before.get(kind, ()))}


def renamed(before: Sequence[Segment | Turn], after: Sequence[Segment | Turn]) -> dict[str, str]:
    """Give the voices that are gone after a correction, each of whose rows bears the same other name now."""
    names: defaultdict[tuple[int, int], set[str | None]] = defaultdict(set)
    for row in after:
        names[row.t0, row.t1].add(row.speaker)
    called: defaultdict[str, set[str | None]] = defaultdict(set)
    for row in before:
        if row.speaker is not None:
            called[row.speaker] |= names.get((row.t0, row.t1), set())
    left = {row.speaker for row in after}
    found = {voice: next(iter(given)) for voice, given in called.items() if voice not in left and len(given) == 1}
    return {voice: name for voice, name in found.items() if name is not None}


def turns_of(turns: Sequence[Turn], before: Sequence[Segment], after: Sequence[Segment]) -> list[Turn]:
    """Give the turns as a corrected transcript has them."""
    whole = renamed(before, after)
    called = [replace(turn, speaker=whole.get(turn.speaker, turn.speaker)) for turn in turns]
    heard = Timeline(called)
    moves: defaultdict[str, list[Turn]] = defaultdict(list)
    added: list[Turn] = []
    for move, old in _moves(_spoken(before, whole), _spoken(after, {})):
        if old is not None:
            moves[old].append(move)
        elif move.speaker not in heard.shared(Span(move.t0, move.t1)):
            added.append(move)
    given = {voice: Timeline(moved) for voice, moved in moves.items()}
    found = [part for turn in called for part in _parted(turn, given.get(turn.speaker))]
    return sorted([*found, *added], key=lambda turn: (turn.t0, turn.t1, turn.speaker))


def rows_of(rows: Iterable[Voiced], before: Sequence[Turn], after: Sequence[Turn]) -> list[Voiced]:
    """Give segments or emotions with the voices of corrected turns.

    A voice that loses more than half of what it spoke inside a row loses the row, to the one that gained most there.
    """
    whole = renamed(before, after)
    old = Timeline(replace(turn, speaker=whole.get(turn.speaker, turn.speaker)) for turn in before)
    new = Timeline(after)
    found = []
    for row in rows:
        were, are = (timeline.shared(Span(row.t0, row.t1)) for timeline in (old, new))
        mine = whole.get(row.speaker, row.speaker) if row.speaker else None
        lost = mine is None or 2 * are[mine] < were[mine]
        found.append(replace(row, speaker=foremost(are - were) or mine if lost else mine))
    return found


def _segments(streams: Streams) -> list[Segment]:
    return [row for row in streams.get("transcript", ()) if isinstance(row, Segment)]


def _turns(streams: Streams) -> list[Turn]:
    return [row for row in streams.get("speaker", ()) if isinstance(row, Turn)]


def _spoken(segments: Iterable[Segment], whole: Mapping[str, str]) -> list[Turn]:
    return [Turn(s.t0, s.t1, whole.get(s.speaker, s.speaker)) for s in segments if s.speaker is not None]


def _moves(before: Sequence[Turn], after: Sequence[Turn]) -> Iterator[tuple[Turn, str | None]]:
    """Give what is said by another voice than before, with the voice it was taken for, None where nobody spoke."""
    timeline, were, are = Timeline(before), _by_span(before), _by_span(after)
    for turn in after:
        place = turn.t0, turn.t1
        there = were.get(place, set())
        shared = timeline.shared(Span(*place))
        if turn.speaker in there or (not there and shared[turn.speaker] == max(shared.values(), default=-1)):
            continue
        yield turn, min(there - are[place], default=None) or foremost(shared)


def _by_span(turns: Iterable[Turn]) -> dict[tuple[int, int], set[str]]:
    found: defaultdict[tuple[int, int], set[str]] = defaultdict(set)
    for turn in turns:
        found[turn.t0, turn.t1].add(turn.speaker)
    return dict(found)


def _parted(turn: Turn, moves: Timeline | None) -> list[Turn]:
    """Cut a turn where parts of it are somebody else's."""
    left = [turn]
    given: list[Turn] = []
    for move in moves.overlapping(Span(turn.t0, turn.t1)) if moves else ():
        rest: list[Turn] = []
        for part in left:
            t0, t1 = max(part.t0, move.t0), min(part.t1, move.t1)
            if t0 >= t1:
                rest.append(part)
                continue
            given.append(replace(part, t0=t0, t1=t1, speaker=move.speaker))
            rest += [replace(part, t0=a, t1=b) for a, b in ((part.t0, t0), (t1, part.t1)) if a < b]
        left = rest
    return [*left, *given]
