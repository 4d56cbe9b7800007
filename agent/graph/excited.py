"""Where no emotion is clear, prosody may still tell: who spoke higher and faster than usual for that very voice.

The usual is taken from all that was heard of a voice, so the rows are read anew, whatever the question was limited to.
"""

from agent.graph.state import Desk
from store import rows
from store.clock import clock
from tools.emotion.arousal import Excited, excited
from tools.evidence import EvidenceRow

SHOWN = 3


def aroused(found: tuple[EvidenceRow, ...], desk: Desk) -> str:
    """Give a sentence about those of the rows that are more excited than usual for their voice; empty without any."""
    told = [(row, each) for row, each in _matched(found, desk) if row.speaker]
    if not told:
        return ""
    shown = ", ".join(f"{row.speaker} at {clock(row.t0)} ({', '.join(each.ways)})" for row, each in told[:SHOWN])
    more = f" and {len(told) - SHOWN} more times" if len(told) > SHOWN else ""
    return f"More excited than usual for that voice, by pitch and rate: {shown}{more}."


def _matched(found: tuple[EvidenceRow, ...], desk: Desk) -> list[tuple[EvidenceRow, Excited]]:
    """Pair rows with what stands out, by recording and time."""
    names = {entry.recording.id: entry.recording.public_id for entry in desk.catalog.recordings}
    with desk.database.reader() as connection:
        outstanding = {
            (names[rec_id], each.row.t0, each.row.t1): each
            for rec_id, state in desk.catalog.of("emotion").items()
            for each in excited(rows.emotions(connection, state.id))
        }
    places = [(row, (row.recording, row.t0, row.t1)) for row in found if row.stream == "emotion"]
    return [(row, outstanding[place]) for row, place in places if place in outstanding]
