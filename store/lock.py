"""One holder of a name in a library: the kernel's file lock, which a killed process cannot leave behind.

The file holds the holder's pid, only so that a message can name it; a stale pid means nothing.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from store.errors import StoreError

FOLDER = "locks"


@contextmanager
def hold(folder: Path, name: str, what: str = "this recording", doing: str = "ingested") -> Iterator[None]:
    """Hold a name in a library's folder; StoreError says which process holds it already, and what it does."""
    import fcntl

    path = lock_path(folder, name)
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise StoreError(f"the library {folder} cannot be written ({str(error.strerror).lower()})") from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(descriptor, 20, 0).decode("ascii", "ignore").strip() or "another process"
            raise StoreError(f"{what} is being {doing} by pid {holder}; wait until it ends, or stop it") from None
        with suppress(OSError):  # a full disk: the lock holds all the same
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(descriptor)


def lock_path(folder: Path, name: str) -> Path:
    """Give the lock's file: its name tells nothing of what is locked."""
    return folder / FOLDER / f"{hashlib.sha256(name.encode()).hexdigest()[:16]}.lock"
