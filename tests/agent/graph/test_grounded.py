"""A text cut down to what stands: marks that fit, noted sentences, quotes cut, and what other figures it may use."""

import re
from pathlib import Path
from typing import Any

import pytest

from agent.ask import ask
from agent.brains.protocol import Answered, Planned
from agent.brains.scripted import ScriptedBrain
from agent.graph.ground import Ground
from agent.graph.grounded import NOTE, grounded, standing
from store.record import Event
from tests.agent.graph.talk import talk
from tools.evidence import EvidenceRow

DAY = 25 * 3_600_000
ROWS = {
    1: EvidenceRow("transcript", 1, "r", DAY, DAY + 5_000, "Anna", "The budget is cut by ten percent, I fear."),
    2: EvidenceRow("transcript", 2, "r", DAY + 9_000, DAY + 12_000, "Zoë", "We meet in Zürich on Friday."),
    3: EvidenceRow("transcript", 3, "other", 0, 4_000, "Ben", "The lift is broken again."),
    5: EvidenceRow(
        "transcript", 5, "r", DAY + 30_000, DAY + 33_000, "Zoe\u0308", "We eat at Cafe\u0301 Muller on Sunday."
    ),
    4: EvidenceRow("transcript", 4, "r", DAY + 20_000, DAY + 23_000, None, "It costs 250 euros, fine."),
}
PARTNERED = EvidenceRow(
    "transcript", 5, "r", 0, 4_000, "Anna", "That siren is loud.",
    partners=(EvidenceRow("events", 6, "r", 0, 4_000, label="Siren"), EvidenceRow("events", 7, "r", 1, 2)),
)  # fmt: skip
PEOPLE = tuple(frozenset({name}) for name in ("Anna", "Zoë", "Ben"))
BASE = Ground(PEOPLE, spare=tuple(ROWS.values()))


@pytest.mark.parametrize(
    ("text", "left", "ids"),
    [
        ("", "", []),
        ("[1]", "", []),
        (". . .", "", []),
        ("The lift is broken again [3].", "The lift is broken again [1].", [3]),
        ("The lift is broken again [3, 1].", "", []),  # no mark; and unmarked it is not finished by one
        ("The lift is broken again.", "The lift is broken again [1].", [3]),
        ("The lift is broken again", "", []),  # unfinished, and cites nothing
        (
            "At 25:00:03 Anna fears that the budget is cut [1].",
            "At 25:00:03 Anna fears that the budget is cut [1].",
            [1],
        ),
        ("At 1:00:03 Anna fears that the budget is cut [1].", "", []),
        ("They meet in Zürich on Friday [2].", "They meet in Zürich on Friday [1].", [2]),
        ("They meet in Zu\u0308rich on Friday [2].", "They meet in Zürich on Friday [1].", [2]),
        ("Zoe\u0308 says that they meet on Friday [2].", "Zoë says that they meet on Friday [1].", [2]),
        ("They eat at Cafe\u0301 Muller on Sunday [5].", "They eat at Café Muller on Sunday [1].", [5]),
        ("They eat at Café Muller on Sunday [5].", "They eat at Café Muller on Sunday [1].", [5]),
        ("They meet in Berlin on Friday [2].", "", []),
        ("Zoë says that they meet on Friday [2]. Ben says so too [2].", "Zoë says that they meet on Friday [1].", [2]),
        ("It costs 250 euros [4]. The lift is broken [3].", "It costs 250 euros [1]. The lift is broken [2].", [4, 3]),
        ("It costs 250 euros [4]. It costs 250 euros [4].", "It costs 250 euros [1]. It costs 250 euros [1].", [4]),
        ("“The lift is broken again” [3].", "“The lift is broken again” [1].", [3]),
        ("“The lift is broken for ever” [3].", "“The lift is broken” [1].", [3]),
        ("“lift” [3].", "“lift” [1].", [3]),
        ("“broken lift” [3].", "", []),
    ],
)
def test_what_is_left_cites_rows_from_one(text: str, left: str, ids: list[int]) -> None:
    found = grounded(text, ROWS, BASE)
    assert (found.text, [row.id for row in found.rows]) == (left, ids)
    assert {int(mark) for mark in re.findall(r"\[(\d+)\]", found.text)} == set(range(1, len(ids) + 1))


