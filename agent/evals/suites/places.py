"""Where cases are asked: a recording of the library, all of it, or files that are imported for this run alone."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agent.evals.suites.suite import Case
from agent.evals.suites.written import Files, roles
from agent.library import Library
from store import recordings
from store.catalog import Catalog, catalog
from store.errors import NotFound, OverheardError
from store.fence import open_fence
from store.versions import versions
from tools.canonical import to_json
from tools.imports.recording import Given, import_recording

_PASSING = {"id", "path", "manifest"}


@dataclass(frozen=True, slots=True)
class Place:
    """A library and one recording of it by its id, None for all of them; `files` where it was made of them.

    `state` changes with all that an answer can depend on: bytes, versions of streams, voices with their names.
    """

    library: Library
    recording: str | None
    audio: str | None = None
    files: Files | None = None
    state: str = ""

    def rows(self, statement: str) -> Sequence[Sequence[Any]]:
        """Run a SELECT on the recording behind the fence; SqlRefused."""
        database = self.library.database
        with open_fence(database, _scope(self.library, self.recording)) as fence:
            return fence.run(statement).rows


class Places:
    """Gives each case its place; the recordings made of files lie in a folder of their own."""

    def __init__(self, library: Library, folder: Path, recording: str | None = None) -> None:
        self._library, self._made, self._fallback = library, Library(folder), recording
        self._known: dict[str, Place] = {}

    def place(self, case: Case) -> Place:
        """Give where a case is asked; NotFound or DataError names the case."""
        key = f"files {case.files}" if case.files else f"recording {case.recording or self._fallback}"
        if key not in self._known:
            try:
                self._known[key] = self._place(case)
            except OverheardError as error:
                raise type(error)(f"{case.where}: {error}") from error
        return self._known[key]

    def _place(self, case: Case) -> Place:
        if case.files is None:
            name = case.recording or self._fallback
            return _in(self._library, None if name is None else self._library.recording(name).public_id)
        files = case.files
        audio = Path(files.audio) if files.audio else None
        made = import_recording(
            self._made.database, Given(tuple(roles(files)), audio, files.title, files.names or "auto")
        )
        return _in(self._made, made.recording.public_id, files)


def _in(library: Library, recording: str | None, files: Files | None = None) -> Place:
    scope = _scope(library, recording)
    if not scope.recordings:
        raise NotFound("the library is empty: ingest or import a recording, or give the case `files`")
    with library.database.reader() as connection:
        sources = [
            [asdict(one.source) for one in versions(connection, entry.recording.id) if one.active]
            for entry in scope.recordings
        ]
    audio = scope.recordings[0].recording.path if recording else None
    state = hashlib.sha256(to_json([_lasting(asdict(scope)), sources]).encode()).hexdigest()
    return Place(library, recording, audio, files, state)


def _scope(library: Library, recording: str | None) -> Catalog:
    with library.database.reader() as connection:
        wanted = recordings.every(connection) if recording is None else [recordings.find(connection, recording)]
        return catalog(connection, wanted)


def _lasting(value: Any) -> Any:
    """Leave out row numbers and places on the disk, which say nothing of what an answer is."""
    if isinstance(value, Mapping):
        return {str(key): _lasting(inner) for key, inner in value.items() if key not in _PASSING}
    return [_lasting(inner) for inner in value] if isinstance(value, list | tuple) else value
