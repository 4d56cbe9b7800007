"""Whatever a model writes: what is left cites rows that are there, by numbers that fit, with values that are theirs."""

import re
from typing import Any

import pytest

from agent.ask import ask
from agent.brains.protocol import Answered, Planned
from agent.brains.scripted import ScriptedBrain
from agent.graph.verify import UNSUPPORTED, citation
from agent.library import Library
from agent.reply import Reply
from tests.agent.graph.talk import talk
from tools.evidence import EvidenceRow

TRAIN = "What did Ben say about the train?"
PARIS, LATE = "The train to Paris leaves at noon.", "The train was late and I was furious."


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return talk(tmp_path_factory.mktemp("verify"))


def said(library: Library, question: str, text: str, value: Any = None, cited: tuple[int, ...] = (0, 1)) -> Reply:
    reply = ask(library, question, brain=ScriptedBrain(answers=[Answered(text, value, cited, "generated")]))
    marks = [int(mark) for mark in re.findall(r"\[(\d+)\]", reply.answer)]
    numbers = [one.n for one in reply.citations]
    assert numbers == list(range(1, len(numbers) + 1))
    assert set(marks) <= set(numbers), reply.answer
    assert all(one.verified for one in reply.citations)
    return reply


@pytest.mark.parametrize(
    ("text", "cited", "answer", "quotes"),
    [
        ("The train leaves at noon [1].", (0, 1), "The train leaves at noon [1].", [PARIS]),
        ("The train was late [2].", (0, 1), "The train was late [1].", [LATE]),
        ("It was late [2]. It leaves at noon [1].", (0, 1), "It was late [1]. It leaves at noon [2].", [LATE, PARIS]),
        ("The train was late [1].", (1,), "The train was late [1].", [LATE]),
        ("The train was late [1][2].", (0, 1), "The train was late [1] [2].", [PARIS, LATE]),
        ("The train was late [2][2].", (0, 1), "The train was late [1] [1].", [LATE]),
        ("The train was late [9].", (0, 1), "The train was late [1].", [LATE]),
        ("The train was late [3].", (7, -1, 1), "The train was late [1].", [LATE]),
        ("The train was late.", (), "The train was late [1].", [LATE]),
        ("“The train was late” [2].", (0, 1), "“The train was late” [1].", [LATE]),
        ("“The train was late, alas” [2].", (0, 1), "“The train was late” [1].", [LATE]),
    ],
)
def test_a_sentence_cites_the_rows_it_stands_on_by_their_places(
    library: Library, text: str, cited: tuple[int, ...], answer: str, quotes: list[str]
) -> None:
    reply = said(library, TRAIN, text, text, cited)
    assert (reply.status, reply.answer) == ("answered", answer)
    assert [one.quote for one in reply.citations] == quotes


@pytest.mark.parametrize(
    "text",
    [
        "The train leaves at 5:00 [1].",
        "The train leaves with 40 people [1].",
        "Anna says that the train was late [2].",
        "The train goes to Berlin [1].",
        "“The train was on time” [2].",
        "",
        "[1]",
        "“”",
        "\u202e\u200b",
    ],
)
def test_where_nothing_stands_the_rows_speak(library: Library, text: str) -> None:
    reply = said(library, TRAIN, text, text)
    assert reply.answer_kind == "quoted"
    assert "Berlin" not in reply.answer
    assert PARIS in reply.answer
    assert any("not supported" in caveat or "no row supports" in caveat for caveat in reply.caveats)


def test_part_of_an_answer_may_stand(library: Library) -> None:
    reply = said(library, TRAIN, "The train was late [2]. It cost 90 euros [1]. It leaves at noon [1].")
    assert reply.answer == "The train was late [1]. It leaves at noon [2]."
    assert "sentences that no row supports were left out: 1" in reply.caveats


@pytest.mark.parametrize(
    ("text", "value"), [("Ben mentions it 5 times [1].", 5), ("Twice, he mentions the train [1].", 2), ("None.", 0)]
)
def test_a_number_is_the_one_that_sql_counted(library: Library, text: str, value: int) -> None:
    reply = said(library, "How often did Ben mention the train?", text, value)
    assert reply.value == 2
    assert "5" not in reply.answer


OPTIONS = "What was late? (A) the budget (B) the train (C) the orchard"


@pytest.mark.parametrize(("letter", "value"), [("B", "B"), ("A", "B"), ("Z", "B"), (None, "B"), (3, "B")])
def test_an_option_is_one_that_its_rows_carry(library: Library, letter: Any, value: str) -> None:
    reply = said(library, OPTIONS, "(B) the train: “The train was late and I was furious.” [1]", letter, (0,))
    assert reply.value in (value, None)
    assert (reply.status == "answered") == (reply.value is not None)
    if reply.value is None:
        assert (reply.answer, reply.citations) == (UNSUPPORTED, [])


SCHEMA = {"type": "object", "properties": {"what": {"type": "string"}}, "required": ["what"]}


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ({"what": "train"}, {"what": "train"}),
        ({"what": "TRAIN"}, {"what": "TRAIN"}),
        ({"what": "aeroplane"}, None),
        ({"what": 3}, None),
        ({"who": "train"}, None),
        ("train", None),
        (None, None),
    ],
)
def test_a_value_of_a_schema_of_ones_own_is_in_the_rows(library: Library, value: Any, kept: Any) -> None:
    plan = Planned(
        [
            {"name": "transcript", "args": {"keywords": ["train"], "speaker": "Ben"}, "id": "t"},
            {"name": "fuse", "args": {"anchor": "t", "answer_schema": SCHEMA}, "id": "f"},
        ]
    )
    answer = Answered("The train was late [2].", value, (0, 1), "generated")
    reply = ask(library, TRAIN, brain=ScriptedBrain(script=[plan], answers=[answer]))
    assert (reply.status, reply.value) == ("answered", kept)


def test_an_open_question_without_support_has_no_answer(library: Library) -> None:
    plan = Planned(
        [
            {"name": "transcript", "args": {"keywords": ["train"]}, "id": "t"},
            {"name": "fuse", "args": {"anchor": "t", "answer_schema": "text"}, "id": "f"},
        ]
    )
    answer = Answered("It exploded in Berlin [1].", "It exploded.", (0,), "generated")
    reply = ask(library, "What happened to the train?", brain=ScriptedBrain(script=[plan], answers=[answer]))
    assert (reply.status, reply.answer, reply.value, reply.citations) == ("not_found", UNSUPPORTED, None, [])


def test_a_citation_has_seconds_names_and_what_was_said_or_heard() -> None:
    day = 25 * 3_600_000
    long = EvidenceRow("transcript", 1, "r", day + 1, day + 2_500, "Zoë", "字" * 400)
    made = citation(3, long)
    assert (made["start"], made["end"], made["speaker"], made["n"]) == (90_000.001, 90_002.5, "Zoë", 3)
    assert made["quote"] == "字" * 300 + " …"
    heard = citation(1, EvidenceRow("events", 1, "r", 0, 1, None, None, "Bell"), verified=False)
    assert (heard["quote"], heard["speaker"], heard["verified"]) == ("Bell", None, False)
