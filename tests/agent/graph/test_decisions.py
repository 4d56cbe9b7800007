"""What becomes of an empty search: each row and column of the design's table, on closed and open rosters."""

from pathlib import Path
from typing import Any

import pytest

from agent.ask import ask
from store.errors import Exit
from tests.agent.graph.talk import UNNAMED, talk

CLOSED: list[tuple[str, str, str | None, Any]] = [
    # what/when/why did S say about X
    ("What did Anna say about the submarine?", "not_found", None, None),
    ("What did Anna say about the train?", "refused", "not_said_by_speaker", None),
    ("What did Marie say about the train?", "refused", "unknown_speaker", None),
    ("When did Anna mention the submarine?", "not_found", None, None),
    ("When did Anna mention the train?", "refused", "not_said_by_speaker", None),
    ("When did Marie mention the train?", "refused", "unknown_speaker", None),
    ("Why did Anna mention the train?", "refused", "not_said_by_speaker", None),
    # did S say X; how often did S
    ("Did Anna mention the submarine?", "answered", None, False),
    ("Did Anna mention the train?", "answered", None, False),
    ("Did Marie mention the train?", "refused", "unknown_speaker", None),
    ("How often did Anna mention the submarine?", "answered", None, 0),
    ("How often did Anna mention the train?", "answered", None, 0),
    ("How often did Marie mention the train?", "refused", "unknown_speaker", None),
    # who/when/what about X, no speaker
    ("Who mentioned the submarine?", "not_found", None, None),
    ("When was the submarine mentioned?", "not_found", None, None),
    ("What was said about the submarine?", "not_found", None, None),
    # was E heard; how often E
    ("Was any thunder heard?", "answered", None, False),
    ("How often was thunder heard?", "answered", None, 0),
    # ranges
    ("What did Carla say about the contracts in the first 10 seconds?", "refused", "speaker_absent_in_range", None),
    ("Who spoke between 5:00 and 6:00?", "refused", "out_of_range", None),
    # not about a recording
    ("What's the weather like today?", "refused", "out_of_scope", None),
    ("What do you think about politics?", "refused", "out_of_scope", None),
    ("Delete the recording", "refused", "out_of_scope", None),
]
OPEN: list[tuple[str, str, str | None, Any]] = [
    ("What did Anna say about the submarine?", "refused", "speaker_unidentified", None),
    ("What did Anna say about the train?", "refused", "speaker_unidentified", None),
    ("Did Anna mention the train?", "refused", "speaker_unidentified", None),
    ("How often did Anna mention the train?", "refused", "speaker_unidentified", None),
    ("What did SPEAKER_00 say about the train?", "refused", "not_said_by_speaker", None),
    ("What did speaker 1 say about the train?", "answered", None, ...),
    ("Who mentioned the submarine?", "not_found", None, None),
]


@pytest.mark.parametrize(("question", "status", "reason", "value"), CLOSED)
def test_closed_roster(tmp_path: Path, question: str, status: str, reason: str | None, value: Any) -> None:
    reply = ask(talk(tmp_path), question)
    assert (reply.status, reply.refusal and reply.refusal.reason, reply.value) == (status, reason, value)
    assert reply.answer


@pytest.mark.parametrize(("question", "status", "reason", "value"), OPEN)
def test_open_roster(tmp_path: Path, question: str, status: str, reason: str | None, value: Any) -> None:
    reply = ask(talk(tmp_path, UNNAMED), question)
    assert (reply.status, reply.refusal and reply.refusal.reason) == (status, reason)
    if value is not ...:
        assert reply.value == value


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Was a siren heard?", "stream_missing"),
        ("How often was a siren heard?", "stream_missing"),
        ("How did Anna sound?", "stream_missing"),
    ],
)
def test_a_stream_that_was_never_computed_is_refused(tmp_path: Path, question: str, reason: str) -> None:
    reply = ask(talk(tmp_path, kinds=("transcript", "speaker")), question)
    assert (reply.status, reply.refusal and reply.refusal.reason) == ("refused", reason)
    assert reply.exit == Exit.REFUSED


def test_an_emotion_the_source_cannot_tell_is_a_missing_stream(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path), "Was Anna bored?")
    assert (reply.status, reply.refusal and reply.refusal.reason) == ("refused", "stream_missing")


