"""What a question can ask of: streams with their state, voices with names and talk time, labels really present."""

import json
import sqlite3
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass

from store.record import STREAMS, StreamKind, is_generic
from store.recordings import Recording

_SPOKEN: tuple[tuple[StreamKind, str], ...] = (("speaker", "turn"), ("transcript", "segment"), ("emotion", "emotion"))


@dataclass(frozen=True, slots=True)
class StreamState:
    """The active version of one stream; `labels` are those its source can emit (None: any).

    `resolution_ms` says how far a row's edges may be off, because its source looks only every so often; `findings` are
    lines that say what is wrong with its rows.
    """

    id: int
    kind: StreamKind
    version: int
    model: str
    rows: int
    max_dur: int
    labels: tuple[str, ...] | None
    health: float | None
    note: str | None
    resolution_ms: int = 0
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Voice:
    """One voice of a recording: talk time in milliseconds over the union of its turns.

    Whom a person named is somebody: such a voice has no `doubt`.
    """

    id: int
    label: str
    name: str | None
    aliases: tuple[str, ...]
    doubt: str | None
    talk_ms: int
    turns: int

    @property
    def display(self) -> str:
        """The name people see: the given name, else the label."""
        return self.name or self.label

    @property
    def named(self) -> bool:
        """Whether the voice has a name and not only a form such as SPEAKER_00."""
        return self.name is not None or not is_generic(self.label)


@dataclass(frozen=True, slots=True)
class RecordingCatalog:
    """One recording as a plan is checked against it."""

    recording: Recording
    streams: Mapping[StreamKind, StreamState]
    voices: tuple[Voice, ...]
    events: Mapping[str, int]
    emotions: Mapping[str, int]

    @property
    def closed(self) -> bool:
        """Whether every main voice has a name, so that an unknown name can be refused as absent."""
        if self.recording.roster != "auto":
            return self.recording.roster == "closed"
        main = [voice for voice in self.voices if voice.doubt is None]
        return bool(main) and all(voice.named for voice in main)


@dataclass(frozen=True, slots=True)
class Catalog:
    """Everything one question is asked of."""

    recordings: tuple[RecordingCatalog, ...]

    @property
    def stream_ids(self) -> tuple[int, ...]:
        """The ids of all active streams in scope."""
        return tuple(state.id for entry in self.recordings for state in entry.streams.values())

    def of(self, kind: StreamKind) -> Mapping[int, StreamState]:
        """Give the active streams of one kind by the ids of the recordings that have one."""
        return {e.recording.id: e.streams[kind] for e in self.recordings if kind in e.streams}

    def longest(self, kind: StreamKind) -> int:
        """Give the milliseconds of the longest row of one kind; 0 where there is no stream."""
        return max((state.max_dur for state in self.of(kind).values()), default=0)


def catalog(connection: sqlite3.Connection, recordings: Iterable[Recording]) -> Catalog:
    """Read the catalog of these recordings."""
    return Catalog(tuple(_entry(connection, recording) for recording in recordings))


def _entry(connection: sqlite3.Connection, recording: Recording) -> RecordingCatalog:
    rows = connection.execute("SELECT * FROM stream WHERE rec_id = ? AND active = 1", (recording.id,))
    found = {row["kind"]: _stream(row) for row in rows}
    streams = {kind: found[kind] for kind in STREAMS if kind in found}
    return RecordingCatalog(
        recording=recording,
        streams=streams,
        voices=_voices(connection, recording.id, streams),
        events=_labels(connection, "event", streams.get("events")),
        emotions=_labels(connection, "emotion", streams.get("emotion")),
    )


def _stream(row: sqlite3.Row) -> StreamState:
    labels = None if row["labels"] is None else tuple(json.loads(row["labels"]))
    return StreamState(
        row["id"], row["kind"], row["version"], row["model"], row["rows"], row["max_dur"], labels, row["health"],
        row["note"], json.loads(row["params"]).get("resolution_ms", 0),
        tuple(finding["text"] for finding in json.loads(row["checks"]).get("findings", ())),
    )  # fmt: skip


def _voices(
    connection: sqlite3.Connection, rec_id: int, streams: Mapping[StreamKind, StreamState]
) -> tuple[Voice, ...]:
    """Read the voices that any active stream names; talk time is that of the turns, else of the other rows."""
    speakers = connection.execute("SELECT * FROM speaker WHERE rec_id = ? ORDER BY id", (rec_id,)).fetchall()
    spoken: dict[int, tuple[int, int]] = {}
    for kind, table in _SPOKEN:
        state = streams.get(kind)
        if state is not None and any(row["id"] not in spoken for row in speakers):
            spoken = _spoken(connection, table, state, spoken) | spoken
    voices = (_voice(row, *spoken[row["id"]]) for row in speakers if row["id"] in spoken)
    return tuple(sorted(voices, key=lambda voice: (-voice.talk_ms, voice.id)))


def _spoken(
    connection: sqlite3.Connection, table: str, state: StreamState, known: Container[int]
) -> dict[int, tuple[int, int]]:
    """Give talk time and number of rows of the voices in one stream that are not known yet, in one pass by index."""
    named = connection.execute(f"SELECT DISTINCT speaker_id FROM {table} WHERE stream_id = ?", (state.id,))
    spoken: dict[int, tuple[int, int]] = {}
    for voice in [row[0] for row in named if row[0] is not None and row[0] not in known]:
        rows = connection.execute(
            f"SELECT t0, t1 FROM {table} WHERE stream_id = ? AND speaker_id = ? ORDER BY t0", (state.id, voice)
        )
        talk = turns = reach = 0
        for t0, t1 in rows:
            turns += 1
            if t1 > reach:
                talk += t1 - (t0 if t0 > reach else reach)
                reach = t1
        spoken[voice] = (talk, turns)
    return spoken


def _voice(row: sqlite3.Row, talk_ms: int, turns: int) -> Voice:
    return Voice(
        id=row["id"],
        label=row["label"],
        name=row["name"],
        aliases=tuple(json.loads(row["aliases"])),
        doubt=None if row["name"] is not None else row["doubt"],
        talk_ms=talk_ms,
        turns=turns,
    )


def _labels(connection: sqlite3.Connection, table: str, stream: StreamState | None) -> Mapping[str, int]:
    if stream is None:
        return {}
    rows = connection.execute(
        f"SELECT label, COUNT(*) FROM {table} WHERE stream_id = ? GROUP BY label ORDER BY label", (stream.id,)
    )
    return {row[0]: row[1] for row in rows}
