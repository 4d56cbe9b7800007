"""Voices that may be none: of a recogniser's making, and either never heard clearly or sounding like a longer one.

Marked, never hidden: answers count the others and give both numbers. How little a voice speaks is no evidence; in real
meetings some people speak for under two seconds. A voice that a person named, or a file brought, is no phantom.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from store import rows, streams, voiceprints
from store.record import Span, Turn, is_generic, union
from tools.speaker.recogniser import Voices
from tools.speaker.voiceprints import voiceprints as heard_as
from tools.voicing.voices import SAME_VOICE

CLEAN_MS = 1_500
UNCLEAR = "no clean turn of 1.5 s"


def settle(connection: sqlite3.Connection, rec_id: int, heard: Sequence[Voices]) -> None:
    """Keep how the voices of the active speaker version sound, and mark those that may be none, unmark the others."""
    active = streams.active(connection, rec_id).get("speaker")
    if active is None:
        return
    turns = rows.turns(connection, active)
    prints = heard_as(heard, turns)
    voiceprints.keep(connection, active, prints)
    mark(connection, rec_id, turns, {label: one.vector for label, one in prints.items()})


def mark(
    connection: sqlite3.Connection, rec_id: int, turns: Sequence[Turn], prints: Mapping[str, NDArray[np.float32]]
) -> None:
    """Write the doubts about the voices of the active speaker version; none where a file gave it."""
    (params,) = connection.execute(
        "SELECT params FROM stream WHERE rec_id = ? AND kind = 'speaker' AND active = 1", (rec_id,)
    ).fetchone()
    made = not {"file", "follows"} & set(json.loads(params))
    found = doubts(turns, prints) if made else {}
    labels = {turn.speaker for turn in turns}
    connection.executemany(
        "UPDATE speaker SET doubt = ? WHERE rec_id = ? AND label = ?",
        ((found.get(label), rec_id, label) for label in sorted(labels)),
    )


def doubts(turns: Sequence[Turn], prints: Mapping[str, NDArray[np.float32]]) -> dict[str, str]:
    """Give for each voice of a generic label that may be none why; the longest voice always is one."""
    talk: Counter[str] = Counter()
    for turn in turns:
        talk[turn.speaker] += turn.t1 - turn.t0
    order = sorted(talk, key=lambda label: (-talk[label], label))
    clean = _clean(turns)
    found: dict[str, str] = {}
    for place, label in enumerate(order[1:], 1):
        longer = [other for other in order[:place] if other not in found and other in prints]
        likeness = {other: float(prints[label] @ prints[other]) for other in longer} if label in prints else {}
        closest = max(likeness, key=lambda other: likeness[other], default=None)
        if not is_generic(label):
            continue
        if clean[label] < CLEAN_MS:
            found[label] = UNCLEAR
        elif closest is not None and likeness[closest] >= SAME_VOICE:
            found[label] = f"sounds like {closest}"
    return found


def _clean(turns: Sequence[Turn]) -> Counter[str]:
    """Give the milliseconds of each voice's longest stretch in which nobody else speaks."""
    spans = {
        voice: union(Span(t.t0, t.t1) for t in turns if t.speaker == voice) for voice in {t.speaker for t in turns}
    }
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
