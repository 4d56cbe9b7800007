"""A stretch of time with a label, as Praat and Audacity keep them: what row it is depends on what the file is for."""

from store.record import Emotion, Event, Row, Segment, StreamKind, Turn
from tools.sanitize import one_line


def row(kind: StreamKind, t0: int, t1: int, label: str, voice: str | None) -> Row:
    """Give the row of a label; a turn is named by the voice, else by the label; ValueError when nothing is in it."""
    said = one_line(label)
    name = said if voice is None and kind == "speaker" else voice
    if not said or (kind == "speaker" and not name):
        raise ValueError("an empty label")
    match kind:
        case "transcript":
            return Segment(t0, t1, said, name)
        case "speaker":
            return Turn(t0, t1, name or said)
        case "emotion":
            return Emotion(t0, t1, said, 1.0, name)
        case "events":
            return Event(t0, t1, said, 1.0)
