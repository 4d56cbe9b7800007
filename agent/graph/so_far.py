"""What is said of a recording that is still being heard, beside whatever is answered or refused."""

from agent.graph.state import Desk
from store.clock import clock

PROVISIONAL = "voices are provisional until all is heard"


def so_far(desk: Desk) -> list[str]:
    """Say how far each recording was heard where that is not to its end, and that its voices may change."""
    heard = [
        f"heard so far: {clock(entry.recording.heard_ms)} of {clock(entry.recording.duration_ms)}"
        for entry in desk.catalog.recordings
        if entry.recording.state == "listening"
    ]
    return [*heard, PROVISIONAL] if heard else []
