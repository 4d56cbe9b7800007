"""The tree of errors: its exit codes are those that --help promises, and its drawing shows every class."""

import re
from collections.abc import Iterator

import pytest

from agent.front.cli import CODES
from store import errors
from store.errors import EndpointError, Exit, OverheardError, StoreError, ToolError, reason


def below(kind: type[Exception]) -> Iterator[type[Exception]]:
    for one in kind.__subclasses__():
        yield one
        yield from below(one)


def drawn() -> dict[str, int | None]:
    lines = re.findall(r"^[ │├└─]*(\w+) +(\d)? +\S", errors.__doc__ or "", re.MULTILINE)
    return {name: int(code) if code else None for name, code in lines}


def test_the_drawing_shows_every_class_with_its_code() -> None:
    kinds: list[type[Exception]] = [OverheardError, *below(OverheardError), ToolError, *below(ToolError)]
    own = {kind.__name__: kind for kind in kinds if kind.__module__ == errors.__name__}
    assert set(own) == set(drawn())
    for name, code in drawn().items():
        if code is not None:
            assert own[name].exit == code  # type: ignore[attr-defined]
    assert not issubclass(ToolError, OverheardError)


def test_every_code_is_told() -> None:
    told = {int(code) for code in re.findall(r"\b(\d+) \w", CODES)}
    assert told == {int(code) for code in Exit}


def test_an_endpoint_error_carries_what_arrived() -> None:
    error = EndpointError("the line was cut", "truncated", "so far")
    assert (str(error), error.kind, error.partial, error.exit) == ("the line was cut", "truncated", "so far", 3)
    assert EndpointError("x").kind == "endpoint_fault"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (FileNotFoundError(2, "No such file or directory", "/secret/path"), "No such file or directory"),
        (OSError("only this"), "only this"),
        (ValueError("bad \0 name"), "bad \0 name"),
        (StoreError("locked"), "locked"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"), "'utf-8' codec can't decode byte 0xff"),
    ],
)
def test_a_reason_has_no_number_and_no_path(error: Exception, said: str) -> None:
    assert reason(error).startswith(said)
    assert "/secret" not in reason(error)
