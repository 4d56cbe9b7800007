"""What a refused question of options claims: a count of 0 that SQL gives again, of what others do say."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from agent.ask import ask
from agent.reply import Refusal
from store import recordings
from store.catalog import catalog
from tests.agent.graph.talk import talk
from tools.call import Session

LINES = (
    (0, 4_000, 0, "The launch moves to Friday because of the module."),
    (5_000, 9_000, 1, "The launch? I know nothing of the launch."),
    (10_000, 14_000, 2, "It is quiet."),
)


def refused(folder: Path, question: str, lines: Sequence[tuple[int, int, int, str]] = LINES) -> tuple[Refusal, int]:
    """Ask, and run the proof's SQL again."""
    library = talk(folder, lines=lines)
    reply = ask(library, question)
    assert reply.refusal is not None, (reply.status, reply.answer)
    with library.database.reader() as connection:
        scope = catalog(connection, recordings.every(connection))
    with Session(library.database, scope) as session:
        sql, words = reply.refusal.searched["sql"], reply.refusal.searched["keywords"]
        counts = {name: session.recount(statement, words) for name, statement in sql.items()}
    assert counts == reply.refusal.counts
    return reply.refusal, counts["all"]


@pytest.mark.parametrize(
    ("question", "keywords"),
    [
        ("What does Carla say about the launch? (A) Friday (B) Monday (C) Sunday", {"launch", "Friday"}),
        ("What does Ben say about the launch? (A) Friday (B) Monday (C) Sunday", {"launch", "Friday"}),
        # nobody says an option as it is written, but somebody its words
        ("What does Ben say about the launch? (A) it moves to Friday (B) it is over", {"launch", "moves", "Friday"}),
        ("What does Carla say about the launch? (A) the module (B) the bank", {"launch", "the module"}),
    ],
)
def test_what_is_claimed_is_counted_as_none(tmp_path: Path, question: str, keywords: set[str]) -> None:
    """Ben does speak of the launch, so that alone is never what is claimed of him."""
    refusal, count = refused(tmp_path, question)
    assert (refusal.reason, count) == ("not_said_by_speaker", 0)
    assert keywords <= set(refusal.searched["keywords"])


def test_where_nothing_can_be_claimed_nothing_is(tmp_path: Path) -> None:
    """Others' words support an option in another form of a word, which no search for it finds."""
    lines = (
        (0, 4_000, 0, "The launch is moved to Friday."),
        (5_000, 9_000, 1, "Launch, moves, Friday: I know nothing of it, and nothing moves."),
    )
    reply = ask(
        talk(tmp_path, lines=lines), "What does Ben say about the launch? (A) it moves to Friday (B) it is over"
    )
    if reply.refusal is not None:
        assert reply.refusal.counts["all"] == 0
    assert "“launch” is not in the transcript of what Ben says" not in reply.answer


def test_a_question_without_options_claims_its_own_plan(tmp_path: Path) -> None:
    refusal, count = refused(tmp_path, "What did Carla say about the launch?")
    assert (refusal.reason, count) == ("not_said_by_speaker", 0)
    assert refusal.searched["keywords"] == ["launch"]


def test_an_option_that_the_speaker_supports_is_no_refusal(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path, lines=LINES), "What does Anna say about the launch? (A) Friday (B) Monday (C) Sunday")
    assert (reply.status, reply.value) == ("answered", "A")
