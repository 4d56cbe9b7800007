"""What was asked about one speaker and is asked about another is refused where that one says nothing of it."""

from pathlib import Path

from agent.ask import ask
from agent.evals.qmsum.meetings import Meeting, publish
from agent.evals.qmsum.swaps import asked_about, swaps
from agent.graph.topic import words
from agent.library import Library


def test_who_says_none_of_the_words_is_not_quoted(few: list[Meeting], tmp_path: Path) -> None:
    library = Library(tmp_path / "library")
    asked = 0
    for meeting in few[:2]:
        recording = publish(library.database, meeting, tmp_path).public_id
        for swap in swaps(meeting, words, most=1):
            reply = ask(library, swap.swapped, recording=recording)
            if swap.hard:
                asked += 1
                assert reply.status in ("refused", "not_found"), swap
            assert {c.speaker for c in reply.citations if reply.status == "answered"} <= {swap.other}
    assert asked >= 3


def test_only_a_question_about_one_person_is_swapped(few: list[Meeting]) -> None:
    meeting = few[0]
    assert asked_about(meeting, "What did Grad C think about the schema?") == "Grad C"
    assert asked_about(meeting, "What did Grad C and Grad G discuss?") is None
    assert asked_about(meeting, "What did the team think about the schema?") is None
