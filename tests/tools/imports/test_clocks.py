"""Words of one file and turns of another that run on different clocks are brought together, and it is said."""

from pathlib import Path

import pytest

from store.database import Database
from store.record import Segment, Span, Turn, Word
from tests.tools.transcript.test_drift import on_clock, talk, words
from tools.imports.clocks import on_one_clock
from tools.imports.recording import Given, import_recording

TURNS = talk(8)


def said(offset_ms: int, ppm: int, *, timed: bool = True) -> list[Segment]:
    """A segment for each turn, on a clock of its own."""
    found = []
    for turn in TURNS:
        spoken = on_clock(words([turn]), offset_ms, ppm)
        if spoken:
            each = tuple(Word(span.t0, span.t1, "so") for span in spoken)
            found.append(Segment(spoken[0].t0, spoken[-1].t1, "so", "A", each if timed else ()))
    return found


def turns() -> list[Turn]:
    return [Turn(turn.t0, turn.t1, "A") for turn in TURNS]


@pytest.mark.parametrize("timed", [True, False])
@pytest.mark.parametrize(
    ("offset_ms", "ppm", "line"),
    [
        (2_000, 0, "the words ran 2.0 s early"),
        (-2_000, 0, "the words ran 2.0 s late"),
        (0, -5_000, "0.50 % slow against the turns and were moved onto them"),
    ],
)
def test_a_wrong_clock_is_corrected_and_said(offset_ms: int, ppm: int, line: str, timed: bool) -> None:
    moved, lines = on_one_clock(said(offset_ms, ppm, timed=timed), turns())
    assert len(lines) == 1
    assert line in lines[0]
    within = [min(abs(segment.t0 - turn.t0) for turn in TURNS) for segment in moved]
    assert sorted(within)[len(within) * 9 // 10] <= 300
    assert all(0 <= segment.t0 < segment.t1 for segment in moved)


def test_a_right_clock_is_left_alone() -> None:
    given = said(0, 0)
    assert on_one_clock(given, turns()) == (given, [])


def test_words_that_fit_nowhere_stay_and_are_doubted() -> None:
    stranger = [Turn(turn.t0, turn.t1, "A") for turn in talk(8, seed=5)]
    given = said(0, 0)
    moved, lines = on_one_clock(given, stranger)
    assert moved == given
    assert lines == ["the words do not lie well on the turns, and no other clock fits clearly: times may be off"]


def test_too_little_to_tell_is_left_alone() -> None:
    given = [Segment(0, 900, "so")]
    assert on_one_clock(given, turns()) == (given, [])
    assert on_one_clock([], turns()) == ([], [])


def test_an_import_of_two_files_brings_them_together(database: Database, tmp_path: Path) -> None:
    late = [span for turn in TURNS if (span := Span(turn.t0 + 2_000, turn.t1 + 2_000))]
    lines = [f"{n}\n{_clock(span.t0)} --> {_clock(span.t1)}\nword{n}\n" for n, span in enumerate(late)]
    (tmp_path / "a.srt").write_text("\n".join(lines), encoding="utf-8")
    rttm = [f"SPEAKER a 1 {t.t0 / 1000:.3f} {(t.t1 - t.t0) / 1000:.3f} <NA> <NA> A <NA> <NA>" for t in TURNS]
    (tmp_path / "a.rttm").write_text("\n".join(rttm), encoding="utf-8")
    done = import_recording(database, Given((("transcript", tmp_path / "a.srt"), ("speaker", tmp_path / "a.rttm"))))
    assert "the words ran 2.0 s late against the turns and were moved onto them" in done.caveats
    with database.reader() as connection:
        starts = [row[0] for row in connection.execute("SELECT t0 FROM segment ORDER BY t0")]
    assert max(abs(a - b.t0) for a, b in zip(starts, TURNS, strict=True)) <= 100


def _clock(ms: int) -> str:
    return f"{ms // 3_600_000:02}:{ms // 60_000 % 60:02}:{ms // 1000 % 60:02},{ms % 1000:03}"
