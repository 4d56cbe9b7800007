"""Notes and the rows they stand on: whatever a model cites of them, a person is shown rows that are there."""

import re

import pytest

from agent.brains.protocol import Answered
from agent.graph.ground import Ground
from agent.routes.notes import Note, as_notes, as_rows, held, in_rows, said, stood_on
from tools.evidence import EvidenceRow

DAY = 25 * 3_600_000
A = EvidenceRow("transcript", 1, "r", 0, 4_000, "Anna", "The budget is cut by ten percent.")
B = EvidenceRow("transcript", 2, "r", DAY, DAY + 4_000, None, "The lift is broken again.")
C = EvidenceRow("events", 1, "q", 0, 1_000, None, None, "Siren")
NOTES = [Note("The budget is cut.", (A,)), Note("The lift broke after a day.", (B, A)), Note("A siren is heard.", (C,))]
ROWS = stood_on(NOTES)


def answer(text: str, *cited: int) -> Answered:
    return Answered(text, text, cited, "generated")


def test_rows_come_once_in_order_of_recording_and_time() -> None:
    assert ROWS == (C, A, B)
    assert stood_on([]) == ()
    assert stood_on([NOTES[0], NOTES[0]]) == (A,)


def test_a_note_is_a_row_over_the_time_of_its_own() -> None:
    rows = as_rows(NOTES)
    assert [(row.id, row.t0, row.t1, row.text, row.recording) for row in rows] == [
        (0, 0, 4_000, "The budget is cut.", "r"),
        (1, 0, DAY + 4_000, "The lift broke after a day.", "r"),
        (2, 0, 1_000, "A siren is heard.", "q"),
    ]
    assert as_rows([]) == ()


@pytest.mark.parametrize(
    ("given", "text", "rows"),
    [
        (answer("Cut [1].", 0), "Cut [1].", [A]),
        (answer("Broken [1].", 1), "Broken [1] [2].", [B, A]),
        (answer("Cut [1]. Broken [2].", 0, 1), "Cut [1]. Broken [2] [1].", [A, B]),
        (answer("Broken [2]. Cut [1].", 0, 1), "Broken [2] [1]. Cut [1].", [A, B]),
        (answer("Heard [1][2].", 2, 0), "Heard [1] [2].", [C, A]),
        (answer("No mark.", 0), "No mark.", [A]),
        (answer("Wrong [7].", 0), "Wrong.", [A]),
        (answer("Wrong [0].", 0), "Wrong.", [A]),
        (answer("Beyond [1].", 9), "Beyond.", []),
        (answer("Before [1].", -1), "Before.", []),
        (answer("", 0), "", [A]),
    ],
)
def test_what_cites_notes_cites_their_rows(given: Answered, text: str, rows: list[EvidenceRow]) -> None:
    found = in_rows(given, NOTES, ROWS)
    assert found.text == text
    assert [ROWS[place] for place in found.cited] == rows
    assert {int(mark) for mark in re.findall(r"\[(\d+)\]", found.text)} <= set(range(1, len(found.cited) + 1))


@pytest.mark.parametrize(
    ("given", "notes"),
    [
        (answer("It is cut [1]. It broke [2].", 0, 1), [("It is cut.", (A,)), ("It broke.", (B, A))]),
        (answer("Both are so [1][2].", 0, 1), [("Both are so.", (A, B))]),
        (answer("It is cut.", 0), []),
        (answer("It is cut [0].", 2), []),
        (answer("It is cut [9].", 0), []),
        (answer("It is cut [1].", 9), []),
        (answer("It is cut [1].", -1), []),
        (answer("It is cut [1]."), []),
    ],
)
def test_fewer_notes_stand_on_the_rows_of_those_they_cite(
    given: Answered, notes: list[tuple[str, tuple[EvidenceRow, ...]]]
) -> None:
    assert [(note.text, note.rows) for note in as_notes(given, NOTES)] == notes


def test_notes_as_they_are_cite_themselves() -> None:
    given = said(NOTES)
    assert given.text == "The budget is cut [1]. The lift broke after a day [2]. A siren is heard [3]."
    assert in_rows(given, NOTES, ROWS).text.startswith("The budget is cut [1]. The lift broke after a day [2] [1].")
    assert said([]).text == ""


@pytest.mark.parametrize("cited", [(0,), (0, 9), (-1, 0)])
def test_what_rows_disprove_is_no_note(cited: tuple[int, ...]) -> None:
    mark = cited.index(0) + 1
    given = answer(f"The budget is cut by ten percent [{mark}]. It is cut by 4711 euros [{mark}].", *cited)
    assert [(note.text, note.rows) for note in held(given, [A, B], Ground())] == [
        ("The budget is cut by ten percent.", (A,))
    ]
