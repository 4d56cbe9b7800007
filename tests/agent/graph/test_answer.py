"""What people read: whole sentences in plain words, the same for a voice, a topic, an emotion and a sound."""

from pathlib import Path
from typing import Any

import pytest

from agent.ask import ask
from agent.brains.protocol import Planned
from agent.brains.scripted import ScriptedBrain
from agent.library import Library
from store import recordings, streams
from store.record import Segment
from store.recordings import NewRecording
from store.streams import Source
from tests.agent.graph.talk import LINES, talk

SAID = [
    ("Did anyone sound sad?", "No: nobody was heard to sound sad."),
    ("Did Ben sound sad?", "No: Ben was not heard to sound sad."),
    ("When was someone happy?", "Nobody was heard to sound happy."),
    ("Who was angry?", "Ben sounds angry."),
    ("When was Ben angry?", "Ben sounds angry at 0:26–0:33."),
    ("How long was Ben angry?", "Ben sounds angry for 6.8 s."),
    ("Was Ben angry during the applause?", "Yes, Ben sounds angry during the “applause”, at 0:26."),
    (
        "How did Ben sound while talking about the train?",
        "Ben sounds mostly angry while talking about “train” (100% of the time that could be judged).",
    ),
    ("How long did Anna and Ben speak?", "Anna and Ben speak for 33.2 s."),
    ("How long was the siren?", "“siren” was heard for 3.0 s."),
    ("How often was the siren heard?", "“siren” was heard twice, at 0:10 and 0:36."),
    ("Was there any applause?", "Yes, “applause” was heard, at 0:30."),
    ("Who spoke when the applause was heard?", "Ben speaks during the “applause”."),
    ("Who mentioned the budget and Friday?", "Anna (at 0:00) mentions “budget” or “Friday”: "),
    ("Who spoke between 0:41 and 0:44?", "Nobody speaks between 0:41 and 0:44."),
    ("Who spoke before the applause?", "Anna, Ben and Carla speak before the “applause”."),
    ("How often did Ben mention wasps?", "None: “wasps” is not in the transcript of what Ben says."),
    ("How long was Anna angry?", "For 0 s: Anna was not heard to sound angry."),
    ("Who mentioned wasps?", "“wasps” is not in the transcript."),
]


@pytest.mark.parametrize(("question", "sentence"), SAID)
def test_an_answer_is_a_plain_sentence(tmp_path: Path, question: str, sentence: str) -> None:
    assert ask(talk(tmp_path), question).answer.startswith(sentence)


def voiceless(folder: Path, said: list[str]) -> Library:
    """Publish lines of three seconds whose speakers nobody noted, in a library."""
    library = Library(folder)
    rows = [Segment(4_000 * i + 1_000, 4_000 * i + 4_000, text) for i, text in enumerate(said)]
    with library.database.writing() as connection:
        added = recordings.add(connection, NewRecording("be" * 32, "Bees", "import", 60_000))
        version = streams.new_version(connection, added.id, "transcript", Source("test", {}))
        streams.publish(connection, version, rows)
        streams.finish(connection, added.id, "en")
    return library


def test_without_voices_a_mention_is_placed_and_nobody_is_named(tmp_path: Path) -> None:
    library = voiceless(tmp_path, ["The bees are back.", "We counted forty bees."])
    reply = ask(library, "Who mentioned bees?")
    assert reply.answer == "“bees” is mentioned at 0:01 and 0:05; who speaks there is not known."
    assert (reply.status, reply.value) == ("answered", None)
    assert [cited.start for cited in reply.citations] == [1.0, 5.0]


def test_in_a_recording_without_words_no_speech_was_heard(tmp_path: Path) -> None:
    assert ask(voiceless(tmp_path, []), "What did they say?").answer == "No speech was heard in this recording."


def test_a_stream_that_is_missing_is_told_to_a_person(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path, kinds=("transcript", "speaker")), "Was a siren heard?")
    assert reply.answer == "No sounds were listened for in this recording (its streams: transcript, speaker)."


