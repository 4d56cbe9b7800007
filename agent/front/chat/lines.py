"""Where the lines of a chat come from: a terminal with history, or whatever is piped in, line by line."""

import os
import sys
from pathlib import Path
from typing import Protocol, TextIO

from store.removal import TYPED


class Lines(Protocol):
    """Gives one line after the other, None at the end; `typed` when a person who dropped a line may type another."""

    typed: bool

    def read(self, prompt: str) -> str | None:
        """Give the next line."""
        ...


class Piped:
    """Lines of a pipe or a file; nothing is prompted."""

    typed = False

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def read(self, prompt: str) -> str | None:
        """Give the next line without its end."""
        line = self._stream.readline()
        return line.rstrip("\n") if line else None


class Terminal:
    """Lines typed in a terminal, with a history that only the user can read."""

    typed = True

    def __init__(self, folder: Path) -> None:
        from prompt_toolkit import PromptSession
        from prompt_toolkit.history import FileHistory

        path = folder / TYPED
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        path.chmod(0o600)
        self._session: PromptSession[str] = PromptSession(history=FileHistory(str(path)))

    def read(self, prompt: str) -> str | None:
        """Give the next line typed."""
        try:
            return self._session.prompt(prompt)
        except EOFError:
            return None


def lines(folder: Path) -> Lines:
    """Give the terminal when there is one to type in, else standard input."""
    both = sys.stdin.isatty() and sys.stdout.isatty()
    return Terminal(folder) if both and os.environ.get("TERM") != "dumb" else Piped(sys.stdin)
