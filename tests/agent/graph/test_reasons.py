"""A refusal in words: why, where it lies instead, whom it may mean, and never more than was looked at."""

from collections.abc import Callable
from pathlib import Path

import pytest

from agent.ask import ask
from agent.graph.reasons import name_of
from agent.library import Library
from agent.reply import Reply
from tests.agent.graph.talk import LINES, UNNAMED, talk

WORLDS: dict[str, Callable[[Path], Library]] = {
    "named": lambda folder: talk(folder),
    "unnamed": lambda folder: talk(folder, UNNAMED),
    "twins": lambda folder: talk(folder, ("John Carter", "John Reyes", "Anna")),
    "words": lambda folder: talk(folder, kinds=("transcript",)),
    "begun": lambda folder: talk(folder, heard_ms=20_000),
    "noise": lambda folder: talk(folder, health={"emotion": 0.1}),
    "silent": lambda folder: talk(folder, lines=()),
    "voiceless": lambda folder: _without(talk(folder), "turn", "speaker"),
    "wordless": lambda folder: _without(talk(folder), "segment", "transcript"),
}
CASES = [
    ("named", "What did Marie say about the train?", "unknown_speaker",
     "Nobody called Marie speaks; who does: Ben (0:17), Anna (0:15), Carla (0:05). "
     "Marie is mentioned, which is not speaking: by Ben at 0:04."),
    ("named", "What did Anne say about the budget?", "unknown_speaker",
     "Nobody called Anne speaks; who does: Ben (0:17), Anna (0:15), Carla (0:05). Did you mean Anna?"),
    ("named", "What did Carla say about the train?", "not_said_by_speaker",
     "“train” is not in the transcript of what Carla says; it is in that of others: Ben at 0:14, Ben at 0:26."),
    ("named", "What did Ben say between 0:00 and 0:04?", "speaker_absent_in_range",
     "Ben was not heard between 0:00 and 0:04; the nearest turn is at 0:04–0:09."),
    ("named", "What did Carla say between 0:28 and 0:30?", "speaker_absent_in_range",
     "Carla was not heard between 0:28 and 0:30; the nearest turn is at 0:20–0:26."),
    ("named", "What did Ben say between 0:21 and 0:25?", "speaker_absent_in_range",
     "Ben was not heard between 0:21 and 0:25; the nearest turns are at 0:14–0:20 and 0:26–0:33."),
    ("named", "What was said after 5:00?", "out_of_range",
     "The recording is 1:00 long, so nothing can be heard after 5:00."),
    ("named", "Did Anna sound bored?", "stream_missing", "“boredom” is no emotion that was listened for."),
    ("unnamed", "What did Marie say about the train?", "speaker_unidentified",
     "No voice is known to be Marie; these have no name yet: SPEAKER_01 (17.4 s), SPEAKER_00 (15.8 s), "
     "SPEAKER_02 (5.5 s)."),
    ("unnamed", "How long did Ben speak?", "speaker_unidentified",
     "No voice is known to be Ben; these have no name yet: SPEAKER_01 (17.4 s), SPEAKER_00 (15.8 s), "
     "SPEAKER_02 (5.5 s). This may tell who it is: "
     "“I am Ben and I think the orchard will bloom, Marie told me so.” (0:04, SPEAKER_01)."),
    ("twins", "What did John say about the train?", "ambiguous_speaker",
     "John can be 2 people: John Reyes (0:17 of talk, who says “I am Ben and I think the orchard will bloom, Marie "
     "told me so.” at 0:04); John Carter (0:15 of talk, who says “Good morning, the budget is cut by ten percent.” "
     "at 0:00). Ask for one of them by the whole name."),
    ("words", "Was the siren heard?", "stream_missing",
     "No sounds were listened for in this recording (its streams: transcript)."),
    ("words", "How did Ben sound?", "stream_missing",
     "No emotions were listened for in this recording (its streams: transcript)."),
    ("words", "How long did Ben speak?", "stream_missing",
     "No voices were told apart in this recording (its streams: transcript)."),
    ("begun", "What was said after 0:30?", "not_heard_yet",
     "Of 1:00 only the first 0:20 has been heard so far; what is after 0:30 is not known yet."),
    ("named", "Who mentioned the submarine?", None, "“submarine” is not in the transcript."),
    ("named", "Who mentioned the train more than five times?", None,
     "Nothing keeps to that bound; the most is 2 (Ben)."),
    ("named", "Who spoke for more than 100 seconds?", None, "Nobody speaks for 100 s or more."),
    ("named", "When was the siren heard the third time?", None, "“siren” was not heard a 3rd time."),
    ("named", "Who spoke when the third siren was heard?", None, "Nobody speaks during the 3rd “siren”."),
    ("silent", "Who spoke?", None, "No speech was heard in this recording."),
    ("silent", "What was said?", None, "No speech was heard in this recording."),
    ("voiceless", "Who spoke?", None, "Words were heard, but no voices were told apart in this recording."),
    ("wordless", "What was said?", None, "Voices were heard, but no words in this recording."),
]  # fmt: skip


