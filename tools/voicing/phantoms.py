"""Voices that may be none: of a recogniser's making, and never heard clearly, or sounding like a longer one.

Marked, never hidden: answers count the others and give both numbers. How little a voice speaks is no evidence; in real
meetings some people speak for under two seconds. A saw and a crying baby sound like voices of their own, so what is
heard under a short sound is not clear. A voice that a person named, or a file brought, is no phantom.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from store import rows, streams, voiceprints
from store.record import Event, Span, Turn, is_generic, union
from tools.events.hierarchy import family
from tools.events.regions import REGIONS
from tools.speaker.recogniser import Voices
from tools.speaker.voiceprints import voiceprints as heard_as
from tools.voicing.voices import SAME_VOICE

CLEAN_MS = 1_500
UNCLEAR = "no clean turn of 1.5 s"
DROWNED = "no turn of 1.5 s without a sound over it"
SOUND_MS = 30_000  # longer ones and music are what a recording lies in, and tell nothing of a voice
_SOUND = "\0sound"


def keep(connection: sqlite3.Connection, rec_id: int, heard: Sequence[Voices]) -> None:
    """Keep how the voices of the active speaker version sound."""
    active = streams.active(connection, rec_id).get("speaker")
    if active is not None:
        voiceprints.keep(connection, active, heard_as(heard, rows.turns(connection, active)))


def again(connection: sqlite3.Connection, rec_id: int) -> None:
    """Mark the voices that may be none, unmark the others, by the voices and sounds that are asked now."""
    active = streams.active(connection, rec_id).get("speaker")
    if active is None:
        return
    labels = dict(tuple(row) for row in connection.execute("SELECT id, label FROM speaker WHERE rec_id = ?", (rec_id,)))
    prints = {labels[voice]: one.vector for voice, one in voiceprints.stored(connection, active).items()}
    mark(connection, rec_id, rows.turns(connection, active), prints)


def mark(
    connection: sqlite3.Connection, rec_id: int, turns: Sequence[Turn], prints: Mapping[str, NDArray[np.float32]]
) -> None:
    """Write the doubts about the voices of the active speaker version; none where a file gave it."""
    (params,) = connection.execute(
        "SELECT params FROM stream WHERE rec_id = ? AND kind = 'speaker' AND active = 1", (rec_id,)
    ).fetchone()
    made = not {"file", "follows"} & set(json.loads(params))
    found = doubts(turns, prints, _sounds(connection, rec_id)) if made else {}
    labels = {turn.speaker for turn in turns}
    connection.executemany(
        "UPDATE speaker SET doubt = ? WHERE rec_id = ? AND label = ?",
        ((found.get(label), rec_id, label) for label in sorted(labels)),
    )


def _sounds(connection: sqlite3.Connection, rec_id: int) -> list[Event]:
    heard = streams.active(connection, rec_id).get("events")
    return [] if heard is None else rows.events(connection, heard)


def doubts(
    turns: Sequence[Turn], prints: Mapping[str, NDArray[np.float32]], sounds: Sequence[Event] = ()
) -> dict[str, str]:
    """Give for each voice of a generic label that may be none why; the longest voice always is one."""
    talk: Counter[str] = Counter()
    for turn in turns:
        talk[turn.speaker] += turn.t1 - turn.t0
    order = sorted(talk, key=lambda label: (-talk[label], label))
    clean, quiet = _clean(turns), _clean(turns, [event for event in sounds if _passing(event)])
    found: dict[str, str] = {}
    for place, label in enumerate(order[1:], 1):
        longer = [other for other in order[:place] if other not in found and other in prints]
        likeness = {other: float(prints[label] @ prints[other]) for other in longer} if label in prints else {}
        closest = max(likeness, key=lambda other: likeness[other], default=None)
        if not is_generic(label):
            continue
        if clean[label] < CLEAN_MS:
            found[label] = UNCLEAR
        elif quiet[label] < CLEAN_MS:
            found[label] = DROWNED
        elif closest is not None and likeness[closest] >= SAME_VOICE:
            found[label] = f"sounds like {closest}"
    return found


def _passing(event: Event) -> bool:
    return event.label not in REGIONS and family(event.label) != "Music" and event.t1 - event.t0 <= SOUND_MS


def _clean(turns: Sequence[Turn], sounds: Sequence[Event] = ()) -> Counter[str]:
    """Give the milliseconds of each voice's longest stretch in which nobody else speaks and no sound is heard."""
    spans = {
        voice: union(Span(t.t0, t.t1) for t in turns if t.speaker == voice) for voice in {t.speaker for t in turns}
    }
    spans[_SOUND] = union(Span(event.t0, event.t1) for event in sounds)
    edges = sorted([(edge, step, voice) for voice, own in spans.items() for s in own for edge, step in _edges(s)])
    longest: Counter[str] = Counter()
    speaking: set[str] = set()
    since = 0
    for edge, step, voice in edges:
        if len(speaking) == 1:
            (alone,) = speaking
            longest[alone] = max(longest[alone], edge - since)
        speaking = speaking | {voice} if step > 0 else speaking - {voice}
        since = edge
    return longest


def _edges(span: Span) -> tuple[tuple[int, int], tuple[int, int]]:
    return (span.t0, 1), (span.t1, -1)
