"""A refusal's parts: counts that SQL gives again, where was looked, how much was heard of whom, and how well."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from agent.ask import ask
from agent.library import Library
from agent.reply import Refusal, Reply
from store import recordings, streams
from store.catalog import catalog
from store.edits import merge, rename
from store.record import Segment, Turn
from tests.agent.graph.talk import UNNAMED, talk
from tools.call import Session

MANY = 260  # more turns than are listed beside a value that is computed from all of them


def refusal(reply: Reply) -> Refusal:
    assert reply.status == "refused", reply.answer
    assert reply.refusal is not None
    return reply.refusal


def published(folder: Path, said: Sequence[Segment], turns: Sequence[Turn], *, title: str = "Long") -> Library:
    library = Library(folder)
    with library.database.writing() as connection:
        new = recordings.NewRecording(title.encode().hex().zfill(64)[:64], title, "import", 100 * 3_600_000)
        rec = recordings.add(connection, new).id
        words = streams.new_version(connection, rec, "transcript", streams.Source("test", {}))
        streams.publish(connection, words, said)
        voices = streams.new_version(connection, rec, "speaker", streams.Source("test", {}))
        streams.publish(connection, voices, turns)
        streams.finish(connection, rec, "en")
    return library


def test_every_count_is_given_again_by_its_sql(tmp_path: Path) -> None:
    library = talk(tmp_path)
    found = refusal(ask(library, "What did Carla say about the train?"))
    assert found.reason == "not_said_by_speaker"
    assert found.counts["all"] == 0
    assert {f"without {name}" for name in found.searched["minimal"]} <= set(found.counts)
    with library.database.reader() as connection:
        scope = catalog(connection, recordings.every(connection))
    with Session(library.database, scope) as session:
        for name, sql in found.searched["sql"].items():
            assert session.recount(sql, found.searched["keywords"]) == found.counts[name]


@pytest.mark.parametrize("score", [None, 0.2, 0.5])
def test_coverage_is_of_all_turns_however_many(tmp_path: Path, score: float | None) -> None:
    """Turns of a second, all after the first day; only scores below a half are heard poorly."""
    day = 24 * 3_600_000
    turns = [Turn(day + n * 2_000, day + n * 2_000 + 1_000, "Ben", score) for n in range(MANY)]
    said = [Segment(turn.t0, turn.t1, "so it goes", "Ben") for turn in turns]
    said.append(Segment(0, 4_000, "The tunnel is closed.", "Anna"))
    library = published(tmp_path, said, [Turn(0, 4_000, "Anna", 0.9), *turns])
    found = refusal(ask(library, "What did Ben say about the tunnel?"))
    assert found.coverage["turns"] == MANY
    assert found.coverage["seconds"] == MANY
    assert found.coverage["poorly_heard_seconds"] == (MANY if score == 0.2 else 0)


def test_what_is_heard_poorly_is_never_more_than_what_is_heard(tmp_path: Path) -> None:
    """Two turns at once are one stretch of time."""
    turns = [Turn(0, 4_000, "Anna", 0.9), Turn(5_000, 9_000, "Ben", 0.1), Turn(6_000, 10_000, "Ben", 0.1)]
    said = [Segment(0, 4_000, "The tunnel is closed.", "Anna"), Segment(5_000, 9_000, "So it is.", "Ben")]
    coverage = refusal(ask(published(tmp_path, said, turns), "What did Ben say about the tunnel?")).coverage
    assert (coverage["seconds"], coverage["poorly_heard_seconds"], coverage["turns"]) == (5.0, 5.0, 2)


def test_coverage_lies_in_the_range_that_was_asked_for(tmp_path: Path) -> None:
    turns = [Turn(0, 4_000, "Anna", 0.9), Turn(3_000, 9_000, "Ben", 0.1), Turn(20_000, 30_000, "Ben", 0.1)]
    said = [Segment(0, 4_000, "The tunnel is closed.", "Anna"), Segment(5_000, 9_000, "So it is.", "Ben")]
    asked = "What did Ben say about the tunnel in the first five seconds?"
    coverage = refusal(ask(published(tmp_path, said, turns), asked)).coverage
    assert (coverage["seconds"], coverage["poorly_heard_seconds"]) == (2.0, 2.0)


@pytest.mark.parametrize(
    ("question", "people", "reason", "lacks"),
    [
        ("What did Zoe say about the train?", ("Anna", "Ben", "Carla"), "unknown_speaker", "refusal"),
        ("What did Zoe say about the train?", UNNAMED, "speaker_unidentified", "refusal"),
        ("What did John say about the train?", ("John Carter", "John Reyes", "Anna"), "ambiguous_speaker", "coverage"),
        ("What was said after 5:00?", ("Anna", "Ben", "Carla"), "out_of_range", "coverage"),
    ],
)
def test_what_a_refusal_says_it_looked_at(
    tmp_path: Path, question: str, people: tuple[str, ...], reason: str, lacks: str
) -> None:
    reply = ask(talk(tmp_path, people), question)
    found = refusal(reply)
    assert found.reason == reason
    assert found.searched["recordings"]
    assert found.searched["seconds"] == 60
    assert reply.value is None
    assert reply.exit == 5
    if lacks == "coverage":
        assert found.coverage == {}


def test_unnamed_voices_of_every_recording_come_with_an_excerpt(tmp_path: Path) -> None:
    """Labels are the same in each recording, and the first recording says more than is looked at of one."""
    busy = [(n * 2_000, n * 2_000 + 1_500, n % 3, f"line number {n}") for n in range(75)]
    library = talk(tmp_path, UNNAMED, lines=busy, title="Busy")
    talk(tmp_path, UNNAMED, title="Other")
    found = refusal(ask(library, "What did Zoe say about the train?"))
    voices = [one for one in found.alternatives if one.get("kind") == "unnamed"]
    assert {voice["recording"].split("-")[0] for voice in voices} == {"busy", "other"}
    assert all(voice.get("quote") for voice in voices), voices


def test_a_person_is_refused_by_the_name_that_was_asked_for_after_edits(tmp_path: Path) -> None:
    library = talk(tmp_path)
    with library.database.writing() as connection:
        rename(connection, 1, "Carla", "Zoë")
        merge(connection, 1, "Anna", "Zoë")
    assert refusal(ask(library, "What did Zoe say about the train?")).reason == "not_said_by_speaker"
    assert "Ben" in ask(library, "What did Anna say about the train?").answer
    assert ask(library, "How often did Zoë mention contracts?").value == 1
    assert refusal(ask(library, "What did Marie say about the train?")).reason == "unknown_speaker"
