"""Our own JSON export read back: every stream, score, word and name, and the models the rows came from."""

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any

from store.clock import parse_time
from store.errors import DataError
from store.record import STREAMS, Emotion, Event, Row, Turn
from store.speakers import Profile
from tools.emotion.arousal import KEYS
from tools.imports import whisper
from tools.imports.parsed import Parsed, Placed, score, span, within
from tools.sanitize import one_line

FORMAT = "overheard"
VERSION = 1


def read(found: Mapping[str, Any]) -> Parsed:
    """Read an export; rows that are none are set aside by their number; DataError when a newer Overheard wrote it."""
    if found.get("version") != VERSION:
        raise DataError(
            f"written by another Overheard (export version {found.get('version')!r}, this one reads {VERSION})"
        )
    rows: list[Placed] = []
    lost: list[int] = []
    for key, build in _ROWS.items():
        for number, item in enumerate(_list(found, key), 1):
            try:
                rows.append(Placed(number, build(item)))
            except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError):
                lost.append(number)
    about = found.get("recording")
    about = about if isinstance(about, Mapping) else {}
    return Parsed(
        "json",
        within(rows, "the JSON file"),
        tuple(lost),
        unit="row",
        language=about["language"] if isinstance(about.get("language"), str) else None,
        duration_ms=_duration(about),
        title=about["title"] if isinstance(about.get("title"), str) else None,
        roster=about["roster"] if about.get("roster") in ("open", "closed") else "auto",
        voices=tuple(_profile(item) for item in _list(found, "speakers") if isinstance(item, Mapping)),
        sources=_sources(found.get("streams")),
    )


def _segment(item: Mapping[str, Any]) -> Row:
    return whisper.segment(item, None)


def _turn(item: Mapping[str, Any]) -> Row:
    return Turn(*_span(item), _name(item["speaker"]), score(item.get("score")))


def _emotion(item: Mapping[str, Any]) -> Row:
    speaker = _name(item["speaker"]) if item.get("speaker") else None
    spread = dict(item.get("scores") or {})
    measured = {key: _measure(spread.pop(key)) for key in KEYS if key in spread}
    scores = {one_line(label): sure for label, share in spread.items() if (sure := score(share)) is not None} | measured
    return Emotion(*_span(item), _name(item["label"]), _sure(item), speaker, scores)


def _event(item: Mapping[str, Any]) -> Row:
    return Event(*_span(item), _name(item["label"]), _sure(item))


_ROWS: Mapping[str, Callable[[Mapping[str, Any]], Row]] = {
    "segments": _segment,
    "turns": _turn,
    "emotions": _emotion,
    "events": _event,
}


def _span(item: Mapping[str, Any]) -> tuple[int, int]:
    return span(parse_time(item["start"]), parse_time(item["end"]))


def _measure(value: object) -> float:
    """Give a measure of prosody, which is no share and may lie anywhere; ValueError when it is none."""
    found = float(str(value))
    if not isfinite(found):
        raise ValueError(f"{value!r} is no measure")
    return found


def _sure(item: Mapping[str, Any]) -> float:
    found = score(item["score"])
    if found is None:
        raise ValueError("a row without a score")
    return found


def _name(value: object) -> str:
    if not isinstance(value, str) or not one_line(value):
        raise TypeError(f"{value!r} is no name")
    return one_line(value)


def _duration(about: Mapping[str, Any]) -> int | None:
    try:
        return max(1, span(0, parse_time(about["duration"]))[1])
    except (KeyError, ValueError):
        return None


def _profile(item: Mapping[str, Any]) -> Profile:
    aliases = item.get("aliases")
    given = [one_line(alias) for alias in aliases if isinstance(alias, str)] if isinstance(aliases, list) else []
    name, doubt = (item.get(key) if isinstance(item.get(key), str) else None for key in ("name", "doubt"))
    return Profile(one_line(str(item.get("label", ""))), one_line(name) if name else None, tuple(given), doubt)


def _sources(found: object) -> dict[str, dict[str, Any]]:
    entries = found if isinstance(found, Mapping) else {}
    return {kind: dict(entries[kind]) for kind in STREAMS if isinstance(entries.get(kind), Mapping)}


def _list(found: Mapping[str, Any], key: str) -> list[Any]:
    return found[key] if isinstance(found.get(key), list) else []
