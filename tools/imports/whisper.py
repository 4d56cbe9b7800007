"""Segments as Whisper, WhisperX, faster-whisper and whisper.cpp write them; words may lack start, end or speaker."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

from store.clock import parse_time
from store.record import Segment, Word
from tools.imports.parsed import Parsed, Placed, score, span, within
from tools.imports.voices import unified
from tools.sanitize import one_line


def read(found: Sequence[Any], language: str | None) -> Parsed:
    """Read a list of segments; those without times or text are set aside by their number."""
    rows: list[tuple[int, Segment]] = []
    lost: list[int] = []
    for number, item in enumerate(found, 1):
        try:
            rows.append((number, segment(item, language)))
        except (ValueError, KeyError, TypeError, ArithmeticError):
            lost.append(number)
    voices = unified([read.speaker for _, read in rows])
    placed = [Placed(at, replace(read, speaker=voice)) for (at, read), voice in zip(rows, voices, strict=True)]
    return Parsed("json", within(placed, "the JSON file"), tuple(lost), unit="segment", language=language)


def segment(item: Mapping[str, Any], language: str | None) -> Segment:
    """Read one segment; ValueError, KeyError or TypeError when it is none."""
    if not isinstance(item, Mapping):
        raise TypeError("no segment")
    t0, t1 = _times(item)
    text = one_line(_string(item["text"]))
    if not text:
        raise ValueError("a segment without text")
    said = item.get("words") or []
    raw = [word for word in said if isinstance(word, Mapping)] if isinstance(said, list) else []
    speaker = one_line(_string(item.get("speaker") or "")) or _majority(raw)
    spoken = one_line(_string(item.get("language") or language or "")) or None
    return Segment(t0, t1, text, speaker, words(raw, t0, t1), spoken, _sure(item))


def words(raw: Sequence[Mapping[str, Any]], t0: int, t1: int) -> tuple[Word, ...]:
    """Give the words of a segment; one without times shares the gap between its neighbours with others like it."""
    timed = [(text, _timed(word), _score(word)) for word in raw if (text := _text(word))]
    found: list[Word] = []
    at = 0
    while at < len(timed):
        text, place, sure = timed[at]
        if place is not None:
            found.append(Word(*place, text, sure))
            at += 1
            continue
        until = next((i for i in range(at, len(timed)) if timed[i][1] is not None), len(timed))
        later = timed[until][1] if until < len(timed) else None
        low = found[-1].t1 if found else t0
        found += _spread(timed[at:until], low, later[0] if later else t1)
        at = until
    return tuple(found)


def _spread(untimed: Sequence[tuple[str, Any, float | None]], low: int, high: int) -> list[Word]:
    share = max(high - low, len(untimed)) / len(untimed)
    edges = [low + int(share * i) for i in range(len(untimed) + 1)]
    return [
        Word(edges[i], max(edges[i + 1], edges[i] + 1), text, sure) for i, (text, _, sure) in enumerate(untimed)
    ]  # fmt: skip


def _times(item: Mapping[str, Any]) -> tuple[int, int]:
    if isinstance(offsets := item.get("offsets"), Mapping):
        return span(Decimal(str(offsets["from"])) / 1000, Decimal(str(offsets["to"])) / 1000)
    if isinstance(pair := item.get("timestamp"), list):
        return span(parse_time(pair[0]), parse_time(pair[1]))
    return span(parse_time(item["start"]), parse_time(item["end"]))


def _timed(word: Mapping[str, Any]) -> tuple[int, int] | None:
    try:
        t0, t1 = span(parse_time(word["start"]), parse_time(word["end"]))
    except (ValueError, KeyError):
        return None
    return (t0, max(t1, t0 + 1)) if 0 <= t0 <= t1 else None


def _text(word: Mapping[str, Any]) -> str:
    return one_line(_string(word.get("word") or word.get("text") or ""))


def _score(word: Mapping[str, Any]) -> float | None:
    try:
        return score(word.get("score", word.get("probability")))
    except ValueError:
        return None


def _sure(item: Mapping[str, Any]) -> float | None:
    """Give the segment's own score, else the probability that Whisper's mean log probability stands for."""
    try:
        if item.get("avg_logprob") is not None and item.get("score") is None:
            return score(math.exp(min(0.0, float(item["avg_logprob"]))))
        return score(item.get("score"))
    except (ValueError, TypeError):
        return None


def _majority(raw: Sequence[Mapping[str, Any]]) -> str | None:
    heard = Counter(one_line(voice) for word in raw if isinstance(voice := word.get("speaker"), str) and voice.strip())
    return heard.most_common(1)[0][0] if heard else None


def _string(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value
