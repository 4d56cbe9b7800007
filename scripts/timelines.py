"""What diarizations answer, computed without the store: pyannote.core over an RTTM file's own seconds.

A question's right value comes from the file by another library than the one that is asked, so that neither our reading
of RTTM nor our SQL can vouch for itself.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pyannote.core import Annotation, Segment, Timeline

from store.clock import clock

LONG_S = 60
# The store keeps milliseconds: each edge of a turn may move by half of one.
EDGE_S = 0.001


@dataclass(frozen=True)
class Item:
    """A question, and whether a value answers it; `gold` is shown where one does not."""

    kind: str
    question: str
    gold: Any
    right: Callable[[Any], bool]


def read(path: Path) -> Annotation:
    """Read the SPEAKER lines of one RTTM file."""
    found = Annotation(uri=path.stem)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        fields = line.split()
        if fields and fields[0] == "SPEAKER":
            start, length = float(fields[3]), float(fields[4])
            found[Segment(start, start + length), number] = fields[7]
    return found


def items(found: Annotation) -> Iterator[Item]:
    """Give the questions about one recording with their right values."""
    labels = sorted(found.labels())
    talk = {label: found.label_duration(label) for label in labels}
    yield _exact("speakers", "How many speakers are there?", len(labels))
    for label in labels:
        yield _near("talk time", f"How long did {label} speak?", talk[label], len(found))
    yield from _stretch(found, labels)
    yield from _longest(found)
    above = [label for label in labels if talk[label] >= LONG_S]
    yield _people("over 60 s", f"Who spoke for more than {LONG_S} seconds?", above)
    yield _exact("over 60 s: number", f"How many people spoke for more than {LONG_S} seconds?", len(above))
    most = max(talk.values())
    yield _any("most", "Who spoke the most?", [label for label in labels if talk[label] > most - EDGE_S])
    yield from _overlaps(found)


def _stretch(found: Annotation, labels: Sequence[str]) -> Iterator[Item]:
    """Ask of the second fifth of the recording."""
    end = found.get_timeline().extent().end
    a, b = int(end / 5), int(2 * end / 5)
    if a == b:
        return
    part = found.crop(Segment(a, b))
    where = f"between {clock(a * 1000)} and {clock(b * 1000)}"
    yield _exact("speakers in a stretch", f"How many people spoke {where}?", len(part.labels()))
    who = labels[0]
    heard = part.label_duration(who)
    yield _near("talk time in a stretch", f"How long did {who} speak {where}?", heard, len(found))


def _longest(found: Annotation) -> Iterator[Item]:
    turns = [(segment.duration, label) for segment, _, label in found.itertracks(yield_label=True)]
    most = max(turns)[0]
    yield _near("longest turn: length", "How long is the longest turn?", most, 1)
    tied = [label for length, label in turns if length > most - EDGE_S]
    yield _any("longest turn: who", "Who has the longest turn?", tied)


def _overlaps(found: Annotation) -> Iterator[Item]:
    """Ask whether, who, when and how long people speak at the same time; turns of one voice do not overlap itself."""
    both = overlap(found)
    over = sorted(label for label in found.labels() if both.crop(found.label_timeline(label).support()).duration() > 0)
    yield _exact("overlap: whether", "Do people speak at the same time?", bool(both))
    yield _people("overlap: who", "Who speaks at the same time?", over)
    yield Item("overlap: when", "When do people speak at the same time?", both, lambda value: _covers(value, both))
    yield _near("overlap: how long", "How long do people speak at the same time?", both.duration(), len(found))


def overlap(found: Annotation) -> Timeline:
    """Give the stretches in which more than one voice speaks."""
    voices = Annotation()
    for label in found.labels():
        for number, segment in enumerate(found.label_timeline(label).support()):
            voices[segment, f"{label} {number}"] = label
    return Timeline(one for one in voices.get_overlap() if one.duration >= EDGE_S)


def _covers(value: Any, both: Timeline) -> bool:
    """Say whether stretches hold all overlaps, and each of them one."""
    told = Timeline(Segment(start, end) for start, end in value or [])
    missing = both.extrude(told.support()).duration() if both and told else both.duration()
    return missing <= EDGE_S * (len(both) + 1) and all(both.crop(one).duration() > 0 for one in told)


def _exact(kind: str, question: str, gold: Any) -> Item:
    return Item(kind, question, gold, lambda value: type(value) is type(gold) and bool(value == gold))


def _near(kind: str, question: str, gold: float, turns: int) -> Item:
    slack = EDGE_S * (turns + 1)
    return Item(kind, question, gold, lambda value: isinstance(value, int | float) and abs(value - gold) <= slack)


def _people(kind: str, question: str, gold: Sequence[str]) -> Item:
    return Item(kind, question, gold, lambda value: sorted(_listed(value)) == sorted(gold))


def _any(kind: str, question: str, gold: Sequence[str]) -> Item:
    return Item(kind, question, gold, lambda value: bool(_listed(value)) and set(_listed(value)) <= set(gold))


def _listed(value: Any) -> list[str]:
    return [] if value is None else [value] if isinstance(value, str) else list(value)