def _without(library: Library, table: str, kind: str) -> Library:
    """Take the rows of a stream away, which was computed all the same."""
    with library.database.writing() as connection:
        connection.execute(f"DELETE FROM {table}")
        connection.execute("UPDATE stream SET rows = 0, max_dur = 0 WHERE kind = ?", (kind,))
    return library


@pytest.fixture(scope="module")
def replies(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Reply]:
    """Ask in a world, which is made once."""
    made: dict[str, Library] = {}

    def asked(world: str, question: str) -> Reply:
        library = made.setdefault(world, made.get(world) or WORLDS[world](tmp_path_factory.mktemp(world)))
        return ask(library, question)

    return asked


@pytest.mark.parametrize(("world", "question", "reason", "text"), CASES, ids=lambda one: str(one)[:40])
def test_a_reason_in_words(
    replies: Callable[[str, str], Reply], world: str, question: str, reason: str | None, text: str
) -> None:
    reply = replies(world, question)
    assert reply.answer == text
    assert reply.status == ("refused" if reason else "not_found")
    assert (reply.refusal.reason if reply.refusal else None) == reason


@pytest.mark.parametrize(
    ("world", "question", "key", "there"),
    [
        ("named", "What did Zoe say about the train?", "speaker", ["Anna", "Ben", "Carla"]),
        ("named", "Did Anna sound bored?", "exists", ["anger", "neutral"]),
        ("words", "Was the siren heard?", "exists", ["transcript"]),
        ("begun", "What was said after 0:30?", "exists", ["0:00 to 0:20"]),
        ("named", "What was said after 5:00?", "exists", ["0:00 to 1:00"]),
        ("named", "What did Carla say about the train?", "quote",
         ["The train to Paris leaves at noon.", "The train was late and I was furious."]),
        ("twins", "What did John say about the train?", "speaker", ["John Carter", "John Reyes"]),
    ],
)  # fmt: skip
def test_what_there_is_instead_is_data_too(
    replies: Callable[[str, str], Reply], world: str, question: str, key: str, there: list[str]
) -> None:
    refusal = replies(world, question).refusal
    assert refusal is not None
    assert sorted(str(item[key]) for item in refusal.alternatives) == there


def test_a_stream_of_noise_is_named_with_what_can_be_asked(replies: Callable[[str, str], Reply]) -> None:
    reply = replies("noise", "How did Ben sound?")
    assert reply.refusal is not None
    assert reply.refusal.reason == "stream_unreliable"
    assert reply.answer.endswith(".")
    assert "emotion" not in [item["exists"] for item in reply.refusal.alternatives]


def test_every_row_that_a_refusal_names_is_cited(replies: Callable[[str, str], Reply]) -> None:
    reply = replies("named", "What did Carla say about the train?")
    places = {(t0 / 1000, text) for t0, _, _, text in LINES}
    assert [(one.start, one.quote) in places and one.verified for one in reply.citations] == [True, True]


@pytest.mark.parametrize(
    ("constraint", "name"),
    [
        ({"speaker": "Ada"}, "Ada"),
        ({"names": ["Ben", "Ada"]}, "Ben"),
        ({}, "somebody"),
        ({"label": "bell"}, "somebody"),
    ],
)
def test_whom_a_refusal_is_about(constraint: dict[str, object], name: str) -> None:
    assert name_of({"constraint": constraint}, None) == name
