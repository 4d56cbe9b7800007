"""A meeting is imported as it was said."""

from pathlib import Path

from agent.evals.qmsum.meetings import Meeting, publish
from store.database import Database


def test_a_meeting_is_imported_as_it_was_said(few: list[Meeting], database: Database, tmp_path: Path) -> None:
    for jitter in (None, 3):
        meeting = few[0] if jitter is None else few[1]
        recording = publish(database, meeting, tmp_path, jitter)
        with database.reader() as connection:
            rows = connection.execute(
                "SELECT g.text, s.label, g.t0, g.t1 FROM segment g JOIN speaker s ON s.id = g.speaker_id"
                " WHERE g.rec_id = ? ORDER BY g.id",
                (recording.id,),
            ).fetchall()
        assert [(row[0], row[1]) for row in rows] == [(piece.text, piece.speaker) for piece in meeting.pieces]
        assert all(row[3] - row[2] <= 45_000 for row in rows)
        assert [row[2] for row in rows] == sorted(row[2] for row in rows)
