"""Every error a person or a model may read, as one tree.

OverheardError            one plain line for a person, and an exit code
├── DataError             1   a file or a row that cannot be used
│   ├── MissingWeights    1   a model's files are not on this machine
│   ├── MissingPackage    1   a library of an extra is not installed
│   └── StoreError        1   the library cannot be read or written
├── UsageError            2   the command was not understood
├── EndpointError         3   the model endpoint is unreachable or broken
├── BudgetSpent           4   rounds, calls, tokens or seconds ran out
└── NotFound              6   no such recording, trace or voice
ToolError                 text that goes back to whoever planned, never a bug
└── SqlRefused                the fence did not let a statement through

Anything else is a bug and keeps its traceback.
"""

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes of the command line."""

    DONE = 0
    DATA = 1
    USAGE = 2
    ENDPOINT = 3
    BUDGET = 4
    REFUSED = 5
    NOT_FOUND = 6
    INTERRUPTED = 130


class OverheardError(Exception):
    """Carry one plain line for a person: what, why, what would work."""

    exit = Exit.DATA


class DataError(OverheardError):
    """Say that a file or a row cannot be used."""


class MissingWeights(DataError):
    """Say which model's files are missing, the command that brings them, and what works without."""


class MissingPackage(DataError):
    """Say which library of an extra cannot be imported, what installs it, and what works without."""


class StoreError(DataError):
    """Say why the library cannot be read or written."""


class UsageError(OverheardError):
    """Say what about the command was not understood."""

    exit = Exit.USAGE


class EndpointError(OverheardError):
    """Say what the model endpoint did; `kind` is one of the reply's error kinds, `partial` the text that arrived."""

    exit = Exit.ENDPOINT

    def __init__(self, message: str, kind: str = "endpoint_fault", partial: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.partial = partial


class BudgetSpent(OverheardError):
    """Say which budget ran out."""

    exit = Exit.BUDGET


class NotFound(OverheardError):
    """Say what does not exist and what does."""

    exit = Exit.NOT_FOUND


def reason(error: Exception) -> str:
    """Give why a file or an address could not be used: what the system says, without its number and the path."""
    return getattr(error, "strerror", None) or str(error)


class ToolError(Exception):
    """Carry a text for whoever planned: what was asked, why not, what exists, what would work."""


class SqlRefused(ToolError):
    """Say why the fence refused a statement."""
