"""Two meetings and a secret in one library: what the fence must keep apart, and an unfenced copy that keeps nothing."""

import sqlite3
from pathlib import Path

from store import recordings, streams
from store.catalog import Catalog, catalog
from store.database import Database
from store.fence import Layers, open_fence
from store.guard import PLAN
from store.keywords import Hit
from store.record import Emotion, Event, Segment, Turn, Word
from store.views import HITS, PUBLIC

CANARY = "sk-CANARY"
OTHER = "blue heron"
SAID = (
    "good morning everyone let us start with the budget",
    "the budget is twelve percent over what we approved",
    "I don't think that 50% of it is ours, that's the vendor",
    "could we ask Carol about the pricing sheet",
    "yes and the deadline moves to Friday",
)
NAMES = ("Alice", "Bob", "SPEAKER_02")


def library(folder: Path) -> Database:
    """A library of two recordings (ids 1 and 2) and a table of secrets."""
    database = Database.open(folder)
    with database.writing() as connection:
        _meeting(connection, "Budget meeting", "1" * 64, list(SAID))
        _meeting(connection, "Board meeting", "2" * 64, [f"the {OTHER} budget is secret {n}" for n in range(3)])
        connection.execute("CREATE TABLE secrets(k TEXT, v TEXT)")
        connection.execute("INSERT INTO secrets VALUES('api', ?)", (CANARY,))
    return database


def first(database: Database) -> Catalog:
    """The catalog of the first recording alone."""
    with database.reader() as connection:
        return catalog(connection, recordings.every(connection)[:1])


def hits() -> list[Hit]:
    """One hit in each meeting."""
    return [Hit("budget", 1 << 20, -2.5), Hit("budget", 2 << 20, -2.0), Hit("~money", (1 << 20) + 1, -0.8)]


def naive(database: Database, path: Path, canary: str = CANARY) -> sqlite3.Connection:
    """An unfenced copy: the views of both meetings as plain tables, beside the secrets."""
    copy = sqlite3.connect(path, isolation_level=None)
    copy.execute("PRAGMA synchronous=OFF")
    copy.execute("BEGIN")
    copy.execute("CREATE TABLE secrets(k TEXT, v TEXT)")
    copy.execute("INSERT INTO secrets VALUES('api', ?)", (canary,))
    copy.execute("CREATE TABLE segment(id INTEGER, text TEXT)")
    with open_fence(database, first(database), layers=Layers(scope=False, guard=False)) as fence:
        for view in PUBLIC:
            result = fence.run(f"SELECT * FROM {view}", PLAN)
            copy.execute(f"CREATE TABLE {view}({', '.join(result.columns)})")
            marks = ", ".join("?" * len(result.columns))
            copy.executemany(f"INSERT INTO {view} VALUES({marks})", result.rows)
    copy.execute("INSERT INTO segment SELECT segment_id, text FROM transcript")
    rows = [(hit.term, hit.segment_id, hit.rank) for hit in hits()]
    copy.executemany(f"INSERT INTO {HITS}(term, segment_id, rank) VALUES(?, ?, ?)", rows)
    copy.execute("COMMIT")
    return copy


def _meeting(connection: sqlite3.Connection, title: str, sha256: str, said: list[str]) -> None:
    new = recordings.NewRecording(sha256, title, "import", 600_000)
    rec_id = recordings.add(connection, new).id
    source = streams.Source("test", {})
    version = {kind: streams.new_version(connection, rec_id, kind, source) for kind in streams.TABLES}
    streams.publish(connection, version["transcript"], [_segment(n, said[n % len(said)]) for n in range(40)])
    streams.publish(connection, version["speaker"], [Turn(n * 5000, n * 5000 + 4000, _name(n)) for n in range(40)])
    moods = ("neutral", "anger", "happiness")
    streams.publish(
        connection,
        version["emotion"],
        [Emotion(n * 5000, n * 5000 + 4000, moods[n % 3], 0.5 + n / 100, speaker=_name(n)) for n in range(40)],
    )
    sounds = ("Laughter", "Siren", "Dog", "Music")
    streams.publish(
        connection,
        version["events"],
        [Event(n * 15_000, n * 15_000 + 2500, sounds[n % 4], 0.4 + n / 40) for n in range(12)],
    )
    streams.finish(connection, rec_id, "en")


def _segment(n: int, text: str) -> Segment:
    start = n * 5000
    words = tuple(Word(start + i * 300, start + i * 300 + 250, word, 0.9) for i, word in enumerate(text.split()))
    end = start + (30_000 if n == 3 else 4000)
    return Segment(start, end, text, _name(n), words, "en", -0.2 - n / 100)


def _name(n: int) -> str:
    return NAMES[n * n % 3 if n % 7 else 2]
