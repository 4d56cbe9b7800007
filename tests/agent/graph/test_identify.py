"""What a refusal points to: mentions, people who name themselves, voices without a name, in every recording."""

from pathlib import Path

import pytest

from agent.ask import ask
from agent.reply import Reply
from store.edits import merge, rename
from tests.agent.graph.talk import UNNAMED, talk

ASKED = "What did Marie say about the train?"


def kinds(reply: Reply, kind: str) -> list[dict[str, object]]:
    assert reply.refusal is not None, reply.answer
    return [one for one in reply.refusal.alternatives if one.get("kind") == kind]


def test_a_recording_without_words_hides_no_mentions_in_others(tmp_path: Path) -> None:
    library = talk(tmp_path, title="Talk")
    alone = ask(library, ASKED, recording="Talk")
    talk(tmp_path, title="Sounds", kinds=("speaker", "events"))
    reply = ask(library, ASKED)
    assert [one["quote"] for one in kinds(alone, "mentioned")] == [one["quote"] for one in kinds(reply, "mentioned")]
    assert kinds(reply, "mentioned")


def test_voices_without_a_name_come_longest_first_without_the_doubtful(tmp_path: Path) -> None:
    library = talk(tmp_path, UNNAMED)
    with library.database.writing() as connection:
        connection.execute("UPDATE speaker SET doubt = 'no clean turn' WHERE label = 'SPEAKER_02'")
    voices = kinds(ask(library, ASKED), "unnamed")
    assert [(voice["speaker"], voice["turns"]) for voice in voices] == [("SPEAKER_01", 3), ("SPEAKER_00", 3)]
    assert voices[0]["quote"] == "I am Ben and I think the orchard will bloom, Marie told me so."
    assert (voices[0]["start"], voices[0]["end"]) == (4.2, 9.0)


def test_a_voice_that_was_named_or_merged_is_not_without_a_name(tmp_path: Path) -> None:
    library = talk(tmp_path, UNNAMED)
    with library.database.writing() as connection:
        rename(connection, 1, "SPEAKER_00", "Anna")
        merge(connection, 1, "SPEAKER_01", "SPEAKER_02")
    voices = kinds(ask(library, ASKED), "unnamed")
    assert [(voice["speaker"], voice["turns"]) for voice in voices] == [("SPEAKER_01", 4)]
    with library.database.writing() as connection:
        rename(connection, 1, "SPEAKER_01", "Ben")
    reply = ask(library, ASKED)
    assert reply.refusal is not None
    assert reply.refusal.reason == "unknown_speaker"
    assert kinds(reply, "unnamed") == []


def test_who_names_themselves_is_evidence(tmp_path: Path) -> None:
    reply = ask(talk(tmp_path, UNNAMED), "What did Ben say about the train?")
    (line,) = kinds(reply, "evidence")
    assert (line["speaker"], line["quote"]) == (
        "SPEAKER_01",
        "I am Ben and I think the orchard will bloom, Marie told me so.",
    )
    assert [(one.start, one.verified) for one in reply.citations] == [(4.2, True)]


@pytest.mark.parametrize("name", ["Zoe" * 80, "%", "'; --", "李", "Ｚｏｅ"])
def test_any_name_can_be_looked_for(tmp_path: Path, name: str) -> None:
    reply = ask(talk(tmp_path), f"How long did {name} speak?")
    assert reply.status != "failed"
