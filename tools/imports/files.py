"""Which reader reads which file: by what the file is for, then by its name's ending."""

import hashlib
import os
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from store.errors import DataError, OverheardError, UsageError
from store.record import StreamKind
from tools.imports import audacity, documents, rttm, subtitles, table, textgrid, tsv
from tools.imports.parsed import Parsed
from tools.imports.text import decode, load

Role = StreamKind

_ANY: Mapping[str, Callable[[str], Parsed]] = {
    ".vtt": subtitles.read_vtt,
    ".srt": subtitles.read_srt,
    ".json": documents.read,
    ".tsv": tsv.read,
    ".rttm": rttm.read,
}
_AS: Mapping[str, Callable[[str, Role], Parsed]] = {
    ".csv": table.read,
    ".textgrid": textgrid.read,
    ".aud": audacity.read,
    ".txt": audacity.read,
}
READS: Mapping[Role, tuple[str, ...]] = {
    "transcript": (".vtt", ".srt", ".json", ".tsv", *_AS),
    "speaker": (".rttm", ".json", *_AS),
    "emotion": (".json", *_AS),
    "events": (".json", *_AS),
}


def read_file(path: Path, role: Role) -> tuple[Parsed, str]:
    """Read one file for a stream; give what it holds and its SHA-256; DataError names the file and the fault."""
    suffix = path.suffix.casefold()
    if suffix not in READS[role]:
        raise UsageError(f"{path.name!r} cannot be read as {role}; what can: {', '.join(READS[role])}")
    raw = load(path)
    text, notes = decode(raw)
    try:
        parsed = _AS[suffix](text, role) if suffix in _AS else _ANY[suffix](text)
    except OverheardError as error:
        raise DataError(f"{path.name!r}: {error}") from error
    if role != "transcript":
        parsed = parsed.only(role)
    return replace(parsed, notes=(*notes, *parsed.notes)), hashlib.sha256(raw).hexdigest()


def guess(path: Path) -> Role:
    """Give the stream a file is for by its name's ending; UsageError when it may be several, DataError for no file."""
    if not os.path.exists(path):  # noqa: PTH110 - a name too long for a file is none, where Path.exists raises
        raise DataError(f"there is no file {str(path)!r}")
    suffix = path.suffix.casefold()
    if suffix == ".rttm":
        return "speaker"
    if suffix in (".vtt", ".srt", ".json", ".tsv", ".textgrid"):
        return "transcript"
    raise UsageError(f"{path.name!r}: say what it is with --transcript, --speakers, --events, --emotions or --audio")
