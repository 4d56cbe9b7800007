"""The text of a file somebody else wrote: size limited, decoded without guessing silently, lines by any line end."""

from pathlib import Path

from store.errors import DataError
from tools.imports.parsed import MAX_BYTES

_BOMS = ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"), (b"\xef\xbb\xbf", "utf-8-sig"))


def load(path: Path, most: int = MAX_BYTES) -> bytes:
    """Read a regular file of at most so many bytes; DataError says what else it is."""
    try:
        if not path.is_file():
            raise DataError(
                f"{path.name or str(path)!r} is no file" if path.exists() else f"there is no file {str(path)!r}"
            )
        if path.stat().st_size > most:
            raise DataError(f"{path.name!r} is larger than {most // 1_000_000} MB; split it")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise DataError(f"{path.name!r} cannot be read: {reason}") from error


def decode(raw: bytes) -> tuple[str, list[str]]:
    """Give the text and what a person should know of how it was decoded; newlines become \\n."""
    encoding = next((name for mark, name in _BOMS if raw.startswith(mark)), "utf-8")
    notes: list[str] = []
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError:
        text = raw.decode("cp1252", errors="replace")
        notes.append("not UTF-8: read as Windows-1252")
    return text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff"), notes
