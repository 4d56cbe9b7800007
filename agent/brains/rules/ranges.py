"""Stretches of time a question names ("between 2:00 and 3:30", "in the last two minutes"), in seconds."""

import re
from dataclasses import dataclass, field

from agent.brains.rules.language import Language, every, groups
from store.clock import clock_time

AROUND_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Stretch:
    """From `start` to `end` in seconds; None is open. A `moment` is a point of time that a question names."""

    start: float | None
    end: float | None
    moment: float | None = field(default=None, compare=False)

    def around(self, seconds: float) -> "Stretch":
        """Widen a moment by seconds on both sides; any other stretch stays as it is."""
        if self.moment is None or not seconds:
            return self
        return Stretch(max(0.0, self.moment - seconds), self.moment + seconds, self.moment)

    def args(self) -> dict[str, float]:
        """Give the stretch as arguments of a stream's query."""
        return {
            name: round(value, 3) for name, value in (("start", self.start), ("end", self.end)) if value is not None
        }


def take_range(text: str, language: Language, duration: float | None) -> tuple[Stretch | None, str]:
    """Cut the first range out of a question; `duration` in seconds, None when several recordings are asked."""
    for rule in language.table["range"]:
        for pattern in rule["patterns"]:
            for match in language.compiled(rf"(?:^|(?<=[ ,]))(?:{pattern})(?=$|[ ,?.])").finditer(text):
                stretch = _stretch(rule["kind"], match, language, duration)
                if stretch is not None:
                    left = f"{text[: match.start()].rstrip(' ,')} {text[match.end() :].lstrip(' ,')}"
                    return stretch, left.strip(" ,")
    return None, text


def length(text: str, language: Language) -> float | None:
    """Read a length or a time ("two minutes", "1:20", "minute 3", "an hour and 5 min") in seconds."""
    text = re.sub(r"^the | (?:in|into it|mark)$|[ -](?:minute|second|hour) mark$", _unit_kept, text.lower().strip())
    if re.fullmatch(r"[\d:.]+", text):
        return float(clock_time(text)) if ":" in text else float(text)
    named = re.fullmatch(r"(minute|second|hour)s? ([\w.-]+)", text)
    if named:
        number = _number(named[2], language)
        return None if number is None else number * language.units[named[1]]
    sizes = [_size(part, language) for part in re.split(r",? and |, | (?=\d)", text)]
    return None if None in sizes else sum(size for size in sizes if size is not None)


def _size(text: str, language: Language) -> float | None:
    parts = re.fullmatch(r"(?:([\d.]+|[a-z-]+)[ -])?([a-z]+)", text) or re.fullmatch(r"([\d.]+)([a-z]+)", text)
    unit = language.units.get(parts[2]) if parts else None
    number = _number(parts[1], language) if parts and parts[1] else 1.0
    return None if unit is None or number is None else number * unit


def _unit_kept(match: re.Match[str]) -> str:
    unit = re.search(r"minute|second|hour", match[0])
    return f" {unit[0]}" if unit else ""


def _stretch(kind: str, match: re.Match[str], language: Language, duration: float | None) -> Stretch | None:
    slots = groups(match)
    times = [length(text, language) for text in every(match, "T")]
    if None in times:
        return None
    known = [time for time in times if time is not None]
    if kind == "between":
        return _between(list(every(match, "T")), known, language)
    if kind in ("first", "last"):
        return _edge(kind, slots, language, duration)
    if kind == "nth":
        nth = _number(re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", slots["nth"].lower()), language)
        size = language.units[slots["unit"].lower()]
        return None if nth is None else Stretch((nth - 1) * size, nth * size)
    if kind == "minute":
        return Stretch(float(slots["nth"]) * 60, (float(slots["nth"]) + 1) * 60)
    return _open(kind, slots["T"], known[0])


def _between(texts: list[str], times: list[float], language: Language) -> Stretch | None:
    """A bare number takes its unit from the other end ("between 2 and 4 minutes", "between minutes 2 and 4").

    A stretch that ends before it begins is kept: it is the plan's check that says so.
    """
    bare = [re.fullmatch(r"[\d.]+", text) is not None for text in texts]
    if any(bare) and not all(bare):
        other = texts[bare.index(False)].lower()
        unit = next((size for word, size in language.units.items() if re.search(rf"(?<![a-z]){word}\b", other)), 1.0)
        times = [time * (unit if is_bare else 1.0) for time, is_bare in zip(times, bare, strict=True)]
    return Stretch(*times)


def _edge(kind: str, slots: dict[str, str], language: Language, duration: float | None) -> Stretch | None:
    if "half" in slots:
        if duration is None:
            return None
        return Stretch(None, duration / 2) if kind == "first" else Stretch(duration / 2, None)
    size = length(slots["D"], language)
    if not size:
        return None
    if kind == "first":
        return Stretch(None, size)
    return None if duration is None else Stretch(max(0.0, duration - size), None)


def _open(kind: str, text: str, time: float) -> Stretch | None:
    if re.fullmatch(r"[\d.]+", text) or time <= 0:
        return None
    if kind == "at":
        return Stretch(time, time + AROUND_SECONDS, time)
    return Stretch(None, time) if kind == "before" else Stretch(time, None)


def _number(text: str, language: Language) -> float | None:
    try:
        return float(text)
    except ValueError:
        number = language.table["numbers"].get(text.lower())
        return None if number is None else float(number)
