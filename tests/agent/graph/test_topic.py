"""Open questions that name a person: whose words are meant, about what, and that nobody else is quoted for them."""

from pathlib import Path

import pytest

from agent.ask import ask
from agent.brains.protocol import Answered, Planned
from agent.brains.scripted import ScriptedBrain
from agent.graph.budget import Budget
from agent.graph.ground import Ground
from agent.graph.topic import subject, words
from agent.library import Library
from store import recordings
from store.catalog import Catalog, catalog
from tests.agent.graph.talk import talk

ROLES = ("Project Manager", "Marketing", "User Interface")
LINES = (
    (0, 4_000, 0, "Let us begin, the project starts on Monday."),
    (4_200, 9_000, 1, "A curved case with a rubber surface would please young buyers."),
    (9_100, 14_000, 2, "The case should be flat, I had bad experience with curved surfaces."),
    (14_200, 20_000, 0, "What would a rubber case cost us?"),
    (20_500, 26_000, 1, "Our survey says that people lose the control under the sofa."),
    (26_200, 33_000, 2, "A rubber case is fine with me as long as the display stays large."),
)
ASKED = (
    ("Why did Marketing like the rubber case?", "Marketing"),
    ("Summarize Marketing's opinions towards the rubber case.", "Marketing"),
    ("Summarize User Interface's bad experience of curved surfaces.", "User Interface"),
    ("Summarize the User Interface expert's perspective on the case.", "User Interface"),
    ("What was Marketing's conclusion about the curved case?", "Marketing"),
    ("Please describe marketing's story of the sofa.", "Marketing"),
    ("How was the Project Manager's question of the rubber case?", "Project Manager"),
    ("What did User Interface think of the rubber case when discussing the curved surface?", "User Interface"),
    ("What did the Project Manager say about the project?", "Project Manager"),
    ("What was said about Marketing's survey?", None),
    ("Who liked Marketing's case?", None),
)
WORDS = (
    ("What did the Project Manager say about the project?", "Project Manager", ["project"]),
    ("what did the project manager say about the budget?", "Project Manager", ["budget"]),
    ("What did Marketing think of the marketing strategy?", "Marketing", ["marketing", "strategy"]),
    ("Summarize Marketing's opinions towards curved cases.", "Marketing", ["curved", "cases"]),
    (
        "How does the Bayes-net deal with e-mail and/or noise?",
        None,
        ["Bayes", "net", "deal", "e-mail", "and/or", "noise"],
    ),
    ("What did Ann Finch-Saunders say of inspections?", "Ann Finch-Saunders", ["inspections"]),
    ("What did Mr. Ray (Surrey Centre, Lib.) think of racism?", "Mr. Ray (Surrey Centre, Lib.)", ["racism"]),
)
FOREIGN = (
    "“The case should be flat” [{n}].",
    "Marketing says “The case should be flat” [{n}].",
    "The case should be flat [{n}].",
    "It should be flat, “I had bad experience with curved surfaces” [{n}].",
)
MARKED = ("User Interface objects: “The case should be flat” [{n}].", "User Interface wants the case to be flat [{n}].")


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return talk(tmp_path, ROLES, lines=LINES, kinds=("transcript", "speaker"))


@pytest.fixture
def scope(library: Library) -> Catalog:
    with library.database.reader() as connection:
        return catalog(connection, recordings.every(connection))


OTHERS_TITLES = (
    "Will the Professor of Medicine pay for the rubber case?",
    "How did the chemistry professor explain the rubber case?",
    "What did Professor Smith say about the rubber case?",
)


def test_the_longest_name_is_meant(tmp_path: Path) -> None:
    library = talk(tmp_path, ("Dr Frank Moor", "Dr Ann Hill", "Eve"), lines=LINES, kinds=("transcript", "speaker"))
    with library.database.reader() as connection:
        scope = catalog(connection, recordings.every(connection))
    assert subject("What was Dr Frank Moor's opinion of the case?", scope) == "Dr Frank Moor"
    assert subject("What was the doctor's opinion of the case?", scope) is None


