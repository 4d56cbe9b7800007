"""A library as the public API shows it: a folder of recordings that can be asked."""

from pathlib import Path

from store import recordings
from store.database import Database
from store.recordings import Recording


class Library:
    """The recordings in one folder; the database is opened (made, migrated) when first used."""

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder).expanduser()
        self._database: Database | None = None

    @property
    def database(self) -> Database:
        """The folder's database; StoreError when it cannot be used."""
        if self._database is None:
            self._database = Database.open(self.folder)
        return self._database

    def recordings(self) -> list[Recording]:
        """Give all recordings, oldest first."""
        with self.database.reader() as connection:
            return recordings.every(connection)

    def recording(self, key: str) -> Recording:
        """Give the recording whose id, unique prefix or title this is; NotFound says what exists."""
        with self.database.reader() as connection:
            return recordings.find(connection, key)
