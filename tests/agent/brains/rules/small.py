"""A small recording whose roster and sounds the wordings are read against."""

from store import recordings, streams
from store.catalog import Catalog, catalog
from store.database import Database
from store.record import Event, Row, Segment, StreamKind, Turn
from store.recordings import NewRecording
from store.streams import Source

PEOPLE = ("Anna", "Ben", "O'Brien; --", "Will", "Order")
SOUNDS = ("Siren", "Doorbell", "Applause", "Music")


def small_catalog(database: Database) -> Catalog:
    """Publish ten minutes with five voices and four sounds, and give their catalog."""
    segments = [Segment(i * 1000, i * 1000 + 900, f"line {i}", name) for i, name in enumerate(PEOPLE)]
    turns = [Turn(row.t0, row.t1, row.speaker or "") for row in segments]
    events = [Event(i * 5000, i * 5000 + 900, label, 0.9) for i, label in enumerate(SOUNDS)]
    with database.writing() as connection:
        added = recordings.add(connection, NewRecording("a" * 64, "Small", "import", 600_000))
        published: dict[StreamKind, list[Row]] = {"transcript": [*segments], "speaker": [*turns], "events": [*events]}
        for kind, rows in published.items():
            version = streams.new_version(connection, added.id, kind, Source("test", {}))
            streams.publish(connection, version, rows)
        streams.finish(connection, added.id, "en")
    with database.reader() as connection:
        return catalog(connection, [recordings.find(connection, "Small")])
