"""Secrets are taken out of whatever is stored or shown: keys by their form, by the names of fields and of variables."""

import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

HIDDEN = "[redacted]"
_FORMS = re.compile(
    r"\b(?:sk|pk|rk)-[A-Za-z0-9_*.-]{8,}"
    r"|\b(?:gh[pousr]_|hf_|xox[abpr]-|AIza|AKIA|glpat-)[A-Za-z0-9_-]{10,}"
    r"|\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*"
)
_SCHEMES = re.compile(r"\b(bearer|basic)\s+[A-Za-z0-9._~+/=*-]{6,}", re.IGNORECASE)
_IN_URL = re.compile(r"\b([a-z][a-z0-9+.-]*://)[^\s/@'\"]+@", re.IGNORECASE)
_ASSIGNED = re.compile(
    r"(?i)\b((?:[a-z0-9]+[_-])*(?:api[_-]?key|token|secret|password|passwd|authorization)\b\\?['\"]?\s*[=:]\s*\\?['\"]?)"
    r"(?!\[redacted\]|bearer\b|basic\b)[^\s'\",;&}]{4,}"
)
_NAMES = re.compile(r"(?i)(?:api[_-]?key|access[_-]?key|token|secret|password|passwd|credential|authorization)s?$")
_COUNTS = re.compile(r"(?i)tokens$")
_SHORTEST = 6


def redact(text: str, secrets: Sequence[str] | None = None) -> str:
    """Give the text without keys, passwords in URLs, authorization headers and values of secret variables.

    `secrets` are those values where the caller has read them already.
    """
    for value in secret_values() if secrets is None else secrets:
        text = text.replace(value, HIDDEN)
    text = _IN_URL.sub(rf"\1{HIDDEN}@", text)
    text = _SCHEMES.sub(rf"\1 {HIDDEN}", text)
    text = _FORMS.sub(HIDDEN, text)
    return _ASSIGNED.sub(rf"\1{HIDDEN}", text)


def redacted(value: Any, secrets: Sequence[str] | None = None) -> Any:
    """Give a JSON-like value with every text redacted, and with the values of fields named like secrets gone.

    `secrets` are as for `redact`.
    """
    return _redacted(value, secret_values() if secrets is None else secrets)


def _redacted(value: Any, secrets: Sequence[str]) -> Any:
    if isinstance(value, Mapping):
        return {
            redact(str(key), secrets): HIDDEN if _hides(key, inner) else _redacted(inner, secrets)
            for key, inner in value.items()
        }
    if isinstance(value, list | tuple | set | frozenset):
        return [_redacted(inner, secrets) for inner in value]
    return value if value is None or isinstance(value, bool | int | float) else redact(str(value), secrets)


def _hides(key: object, inner: object) -> bool:
    return isinstance(inner, str) and bool(inner) and _NAMES.search(str(key)) is not None


def secret_values() -> list[str]:
    """Give the values of variables named like secrets, longest first, so that none is cut by a shorter one."""
    named = (value for name, value in os.environ.items() if _NAMES.search(name) and not _COUNTS.search(name))
    return sorted({value for value in named if len(value) >= _SHORTEST}, key=len, reverse=True)
