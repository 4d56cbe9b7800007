"""JSON as Overheard writes it: sorted keys, at most six decimals, so that equal data is equal text."""

import json
from collections.abc import Mapping
from typing import Any

from tools.sanitize import escaped_json

DIGITS = 6


def to_json(value: Any, *, indent: int | None = None) -> str:
    """Write a value as JSON: sorted keys, floats rounded, steering characters escaped, other scripts as they are."""
    return escaped_json(
        json.dumps(_rounded(value), sort_keys=True, ensure_ascii=False, allow_nan=False, indent=indent, default=str)
    )


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DIGITS) + 0.0 if abs(value) < float("inf") else None  # -0.0 is 0.0
    if isinstance(value, Mapping):
        return {str(key): _rounded(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(entry) for entry in value]
    return value
