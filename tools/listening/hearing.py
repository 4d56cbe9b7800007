"""A recording heard for the first time: stretch by stretch behind a watermark, its voices final at the end.

A stretch is published in ONE transaction with all its streams and the watermark, so questions can be asked while the
rest is heard and a kill costs at most the stretch that was being heard. While its words are written down, the voices
of the next one are heard.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress

from store import asides, ledger, recordings, rows, streams
from store.database import Database
from store.errors import DataError, StoreError
from store.ledger import Chunk
from store.record import StreamKind, Turn
from store.recordings import Recording
from store.versions import Version, versions
from tools.listening import settle
from tools.listening.failures import Failure, failed, keep
from tools.listening.listener import Heard, Listener, Started, Step
from tools.listening.stretches import Stretch, lead_ms, stretches
from tools.media import audio
from tools.speaker.recogniser import Voices
from tools.speaker.voiceprints import voiceprints
from tools.transcript.joining import last_word
from tools.voicing import edits, phantoms
from tools.voicing.voices import clip, keep_labels


class Hearing:
    """One recording being heard: what was published so far, and how the next stretch joins it."""

    def __init__(
        self, database: Database, recording: Recording, listener: Listener, progress: Callable[[Step], None]
    ) -> None:
        self._database, self._recording, self._listener, self._progress = database, recording, listener, progress
        self.notes = list(listener.notes)
        with database.reader() as connection:
            chunks = ledger.chunks(connection, recording.id)
            self._streams = streams.active(connection, recording.id)
            self._turns = edits.published(connection, self._streams["speaker"]) if chunks else []
            written = rows.segments(connection, self._streams["transcript"]) if chunks else []
            self._check_options([v for v in versions(connection, recording.id) if v.active])
        self._voices = [listener.voices(chunk.voices) for chunk in chunks if chunk.voices is not None]
        self._last = last_word(written)
        self._published = len(chunks)
        self._heard_ms = recording.heard_ms

    @property
    def begins_ms(self) -> int:
        """Where the blocks begin that it must be given: a little before what is left."""
        return self._heard_ms - lead_ms(self._heard_ms)

    def hear(self, blocks: Iterator[audio.Samples]) -> None:
        """Hear the stretches that are left in blocks from `begins_ms` on, each published when all its streams are."""
        source = stretches(blocks, self._heard_ms, self._published)
        ahead: Started | None = None
        coming = self._listener.soon(next, source, None)
        while (stretch := self._next(coming, ahead)) is not None:
            started = self._listener.start(stretch)
            coming = self._listener.soon(next, source, None)
            behind, ahead = (ahead, started) if self._published else (started, None)  # the first is asked soonest
            self._finish(behind)
        self._finish(ahead)

    def give_up(self) -> None:
        """Leave no recording of which nothing could be heard; what was published stays, and can be asked."""
        if not self._published:
            with suppress(StoreError), self._database.writing() as connection:
                recordings.forget(connection, self._recording.id)

    def finish(self) -> Recording:
        """Cluster all voices at once, seam what the stretches cut, and mark the recording as heard."""
        rec_id, turns = self._recording.id, self._final_turns()
        with self._database.writing() as connection:
            self.notes += _set_aside(connection, self._recording)
            provisional = {v.kind: v for v in versions(connection, rec_id) if v.active}
            if self._published > 1:
                spoken, unresolved = edits.replay(connection, rec_id, turns, voiceprints(self._voices, turns))
                self.notes += unresolved
                speaker = provisional.pop("speaker")
                voiced = settle.speak(connection, rec_id, self._listener.sources()["speaker"], spoken)
                streams.inherit(connection, speaker.id, voiced)
                settle.settle(connection, rec_id, provisional, spoken)
                streams.drop(connection, [speaker.id, *(version.id for version in provisional.values())])
            self.notes += self._listener.told()
            phantoms.keep(connection, rec_id, self._voices)
            ledger.close(connection, rec_id, self._heard_ms)
            streams.finish(connection, rec_id, streams.language(connection, rec_id))
            self.notes += [f"{self._recording.title}: {line}" for line in settle.examined(connection, rec_id)]
            recordings.remember(connection, rec_id, notes=self.notes)
            return recordings.find(connection, self._recording.public_id)

    def _now(self, stretch: Stretch, voices: Voices | None) -> list[Turn] | None:
        """Give the turns of a stretch as far as they are known now; None where its voices could not be heard."""
        if voices is None:
            return None
        turns = keep_labels(self._listener.turns([*self._voices, voices]), self._turns)
        return clip(turns, stretch.t0, stretch.t1)

    def _final_turns(self) -> list[Turn]:
        """Give the turns of the whole recording, as they were told stretch by stretch where clustering fails."""
        failures: list[Failure] = []
        turns = failed(failures, "speaker", (0, self._heard_ms), lambda: self._listener.turns(self._voices))
        self.notes += [f"{self._recording.title}: voices stay provisional ({failure.why})" for failure in failures]
        return self._turns if turns is None else clip(turns, 0, self._heard_ms)

    def _next(self, coming: "Future[Stretch | None]", ahead: Started | None) -> Stretch | None:
        """Give the next stretch; where the file has a fault, what was decoded before it is good and published."""
        try:
            return coming.result()
        except DataError:
            self._finish(ahead)
            raise

    def _finish(self, started: Started | None) -> None:
        if started is not None:
            self._publish(started.stretch, self._listener.finish(started, self._now, self._last, self._progress))

    def _publish(self, stretch: Stretch, heard: Heard) -> None:
        rec_id = self._recording.id
        with self._database.writing() as connection:
            asked = self._streams or self._begun(connection)
            for kind, found in heard.rows().items():
                if kind in asked:
                    streams.publish(connection, asked[kind], found)
            for kind, stream_id in asked.items():
                if failures := [failure for failure in heard.failures if failure.stage == kind]:
                    keep(connection, stream_id, failures)
            if "transcript" in asked:
                asides.keep(connection, asked["transcript"], heard.set_aside)
            voices = None if heard.voices is None else heard.voices.to_bytes()
            ledger.add_chunk(connection, rec_id, Chunk(stretch.t0, stretch.t1, voices))
        self._streams = asked
        self._voices += [heard.voices] if heard.voices else []
        self._turns += heard.turns or []
        self._last = last_word(heard.segments or ()) or self._last
        self._published += 1
        self._heard_ms = stretch.t1

    def _begun(self, connection: sqlite3.Connection) -> dict[StreamKind, int]:
        """Make the provisional versions."""
        sources = self._listener.sources().items()
        told = {kind: settle.under(source, 1) if kind in settle.VOICED else source for kind, source in sources}
        return {kind: streams.new_version(connection, self._recording.id, kind, one) for kind, one in told.items()}

    def _check_options(self, begun: Sequence[Version]) -> None:
        """Refuse to go on with other recognisers than the recording was begun with; DataError."""
        sources = self._listener.sources()
        for version in begun:
            if version.kind == "speaker":  # how many voices there are is decided at the end
                same = version.source.model == sources["speaker"].model
            else:
                same = version.kind in sources and settle.same_hearing(version, sources[version.kind])
            if not same:
                raise DataError(
                    f"{self._recording.title} was begun with other options ({version.kind}: {version.source.model}); "
                    f"finish it with those, then ingest it with these; or begin anew after: overheard rm "
                    f"{self._recording.public_id}"
                )


def _set_aside(connection: sqlite3.Connection, recording: Recording) -> list[str]:
    """Say how much was written down that is no evidence, and why."""
    counts = Counter(aside.reason for aside in asides.asides(connection, recording.id))
    told = ", ".join(f"{count} {reason.replace('_', ' ')}" for reason, count in sorted(counts.items()))
    return [f"{recording.title}: phrases set aside as no evidence: {told}"] if told else []
