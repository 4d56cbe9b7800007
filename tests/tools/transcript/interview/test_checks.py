"""What cannot have been said is set aside, what was not written is told, and rows that are right stay as they are."""

import random

import pytest

from store.record import Span
from tests.tools.transcript.interview.world import script
from tools.transcript.interview.checks import checked
from tools.transcript.interview.table import Said

LINES = script(10, seed=4)
ROWS = [Said(line.t0, line.t1, line.voice, line.text) for line in LINES]
SPEECH = [Span(line.t0, line.t1) for line in LINES]
QUIET = next(Span(a.t1, b.t0) for a, b in zip(LINES, LINES[1:], strict=False) if b.t0 - a.t1 >= 6_000)


def test_what_is_right_stays() -> None:
    found = checked(ROWS, SPEECH, 600_000)
    assert (list(found.rows), list(found.set_aside), list(found.findings)) == (ROWS, [], [])


@pytest.mark.parametrize("seed", range(8))
def test_times_that_are_seconds_off_are_no_invention(seed: int) -> None:
    chance = random.Random(seed)
    moved = [Said(row.t0 + (by := chance.randint(-1_500, 1_500)), row.t1 + by, row.voice, row.text) for row in ROWS]
    found = checked(moved, SPEECH, 700_000)
    assert (list(found.rows), list(found.findings)) == (moved, [])


def test_words_over_silence_are_set_aside() -> None:
    invented = Said(QUIET.t0 + 2_000, QUIET.t1 - 2_000, "anne", "Merci d'avoir écouté.")
    found = checked(sorted([*ROWS, invented], key=lambda row: row.t0), SPEECH, 600_000)
    assert list(found.rows) == ROWS
    assert [(one.text, one.reason) for one in found.set_aside] == [("Merci d'avoir écouté.", "no_speech")]
    assert [finding.check for finding in found.findings] == ["invented"]
    assert 0 < found.findings[0].spoilt < 0.01


def test_words_past_the_end_are_set_aside_and_a_row_over_the_edge_is_cut() -> None:
    rows = [Said(2_000, 9_000, "a", "oui bon"), Said(10_500, 12_000, "a", "et merci")]
    found = checked(rows, [Span(2_000, 8_000)], 8_500)
    assert [(row.t0, row.t1) for row in found.rows] == [(2_000, 8_500)]
    assert [(one.text, one.reason) for one in found.set_aside] == [("et merci", "past_end")]
    assert [(finding.check, finding.spoilt) for finding in found.findings] == [("beyond", 0.5)]


def test_speech_without_rows_is_told_with_its_place_and_share() -> None:
    kept = [row for row in ROWS if not 200_000 <= row.t0 < 260_000]
    found = checked(kept, SPEECH, 600_000)
    (finding,) = found.findings
    spoken = sum(span.duration for span in SPEECH)
    missed = sum(row.t1 - row.t0 for row in ROWS if row not in kept)
    assert finding.check == "dropped"
    assert finding.spoilt == pytest.approx(missed / spoken, abs=0.015)
    assert "3:2" in finding.text


def test_the_same_row_twice_counts_once() -> None:
    found = checked([*ROWS[:9], ROWS[8], *ROWS[9:]], SPEECH, 600_000)
    assert list(found.rows) == ROWS
    assert [finding.check for finding in found.findings] == ["doubled"]


def test_people_may_say_the_same_again() -> None:
    rows = [Said(0, 1_000, "a", "Oui."), Said(1_000, 2_000, "b", "Oui."), Said(2_000, 3_000, "a", "Oui.")]
    assert list(checked(rows, [Span(0, 3_000)], 3_000).rows) == rows
