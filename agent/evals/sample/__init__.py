"""The sample recording: a made meeting with its truth and two suites of questions; see README.md here."""

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from store import edits, speakers
from store.clock import end_ms

if TYPE_CHECKING:
    from agent.evals.suites.suite import Case, Suite

FOLDER = Path(__file__).resolve().parent
RECORDING, TITLE = FOLDER / "meeting.opus", "Festival meeting"
NAMES = {"Ada": 10.0, "Ben": 38.0, "Oliver": 68.0, "Victor": 92.0}
"""For each person a second at which that person surely speaks alone."""


def suite() -> "Suite":
    """Give the questions with their right answers, once the voices have their names."""
    from agent.evals.suites.suite import load

    return load(FOLDER / "suite.yaml")


def unnamed(voices: dict[str, str]) -> "Suite":
    """Give the questions for voices without a name; `voices` gives the label that each person was heard as."""
    from agent.evals.suites.reading import yaml_text
    from agent.evals.suites.suite import checked

    path = FOLDER / "unnamed.yaml"
    text = path.read_text(encoding="utf-8")
    for name, label in voices.items():
        text = text.replace(f"the voice of {name}", label)
    return checked(yaml_text(text), path)


def shown() -> "list[Case]":
    """Give the cases that the demo asks."""
    return [case for case in suite().cases if case.metadata.get("demo")]


def labels(connection: sqlite3.Connection, rec_id: int) -> dict[str, str]:
    """Give the label of the voice that each person of the sample was heard as, where somebody was heard."""
    query = (
        "SELECT s.label FROM turn t JOIN speaker s ON s.id = t.speaker_id JOIN stream v ON v.id = t.stream_id"
        " WHERE v.active = 1 AND t.rec_id = ? AND t.t0 <= ? AND t.t1 > ? ORDER BY t.t1 - t.t0 DESC LIMIT 1"
    )
    moments = {name: end_ms(second) for name, second in NAMES.items()}
    found = {name: connection.execute(query, (rec_id, at, at)).fetchone() for name, at in moments.items()}
    return {name: str(row[0]) for name, row in found.items() if row is not None}


def name_voices(connection: sqlite3.Connection, rec_id: int) -> dict[str, str]:
    """Name the voices that have no name yet, and give the names by label; a voice heard as two people gets one."""
    unnamed = {voice.label for voice in speakers.voices(connection, rec_id) if voice.name is None}
    given = {label: name for name, label in reversed(labels(connection, rec_id).items()) if label in unnamed}
    for label, name in given.items():
        edits.rename(connection, rec_id, label, name)
    return given
