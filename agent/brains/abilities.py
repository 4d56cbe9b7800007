"""What is known of endpoints, in one small file of the library: which may be used, and what a model there can do.

What cannot be read counts as not known: whoever agreed is asked again, and what a model can do is learned again.
"""

import json
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

ENDPOINTS = "endpoints.json"
LEAST_CONTEXT = 4096  # what one request takes with its reply
Form = Literal["tools", "schema", "json", "text"]
FORMS: tuple[Form, ...] = ("tools", "schema", "json", "text")


@dataclass(frozen=True, slots=True)
class Abilities:
    """The best form in which a model gives a plan, whether it streams, and the tokens it reads if more than usual."""

    form: Form = "tools"
    streamed: bool = True
    context: int | None = None


def agreed(library: Path, host: str) -> bool | None:
    """Say whether somebody agreed that text goes to a host, None when nobody was asked."""
    answer = _read(library).get(host)
    return answer if isinstance(answer, bool) else None


def agree(library: Path, host: str, answer: bool) -> None:
    """Keep what somebody answered; where nothing can be kept, they are asked again."""
    _keep(library, host, answer)


def known(library: Path, host: str, model: str) -> Abilities | None:
    """Give what a model at a host can do, None when it is not known."""
    kept = _read(library).get(_name(host, model))
    if not isinstance(kept, Mapping) or kept.get("form") not in FORMS:
        return None
    context = kept.get("context")
    context = context if isinstance(context, int) and context >= LEAST_CONTEXT else None
    return Abilities(kept["form"], kept.get("streamed") is not False, context)


def knows(library: Path, host: str) -> bool:
    """Say whether anything is known of a host's models."""
    return any(name.startswith(f"{host} ") for name in _read(library))


def keep(library: Path, host: str, model: str, abilities: Abilities) -> bool:
    """Keep what a model at a host can do; False when the library cannot be written."""
    return _keep(library, _name(host, model), asdict(abilities))


def _name(host: str, model: str) -> str:
    return f"{host} {model}"


def _read(library: Path) -> Mapping[str, Any]:
    with suppress(OSError, ValueError, RecursionError):
        found = json.loads((library / ENDPOINTS).read_text(encoding="utf-8"))
        return found if isinstance(found, dict) else {}
    return {}


def _keep(library: Path, name: str, value: Any) -> bool:
    written = json.dumps({**_read(library), name: value}, sort_keys=True)
    path = library / ENDPOINTS
    beside = path.with_suffix(f".{os.getpid()}.new")
    try:
        library.mkdir(mode=0o700, parents=True, exist_ok=True)
        beside.touch(mode=0o600)
        beside.write_text(written, encoding="utf-8")
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        return False
    return True
