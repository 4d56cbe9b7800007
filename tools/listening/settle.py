"""New turns for a whole recording, and what follows: words and emotions go to their voices, all in one transaction.

It is the end of a first listening (provisional versions are replaced) and of a second (the versions before stay).
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from store import recordings, rows, streams
from store.record import Emotion, Event, Row, Segment, StreamKind, Turn
from store.streams import Source
from store.versions import Version, versions
from tools.health.examine import examine
from tools.listening import failures
from tools.listening.seams import joined_events, respoken_emotions, respoken_words
from tools.voicing import phantoms

VOICES = "voices"
"""The parameter of words and emotions that names the version of the turns they lie in."""
HASH = "sha256"
"""The parameter that names the weights a version was heard with."""
VOICED: tuple[StreamKind, ...] = ("transcript", "emotion")


def under(source: Source, speaker: int | None) -> Source:
    """Give the source of words or emotions that lie in the turns of this version of the speaker stream."""
    return source if speaker is None else replace(source, params={**source.params, VOICES: speaker})


def voices_of(source: Source) -> int:
    """Give the number of the version of the speaker stream that words or emotions lie in; the first is not named."""
    return int(source.params.get(VOICES, 1))


def respoken(kind: StreamKind, found: Sequence[Row], turns: Sequence[Turn]) -> Sequence[Row]:
    """Give the rows of a whole recording as its turns have them: voices found anew, sounds joined over the cuts."""
    if kind == "transcript":
        return respoken_words([row for row in found if isinstance(row, Segment)], turns)
    if kind == "emotion":
        return respoken_emotions([row for row in found if isinstance(row, Emotion)], turns)
    if kind == "events":
        return joined_events([row for row in found if isinstance(row, Event)])
    return found


def settle(
    connection: sqlite3.Connection, rec_id: int, before: Mapping[StreamKind, Version], turns: Sequence[Turn]
) -> dict[StreamKind, int]:
    """Make new versions that are asked of these ones, under the final turns; give their ids."""
    asked = streams.active(connection, rec_id).get("speaker")
    speaker = None if asked is None else version_of(connection, rec_id, asked).number
    made: dict[StreamKind, int] = {}
    for kind, version in before.items():
        source = under(version.source, speaker) if kind in VOICED else version.source
        made[kind] = streams.new_version(connection, rec_id, kind, source)
        found = rows.rows(connection, version.id, kind)
        streams.publish(connection, made[kind], respoken(kind, found, turns))
        streams.inherit(connection, version.id, made[kind])
    return made


def version_of(connection: sqlite3.Connection, rec_id: int, stream_id: int) -> Version:
    """Give the version with this id."""
    return next(version for version in versions(connection, rec_id) if version.id == stream_id)


def speak(connection: sqlite3.Connection, rec_id: int, source: Source, turns: Sequence[Turn]) -> int:
    """Make a new version of the speaker stream that is asked, and give its id."""
    made = streams.new_version(connection, rec_id, "speaker", source)
    streams.publish(connection, made, turns)
    return made


def examined(connection: sqlite3.Connection, rec_id: int) -> list[str]:
    """Examine the streams that are asked, now that they are whole; give a line for each that was not heard whole.

    Which voices may be none is told anew, because sounds have a say in it.
    """
    phantoms.again(connection, rec_id)
    recording = next(each for each in recordings.every(connection) if each.id == rec_id)
    examine(connection, recording)
    found = {version.kind: failures.of(version) for version in versions(connection, rec_id) if version.active}
    lacking = {kind: failures.told(each) for kind, each in found.items() if each}
    return [f"{kind}: {line}; ingest the file again to hear it again" for kind, line in lacking.items()]


def same_hearing(version: Version, source: Source) -> bool:
    """Say whether a version was heard whole by this recogniser, told the same, with the same weights where known."""
    one, two = _options(version.source), _options(source)
    if HASH not in one or HASH not in two:
        one.pop(HASH, None)
        two.pop(HASH, None)
    return version.source.model == source.model and one == two


def _options(source: Source) -> dict[str, Any]:
    """Give the parameters that change what is heard, as JSON has them."""
    told: dict[str, Any] = json.loads(json.dumps(dict(source.params)))
    return {key: value for key, value in told.items() if key not in (VOICES, "threads", "workers")}
