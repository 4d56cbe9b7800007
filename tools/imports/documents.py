"""JSON transcripts: Whisper's and WhisperX's segments, whisper.cpp's, and our own export, told apart by their keys."""

import json
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from store.errors import DataError
from tools.imports import own, whisper
from tools.imports.parsed import Parsed


def read(text: str) -> Parsed:
    """Read a JSON transcript; DataError when it is no JSON, or none we know."""
    try:
        found = json.loads(text, parse_float=Decimal, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise DataError(f"no JSON: {error}" if isinstance(error, ValueError) else "JSON nested too deep") from error
    if isinstance(found, Mapping) and found.get("format") == own.FORMAT:
        return own.read(found)
    segments = _segments(found)
    if segments is None:
        raise DataError("no transcript in it: no list of segments with start, end and text")
    language = found.get("language") if isinstance(found, Mapping) else None
    return whisper.read(segments, language if isinstance(language, str) else None)


def _segments(found: Any) -> list[Any] | None:
    if isinstance(found, Mapping):
        chosen = next((found[key] for key in ("segments", "transcription", "chunks") if key in found), None)
        return chosen if isinstance(chosen, list) else None
    return found if isinstance(found, list) else None


def _no_number(name: str) -> str:
    """Keep NaN and Infinity as words: they are no times and no scores, and the row that has them is set aside."""
    return name