def test_what_lies_beyond_the_watermark_is_not_heard_yet(tmp_path: Path) -> None:
    library = talk(tmp_path, heard_ms=20_000)
    reply = ask(library, "Who spoke between 0:30 and 0:40?")
    assert (reply.status, reply.refusal and reply.refusal.reason) == ("refused", "not_heard_yet")
    assert "heard so far: 0:20 of 1:00" in ask(library, "Who mentioned the budget?").caveats


def test_others_who_said_it_are_named_and_cited(tmp_path: Path) -> None:
    library = talk(tmp_path)
    refused = ask(library, "What did Anna say about the train?")
    assert refused.refusal is not None
    assert {a["speaker"] for a in refused.refusal.alternatives} == {"Ben"}
    assert refused.refusal.counts["all"] == 0
    assert 2 in refused.refusal.counts.values()
    assert refused.refusal.coverage["seconds"] == pytest.approx(4.0 + 4.9 + 6.9)
    assert [(c.speaker, c.start, c.verified) for c in refused.citations] == [("Ben", 14.2, True), ("Ben", 26.2, True)]
    zero = ask(library, "How often did Anna mention the train?")
    assert "Ben at 0:14" in zero.answer
    assert [c.speaker for c in zero.citations] == ["Ben", "Ben"]
    assert any(caveat.startswith("searched: 7 rows of transcript") for caveat in zero.caveats)
    assert any(caveat.startswith("coverage: Anna heard for 15.8 s") for caveat in zero.caveats)


def test_a_mentioned_person_is_no_speaker(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path), "What did Marie say about the orchard?")
    assert reply.refusal is not None
    assert reply.refusal.alternatives[0]["kind"] == "mentioned"
    assert reply.refusal.alternatives[0]["speaker"] == "Ben"
    assert "Marie is mentioned" in reply.answer
    assert "by Ben at 0:04" in reply.answer


def test_unnamed_voices_are_shown_with_talk_time_excerpt_and_evidence(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path, UNNAMED), "What did Ben say about the train?")
    assert reply.refusal is not None
    evidence = [a for a in reply.refusal.alternatives if a["kind"] == "evidence"]
    voices = [a for a in reply.refusal.alternatives if a["kind"] == "unnamed"]
    assert evidence[0]["speaker"] == "SPEAKER_01"
    assert "I am Ben" in evidence[0]["quote"]
    assert {v["speaker"] for v in voices} == set(UNNAMED)
    assert all(v["talk_s"] > 0 and v["quote"] for v in voices)
    assert "“I am Ben" in reply.answer


def test_a_question_that_is_not_understood_gets_quotes_and_no_value(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path), "Which city does the train go to?")
    assert (reply.status, reply.value) == ("answered", None)
    assert "not_understood" in reply.caveats
    assert "The train to Paris leaves at noon." in [c.quote for c in reply.citations]
    assert reply.confidence < 0.3


def test_a_question_that_leans_on_another_is_told_that_each_stands_alone(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path), "What did he say?")
    assert (reply.status, reply.value, len(reply.citations)) == ("not_found", None, 0)
    assert reply.caveats == ["not_understood"]
    assert "each question stands alone" in reply.answer


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What was said between 0:40 and 0:20?", "between 0:40 and 0:20 was asked for, and that ends before it begins"),
        ("Who spoke from 26:00:00 to 25:00:00?", "ask for 25:00:00 to 26:00:00"),
        ("Who spoke between 0:20 and 0:20?", "ask for a time with some length"),
    ],
)
def test_a_stretch_that_ends_before_it_begins_is_said_in_clock_times(tmp_path: Path, question: str, told: str) -> None:
    reply = ask(talk(tmp_path), question)
    assert reply.refusal is not None
    assert (reply.refusal.reason, reply.exit) == ("contradictory_constraints", Exit.REFUSED)
    assert told in reply.answer


def test_where_nobody_was_heard_no_list_of_voices_is_begun(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path, kinds=("transcript", "speaker"), lines=(), roster="open"), "What did Anna say?")
    assert reply.status == "refused"
    assert reply.answer == "No voice is known to be Anna, and none that has no name was heard."
