"""Many transcripts are searched at once, and each gives what it gives alone: no older version, no recording between."""

import pytest

from store import recordings, streams
from store.database import Database
from store.keywords import hits, together
from store.matching import matching
from store.record import Segment

SAID = (
    ["the red folder", "is 50% full", "of red", "folders and a red", "folder"],
    ["a red folder nobody asked about", "50% of red"],
    ["red red folder", "no budget", "the red", "folder is 50% red"],
)
TERMS = ["red", "red folder", "%", "50%", "nothing", "", together(["red", "folder"])]


@pytest.fixture
def transcripts(database: Database) -> list[tuple[int, int]]:
    """Three recordings, each with an older version that says the same once more."""
    found = []
    with database.writing() as connection:
        for number, texts in enumerate(SAID):
            new = recordings.NewRecording(f"{number:064x}", f"talk {number}", "import", 100_000)
            rec = recordings.add(connection, new).id
            for version in (texts * 2, texts):
                stream = streams.new_version(connection, rec, "transcript", streams.Source("test", {}))
                said = [Segment(1_000 * n, 1_000 * n + 900, text, "Ada") for n, text in enumerate(version)]
                streams.publish(connection, stream, said)
            found.append((rec, stream))
    return found


def test_transcripts_asked_together_give_what_each_gives_alone(
    database: Database, transcripts: list[tuple[int, int]]
) -> None:
    with database.reader() as connection:
        for asked in (transcripts, transcripts[::2], transcripts[1:], transcripts[:1], []):
            alone = [hit for one in asked for hit in hits(connection, [one], TERMS)]
            assert hits(connection, asked, TERMS) == alone
            assert {hit.segment_id >> 20 for hit in alone} == {rec for rec, _ in asked}


def test_a_phrase_runs_over_borders_in_each_transcript(database: Database, transcripts: list[tuple[int, int]]) -> None:
    with database.reader() as connection:
        found = hits(connection, transcripts, ["red folder"])
    assert [(hit.segment_id >> 20, hit.onward is not None) for hit in found] == [
        (1, False), (1, True), (2, False), (3, False), (3, True),
    ]  # fmt: skip


def test_one_statement_serves_all_transcripts(database: Database, transcripts: list[tuple[int, int]]) -> None:
    """Each statement ranks by every match in the library, so one for each recording would take their number times."""
    ran: list[str] = []
    with database.reader() as connection:
        connection.set_trace_callback(ran.append)
        list(matching(connection, transcripts, '"red"'))
        hits(connection, transcripts, ["red"])
    assert sum("MATCH '\"red\"'" in statement for statement in ran) == 2