def test_rows_bring_their_first_partner_once() -> None:
    found = grounded("The siren is loud [1].", {1: PARTNERED}, Ground(PEOPLE))
    assert [row.id for row in found.rows] == [5, 6]
    both = grounded(
        "The siren is loud [1]. A siren was heard [2].", {1: PARTNERED, 2: PARTNERED.partners[0]}, Ground(PEOPLE)
    )
    assert [row.id for row in both.rows] == [5, 6]


def test_only_doubtful_sentences_are_no_answer() -> None:
    text = "The budget is not cut by ten percent [1]."
    assert grounded(text, ROWS, BASE).text == ""
    found = grounded(f"{text} The lift is broken again [3].", ROWS, BASE)
    assert NOTE in found.text
    assert NOTE not in found.sure
    assert found.sure == "The lift is broken again [2]."
    assert "sentences marked as not supported by the rows they cite: 1" in found.caveats


def test_standing_sentences_lose_marks_and_notes() -> None:
    text = "The budget is not cut by ten percent [1]. The lift is broken again [3]. Nobody knows 4711 [3]."
    assert [(said, [row.id for row in rows]) for said, rows in standing(text, ROWS, BASE)] == [
        ("The budget is not cut by ten percent.", [1]), ("The lift is broken again.", [3])
    ]  # fmt: skip


def test_a_figure_said_nearby_brings_its_row_but_not_from_another_recording() -> None:
    near = EvidenceRow("transcript", 8, "r", DAY + 6_000, DAY + 8_000, "Anna", "That is 900 euros less.")
    far = EvidenceRow("transcript", 9, "other", DAY + 6_000, DAY + 8_000, "Anna", "That is 800 euros less.")
    base = Ground(PEOPLE, spare=(*ROWS.values(), near, far))
    ((_, rows),) = standing("The budget is cut by 900 euros [1].", {1: ROWS[1]}, base)
    assert {row.id for row in rows} == {1, 8}
    assert standing("The budget is cut by 800 euros [1].", {1: ROWS[1]}, base) == []


@pytest.mark.parametrize(
    ("language", "text", "stands"),
    [("en", "They talk about the Budget of Mars [1].", False), ("en", "They talk about the budget [1].", True)],
)
def test_a_word_with_a_capital_is_a_name_where_capitals_say_so(language: str, text: str, stands: bool) -> None:
    assert bool(grounded(text, ROWS, BASE).text) == stands


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        ("The siren was heard 2 times [1].", True),
        ("The siren was heard 3 times [1].", False),
        ("The siren was heard at 0:10 [1].", True),
        ("The siren was heard at 0:20 [1].", False),
    ],
)
def test_what_sql_computed_may_be_said(tmp_path: Path, said: str, stands: bool) -> None:
    plan: list[dict[str, Any]] = [
        {"name": "events", "args": {"labels": ["siren"]}, "id": "e"},
        {"name": "fuse", "args": {"anchor": "e", "answer_schema": "text"}, "id": "f"},
    ]
    library = talk(tmp_path, events=(Event(10_000, 12_000, "Siren", 0.9), Event(36_000, 37_000, "Siren", 0.7)))
    brain = ScriptedBrain(script=[Planned(plan)], answers=[Answered(said, said, (0, 1), "generated")])
    reply = ask(library, "Tell me about the siren.", brain=brain)
    assert (reply.status == "answered") == stands
    assert (said in reply.answer) == stands


@pytest.mark.parametrize("name", ["Zoë", "Zoe\u0308"])
@pytest.mark.parametrize("written", ["Zoë", "Zoe\u0308"])
@pytest.mark.parametrize(
    ("said", "stands"), [("{} says that the train was late [1].", True), ("Anna says so [1].", False)]
)
def test_a_person_is_the_same_in_either_form_of_an_accent(
    tmp_path: Path, name: str, written: str, said: str, stands: bool
) -> None:
    plan: list[dict[str, Any]] = [
        {"name": "transcript", "args": {"keywords": ["late"]}, "id": "t"},
        {"name": "fuse", "args": {"anchor": "t", "answer_schema": "text"}, "id": "f"},
    ]
    said = said.format(written)
    brain = ScriptedBrain(script=[Planned(plan)], answers=[Answered(said, said, (0,), "generated")])
    reply = ask(talk(tmp_path, ("Anna", name, "Carla")), "What about the train?", brain=brain)
    assert (reply.status == "answered") == stands
    assert [one.speaker for one in reply.citations] == ([name] if stands else [])