def test_an_emotion_that_was_not_listened_for_is_refused_with_those_that_were_heard(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path), "Who was bored?")
    assert reply.refusal is not None
    assert reply.answer == "“boredom” is no emotion that was listened for."
    assert reply.refusal.alternatives == [{"exists": "anger"}, {"exists": "neutral"}]


def test_what_lies_beside_a_sound_says_that_nobody_spoke_during_it(tmp_path: Path) -> None:
    lines = (*LINES[:2], (12_500, 14_000, 0, "It is quiet again."))
    answer = ask(talk(tmp_path, lines=lines), "What was said during the siren?").answer
    assert answer.startswith("Nobody speaks during the “siren”; nearest to it: ")


def test_a_cut_list_of_quotes_counts_the_rest(tmp_path: Path) -> None:
    lines = [(i * 1_000, i * 1_000 + 900, 0, f"The budget has page {i}.") for i in range(11)]
    assert ask(talk(tmp_path, lines=lines), "What did Anna say about the budget?").answer.endswith("… and 3 more")


def test_who_is_absent_is_told_by_the_nearest_turns(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path), "What did Anna say about the train between 0:15 and 0:30?")
    assert reply.answer == "Anna was not heard between 0:15 and 0:30; the nearest turns are at 0:09–0:14 and 0:33–0:40."
    assert [cited.start for cited in reply.citations] == [9.1, 33.1]


def test_a_total_cites_several_turns_of_the_one_it_is_of(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path), "Who spoke the most?")
    assert reply.value == "Ben"
    assert [(c.start, c.speaker) for c in reply.citations] == [(4.2, "Ben"), (14.2, "Ben"), (26.2, "Ben")]


def test_an_answer_beside_what_was_asked_is_one_sentence(tmp_path: Path) -> None:
    lines = ((0, 4_000, 0, "The funding."), (14_000, 16_000, 2, "It is quiet again."))
    calls: list[dict[str, Any]] = [
        {"name": "speaker", "args": {}, "id": "s"},
        {"name": "events", "args": {"labels": ["siren"]}, "id": "e"},
        {"name": "fuse", "args": {"anchor": "s", "joins": [{"stream": "e"}], "answer_schema": "when"}, "id": "f"},
    ]
    brain = ScriptedBrain(script=(Planned(calls),))
    reply = ask(talk(tmp_path, lines=lines), "When did somebody speak during the siren?", brain=brain)
    assert "widened: within 2.5 s beside" in reply.caveats
    assert reply.answer == (
        "Nobody speaks during the “siren”; nearest to it: somebody speaks close to the “siren” at 0:14–0:16."
    )


OVER = (
    (0, 4_000, 0, "Good morning."),
    (3_000, 6_000, 1, "Morning."),
    (5_500, 8_000, 0, "Shall we begin?"),
    (9_000, 12_000, 2, "Yes."),
)


@pytest.mark.parametrize(
    ("question", "value", "text"),
    [
        ("For how long do people overlap?", 1.5, "People speak at the same time for 1.5 s."),
        ("How long do Ben and Carla talk at the same time?", 0.0, "Ben and Carla do not speak at the same time."),
        (
            "How often do people talk over each other?",
            2,
            "People speak at the same time twice, at 0:03–0:04 and 0:05–0:06.",
        ),
        (
            "How long do people talk over each other before 0:05?",
            1.0,
            "People speak at the same time for 1.0 s before 0:05.",
        ),
        ("How long do people overlap after 0:09?", 0.0, "No two people overlap after 0:09."),
    ],
)
def test_how_long_and_how_often_people_overlap(tmp_path: Path, question: str, value: object, text: str) -> None:
    reply = ask(talk(tmp_path, lines=OVER, kinds=("speaker",)), question)
    assert (reply.status, reply.value, reply.answer) == ("answered", value, text)


def test_a_question_that_is_not_understood_is_not_blamed_on_missing_words(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path, kinds=("speaker",)), "How did Anna react to the late train?")
    assert reply.status == "not_found"
    assert "not understood" in reply.answer
