"""From a reading to a plan: what a question names becomes the calls, joins and the fuse that say just that."""

from collections.abc import Sequence
from typing import Any

import pytest

from agent.ask import ask
from agent.library import Library
from agent.reply import Reply
from store import recordings, streams
from store.record import Event, Row, Segment, StreamKind, Turn

HOUR = 3_600_000
SAID = [
    Segment(0, 5_000, "Good morning, the budget is fine.", "Anna"),
    Segment(10_000, 15_000, "The budget, the budget.", "Ben"),
    Segment(25 * HOUR, 25 * HOUR + 4_000, "The budget again.", "Anna"),
    Segment(25 * HOUR + 600_000, 25 * HOUR + 605_000, "And the budget once more, of the budget.", "Ben"),
    Segment(29 * HOUR + 30 * 60_000, 29 * HOUR + 30 * 60_000 + 5_000, "We close with the train.", None),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    made = Library(tmp_path_factory.mktemp("plans"))
    with made.database.writing() as connection:
        rec = recordings.add(connection, recordings.NewRecording("a" * 64, "Long", "import", 30 * HOUR)).id
        turns = [Turn(row.t0, row.t1, row.speaker) for row in SAID if row.speaker]
        bells = [Event(25 * HOUR + 1_000, 25 * HOUR + 2_000, "Bell", 0.9)]
        rows: dict[StreamKind, Sequence[Row]] = {"transcript": SAID, "speaker": turns, "events": bells}
        for kind, each in rows.items():
            streams.publish(connection, streams.new_version(connection, rec, kind, streams.Source("test", {})), each)
        streams.finish(connection, rec, "en")
    return made


def fuse(reply: Reply) -> dict[str, Any]:
    (args,) = (call["args"] for call in reply.plan if call["name"] == "fuse")
    return {key: value for key, value in args.items() if key not in ("anchor", "answer_schema")}


@pytest.mark.parametrize(
    ("question", "every", "value"),
    [
        ("In which minute was the budget mentioned most?", None, [[0.0, 60.0]]),
        ("In which hour was the budget mentioned most?", 3600, [[0.0, 3600.0], [90_000.0, 93_600.0]]),
        ("In which hour was the budget mentioned least?", 3600, None),
        ("In which hour did Anna speak the most?", 3600, [[0.0, 3600.0]]),
        ("In which hour was the bell heard most often?", 3600, [[90_000.0, 93_600.0]]),
        ("In which hour did at least two people speak?", 3600, [[0.0, 3600.0], [90_000.0, 93_600.0]]),
        ("In which minute did at least two people speak?", None, [[0.0, 60.0]]),
    ],
)
def test_slices_are_as_long_as_the_question_says(
    library: Library, question: str, every: float | None, value: list[list[float]] | None
) -> None:
    reply = ask(library, question)
    assert (reply.status, fuse(reply)["group"]) == ("answered", "time")
    assert fuse(reply).get("every") == every
    assert all(end - start == (every or 60) for start, end in reply.value)
    if value is not None:
        assert reply.value == value


def test_one_person_is_a_person(library: Library) -> None:
    assert "(2 people)" in ask(library, "In which hour did most people speak?").answer
    assert "(1 person)" in ask(library, "In which minute did most people speak after 25:05:00?").answer


@pytest.mark.parametrize(
    ("question", "value"),
    [
        (
            "What was said after 25:00:00?",
            "The budget again. And the budget once more, of the budget. We close with the train.",
        ),
        ("What did Ben say in the last five hours?", "And the budget once more, of the budget."),
        ("How often was the budget mentioned after 24 hours?", 3),
        ("How long did Anna speak after 1:00:00?", 4.0),
        ("What was said at 25:00:01?", "The budget again."),
        ("Who was speaking when the bell rang?", "Anna"),
        ("When was the bell heard?", [[90_001.0, 90_002.0]]),
        ("What did Ben say after the bell?", "And the budget once more, of the budget."),
        ("Who mentioned the budget more than twice?", "Ben"),
        ("Who never mentioned the train?", ["Anna", "Ben"]),
    ],
)
def test_times_beyond_a_day_mean_what_they_say(library: Library, question: str, value: Any) -> None:
    reply = ask(library, question)
    assert (reply.status, reply.value) == ("answered", value), reply.answer


@pytest.mark.parametrize(
    "question",
    [
        "Is the train mentioned more often than the train?",
        "Est-ce qu'on entend plus souvent train que train ?",
        "Who spoke more, Anna or Anna?",
        "Did Anna speak longer than Anna?",
        "Was the bell heard more often than the bell?",
    ],
)
def test_nothing_is_compared_with_itself(library: Library, question: str) -> None:
    reply = ask(library, question)
    assert reply.status != "failed"
    assert all("versus" not in call["args"] for call in reply.plan)
