"""Whose rows are, against an oracle that changes a list row by row and keeps a copy of it before each edit."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from store import edits, rows, speakers, streams, voicing
from store.database import Database
from store.errors import OverheardError
from store.record import Segment, Span, Turn
from tests.tools.made import Made, made

TURNS = [Turn(n * 1000, n * 1000 + 700 + 100 * (n % 3), f"SPEAKER_0{n * n % 4}") for n in range(16)]
SPANS = st.tuples(st.integers(0, 16_000), st.integers(1, 8_000)).map(lambda pair: Span(pair[0], pair[0] + pair[1]))
VOICES = st.integers(0, 6)
EDITS = st.one_of(
    st.tuples(st.just("merge"), VOICES, VOICES),
    st.tuples(st.just("split"), VOICES, st.lists(SPANS, min_size=1, max_size=2)),
    st.tuples(st.just("undo"), VOICES, VOICES),
)


@given(st.lists(EDITS, max_size=14))
@settings(max_examples=15, deadline=None, database=None)
def test_any_edits_give_what_changing_row_by_row_gives(given_edits: list[tuple[str, int, object]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = Database.open(Path(folder))
        said = [Segment(turn.t0, turn.t1, "words", turn.speaker) for turn in TURNS]
        made(database, Made(speaker=TURNS, transcript=said))
        oracle, past = [turn.speaker for turn in TURNS], list[list[str]]()
        for action, first, second in given_edits:
            oracle = _edit(database, oracle, past, action, f"SPEAKER_0{first}", second)
            with database.reader() as connection:
                active = streams.active(connection, 1)
                assert [turn.speaker for turn in rows.turns(connection, active["speaker"])] == oracle
                assert [segment.speaker for segment in rows.segments(connection, active["transcript"])] == oracle
                assert {voice.label for voice in speakers.voices(connection, 1)} == set(oracle)
                now = [row.now for row in voicing.attribution(connection, active["speaker"])]
                ids = {voice.label: voice.id for voice in speakers.voices(connection, 1)}
                assert now == [ids[label] for label in oracle]


def _edit(
    database: Database, before: list[str], past: list[list[str]], action: str, voice: str, second: object
) -> list[str]:
    """Make an edit in the library and in the list; one that is refused changes neither."""
    try:
        with database.writing() as connection:
            if action == "undo":
                edits.undo(connection, 1)
                return past.pop()
            if action == "merge":
                other = f"SPEAKER_0{second}"
                edits.merge(connection, 1, voice, other)
                after = [voice if speaker == other else speaker for speaker in before]
            else:
                assert isinstance(second, list)
                label = edits.split(connection, 1, voice, second).label
                after = [
                    label if who == voice and _mostly(t, second) else who for t, who in zip(TURNS, before, strict=True)
                ]
    except OverheardError:
        return before
    past.append(before)
    return after


def _mostly(turn: Turn, spans: list[Span]) -> bool:
    inside = sum(any(span.t0 <= ms < span.t1 for span in spans) for ms in range(turn.t0, turn.t1))
    return 2 * inside > turn.t1 - turn.t0
