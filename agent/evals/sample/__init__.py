"""The sample recording: a made meeting with its truth and questions; see README.md here."""

import json
import sqlite3
from pathlib import Path

from agent.evals.exam import Exam, Key, read
from store import edits, speakers
from store.clock import end_ms

FOLDER = Path(__file__).resolve().parent


def exam() -> Exam:
    """Give the sample's questions with their right answers."""
    return read(FOLDER / "questions.json")


def labels(connection: sqlite3.Connection, rec_id: int) -> dict[str, str]:
    """Give the label of the voice that each person of the sample was heard as, where somebody was heard."""
    query = (
        "SELECT s.label FROM turn t JOIN speaker s ON s.id = t.speaker_id JOIN stream v ON v.id = t.stream_id"
        " WHERE v.active = 1 AND t.rec_id = ? AND t.t0 <= ? AND t.t1 > ? ORDER BY t.t1 - t.t0 DESC LIMIT 1"
    )
    moments = {name: end_ms(second) for name, second in exam().names.items()}
    found = {name: connection.execute(query, (rec_id, at, at)).fetchone() for name, at in moments.items()}
    return {name: str(row[0]) for name, row in found.items() if row is not None}


def name_voices(connection: sqlite3.Connection, rec_id: int) -> dict[str, str]:
    """Name the voices that have no name yet, and give the names by label; a voice heard as two people gets one."""
    unnamed = {voice.label for voice in speakers.voices(connection, rec_id) if voice.name is None}
    given = {label: name for name, label in reversed(labels(connection, rec_id).items()) if label in unnamed}
    for label, name in given.items():
        edits.rename(connection, rec_id, label, name)
    return given


def key(voices: dict[str, str] | None = None) -> Key:
    """Give what the questions' names stand for (labels while voices are unnamed) and the planted events' families."""
    truth = json.loads((FOLDER / "truth.json").read_text(encoding="utf-8"))
    return Key(voices or {}, {event["label"]: event["family"] for event in truth["events"]})
