"""A suite's text as plain data that knows its lines: YAML or JSON lines, nothing of either that could fool anybody.

YAML's own types are cut down to those of JSON: `no` is a word, 12:30 is no number of seconds, and a date is text.
Whatever a name would stand for twice, or an alias would blow up, is refused with its line.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from store.errors import DataError, reason

MAX_BYTES = 5_000_000
MAX_NODES = 400_000
MAX_DEPTH = 30
LINES = ".jsonl"
ENDINGS = (".yaml", ".yml", LINES)
Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Text:
    """Plain data, and the line of each place in it: `("cases", 3, "expect")`."""

    data: Any
    lines: Mapping[Place, int]

    def line(self, place: Sequence[str | int]) -> int:
        """Give the line of a place, or of what it stands in where the place itself was never written."""
        at = tuple(place)
        while at and at not in self.lines:
            at = at[:-1]
        return self.lines.get(at, 1)


def read(path: Path) -> Text:
    """Read a file by its ending; DataError says what is wrong, and in which line."""
    if path.suffix.casefold() not in ENDINGS:
        raise DataError(f"{path} is no suite: its name ends in none of {', '.join(ENDINGS)}")
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
        if len(raw) > MAX_BYTES:
            raise DataError(f"{path} is larger than {MAX_BYTES // 1_000_000} MB, which no suite is")
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is no UTF-8 text (byte {error.start})") from error
    except (OSError, ValueError) as error:
        raise DataError(f"the suite {path} cannot be read: {reason(error)}") from error
    try:
        return json_lines(text) if path.suffix.casefold() == LINES else yaml_text(text)
    except DataError as error:
        raise DataError(f"{path}, {error}") from error


def is_file(path: Path) -> bool:
    """Say whether there is a file; a name that no file can have is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def json_lines(text: str) -> Text:
    """Read one case a line, empty lines left out; DataError names the line."""
    cases: list[Any] = []
    lines: dict[Place, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            lines["cases", len(cases)] = number
            cases.append(strict_json(line))
        except (ValueError, RecursionError) as error:
            raise DataError(f"line {number}: no JSON ({_first(error)})") from error
    return Text({"cases": cases}, lines)


def strict_json(text: str) -> Any:
    """Read JSON in which no name stands twice and every number is finite; ValueError."""
    return json.loads(text, object_pairs_hook=_unrepeated, parse_constant=_no_number, parse_float=_finite)


def yaml_text(text: str) -> Text:
    """Read YAML; DataError names the line."""
    import yaml

    from agent.evals.suites.yaml_loader import Loader

    try:
        loader = Loader(text)
        node = loader.get_single_node()
        lines = _examined(node)
        data = None if node is None else loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise DataError(f"line {mark.line + 1 if mark else 1}: no YAML ({error.problem or error.context})") from error
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise DataError(f"line 1: no YAML ({_first(error)})") from error
    return Text(data, lines)


def _examined(root: Any) -> dict[Place, int]:
    """Give the line of each place; DataError for a key that stands twice, and for aliases that blow up."""
    import yaml

    lines: dict[Place, int] = {}
    waiting: list[tuple[Place, Any]] = [] if root is None else [((), root)]
    while waiting:
        place, node = waiting.pop()
        line = node.start_mark.line + 1
        if len(place) > MAX_DEPTH or len(lines) + len(waiting) > MAX_NODES:
            raise DataError(f"line {line}: too deep or too much; aliases of aliases are no suite")
        lines.setdefault(place, line)
        if isinstance(node, yaml.SequenceNode):
            waiting += [((*place, at), inner) for at, inner in enumerate(node.value)]
        elif isinstance(node, yaml.MappingNode):
            waiting += _entries(place, node, lines)
    return lines


def _entries(place: Place, node: Any, lines: dict[Place, int]) -> list[tuple[Place, Any]]:
    found: dict[str, Any] = {}
    for key, inner in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key.value, str):
            raise DataError(f"line {line}: a name that is no text")
        if key.value in found:
            raise DataError(f"line {line}: {key.value!r} stands here a second time")
        found[key.value] = inner
        lines[(*place, key.value)] = line
    return [((*place, key), inner) for key, inner in found.items()]


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"{next(name for name in names if names.count(name) > 1)!r} stands there twice")
    return found


def _no_number(written: str) -> Any:
    raise ValueError(f"{written} is no number")


def _finite(written: str) -> float:
    number = float(written)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{written} is no number that can be held")
    return number


def _first(error: Exception) -> str:
    return "nested too deep" if isinstance(error, RecursionError) else str(error).split("\n")[0]