@pytest.mark.parametrize(("question", "person"), ASKED)
def test_whose_words_are_asked_for(scope: Catalog, question: str, person: str | None) -> None:
    assert subject(question, scope) == person


def test_a_title_that_one_person_bears_is_a_name(tmp_path: Path) -> None:
    people = ("Professor Keller", "Grad A", "Grad B")
    library = talk(tmp_path, people, lines=LINES, kinds=("transcript", "speaker"))
    for question in ("Why did the professor ask about the rubber case?", "What did the Professor say of the project?"):
        with library.database.reader() as connection:
            assert subject(question, catalog(connection, recordings.every(connection))) == "Professor Keller"
            assert not any(subject(other, catalog(connection, recordings.every(connection))) for other in OTHERS_TITLES)
        reply = ask(library, question)
        assert reply.status == "answered"
        assert {cited.speaker for cited in reply.citations} == {"Professor Keller"}


@pytest.mark.parametrize(("question", "person", "about"), WORDS)
def test_a_name_is_no_topic_and_a_topic_no_name(question: str, person: str, about: list[str]) -> None:
    assert words(question, person) == about


@pytest.mark.parametrize("brain", ["rules", "gullible", "malformed", "truncated"])
@pytest.mark.parametrize(("question", "person"), [(asked, person) for asked, person in ASKED if person])
def test_nobody_else_is_quoted(library: Library, question: str, person: str, brain: str) -> None:
    reply = ask(library, question, brain=None if brain == "rules" else ScriptedBrain(fault=brain))  # type: ignore[arg-type]
    if reply.status == "answered":
        assert {cited.speaker for cited in reply.citations if cited.stream == "transcript"} == {person}
        others = [text for _, _, who, text in LINES if ROLES[who] != person]
        assert not any(text in reply.answer for text in others)
    elif brain == "rules":
        assert person == "Project Manager"


def test_the_people_asked_for_are_answered(library: Library) -> None:
    asked = [(question, person) for question, person in ASKED if person not in (None, "Project Manager")]
    assert [ask(library, question).status for question, _ in asked] == ["answered"] * len(asked)


def around(answer: Answered | None = None, budget: Budget | None = None) -> tuple[ScriptedBrain, Budget]:
    """Give a brain whose plan brings what is said around Marketing's words too."""
    args = {"keywords": ["case", "curved"], "speaker": "Marketing", "passages": 500, "around": True}
    calls = [
        {"name": "transcript", "id": "transcript_1", "args": args},
        {"name": "fuse", "id": "fuse_1", "args": {"anchor": "transcript_1", "order": "rank", "answer_schema": "text"}},
    ]
    return ScriptedBrain([Planned(calls)], answers=() if answer is None else (answer,)), budget or Budget()


def placed(library: Library) -> int:
    """Give the place among the rows found of what User Interface says of a flat case."""
    brain, _ = around(Answered("Nothing.", None, tuple(range(len(LINES))), "generated"))
    seen: list[str | None] = []
    inner = brain.answer

    def noted(question, plan, evidence, value):  # type: ignore[no-untyped-def]
        seen.extend(row.text for row in evidence.rows)
        return inner(question, plan, evidence, value)

    brain.answer = noted  # type: ignore[method-assign]
    ask(library, ASKED[0][0], brain=brain)
    return seen.index(LINES[2][3])


@pytest.mark.parametrize("text", [*FOREIGN, *MARKED])
def test_a_model_may_show_others_only_by_their_name(library: Library, text: str) -> None:
    place = placed(library)
    said = Answered(text.format(n=1), None, (place,), "generated")
    reply = ask(library, "Why did Marketing like the case?", brain=around(said)[0])
    assert (reply.status == "answered") is (text in MARKED), reply.answer


def test_templates_word_only_ones_own_rows_of_a_passage(library: Library) -> None:
    reply = ask(library, "Why did Marketing like the case?", brain=around()[0])
    assert reply.status == "answered"
    assert {cited.speaker for cited in reply.citations} == {"Marketing"}
    assert not any(text in reply.answer for _, _, who, text in LINES if who != 1)


def test_where_nobody_is_asked_for_rows_need_no_name() -> None:
    assert Ground().asked == frozenset()
