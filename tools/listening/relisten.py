"""The same bytes again: only what other options change is heard again, as new versions beside the old ones.

What was heard with these options before is asked again without hearing anything, which is the way back. A new version
is heard behind a watermark of its own, so a kill costs one stretch of it, and becomes the one that is asked in the
transaction that ends it; until then the old one answers. What a person corrected by hand stays until other options than
the last ones are asked for.
"""

from collections.abc import Callable, Iterator, Sequence

from store import asides, ledger, rows, streams
from store.database import Database
from store.ledger import Chunk
from store.record import StreamKind, Turn
from store.recordings import Recording
from store.streams import Source
from store.versions import Version, versions
from tools.listening import failures, settle
from tools.listening.asked import ask, follow
from tools.listening.kept import Kept
from tools.listening.listener import STAGES, Heard, Listener, Step
from tools.listening.stretches import Stretch, lead_ms, recut
from tools.media import audio
from tools.speaker.recogniser import Voices
from tools.speaker.voiceprints import voiceprints
from tools.transcript.joining import last_word
from tools.voicing import edits, phantoms
from tools.voicing.voices import clip

Decode = Callable[[int, int], Iterator[audio.Samples]]


class Relistening:
    """One recording that was heard before, brought to the options of a listener; `notes` says what became of it."""

    def __init__(
        self,
        database: Database,
        recording: Recording,
        listener: Listener,
        decode: Decode,
        progress: Callable[[Step], None],
    ) -> None:
        self._database, self._recording, self._listener = database, recording, listener
        self._decode, self._progress = decode, progress
        self._sources = listener.sources()
        self.notes: list[str] = []

    def run(self) -> bool:
        """Change what the options ask for; False when nothing differs."""
        before = self._kept().asked()
        if before and self._chunks():
            self._speaker()
            lacking = self._lacking()
            if lacking:
                self._hear(lacking)
        after = self._kept().asked()
        for kind, version in after.items():
            if kind not in before or version.id != before[kind].id:
                kept = f"; version {before[kind].number} is kept" if kind in before else ""
                self.notes.append(f"{kind}: version {version.number} ({version.source.model}) is asked now{kept}")
        return after != before

    def _kept(self) -> Kept:
        with self._database.reader() as connection:
            return Kept(versions(connection, self._recording.id), self._recording.duration_ms)

    def _chunks(self) -> list[Chunk]:
        with self._database.reader() as connection:
            return ledger.chunks(connection, self._recording.id)

    def _speaker(self) -> None:
        """Tell the voices apart as the options ask; words and emotions follow."""
        source, known = self._sources["speaker"], self._kept()
        if known.stands("speaker", source):
            return
        kept = known.heard("speaker", source)
        voices = [] if kept else self._voices()
        fresh = clip(self._listener.turns(voices), 0, self._recording.duration_ms) if voices else []
        with self._database.writing() as connection:
            rec_id = self._recording.id
            if kept:
                streams.activate(connection, kept.id)
                turns, number = edits.published(connection, kept.id), kept.number
            else:
                turns, unresolved = edits.replay(connection, rec_id, fresh, voiceprints(voices, fresh))
                self.notes += unresolved
                made = settle.speak(connection, rec_id, source, turns)
                number = settle.version_of(connection, rec_id, made).number
                phantoms.keep(connection, rec_id, voices)
                self.notes += self._listener.told()
            follow(connection, self._recording, turns, number)
            streams.finish(connection, rec_id, streams.language(connection, rec_id))
            settle.examined(connection, rec_id)

    def _voices(self) -> list[Voices]:
        """Give the kept voices; those that another recogniser heard, or that are gone, are heard again first."""
        chunks = self._chunks()
        known = [None if chunk.voices is None else self._listener.voices(chunk.voices) for chunk in chunks]
        good = [voices is not None and self._listener.hears_voices_as(voices) for voices in known]
        first = good.index(False) if False in good else len(chunks)
        for stretch in self._stretches(chunks[first:]):
            started = self._listener.start(stretch, frozenset({"speaker"}))
            assert started.voices is not None
            voices = started.voices.result()
            with self._database.writing() as connection:
                ledger.keep_voices(connection, self._recording.id, Chunk(stretch.t0, stretch.t1, voices.to_bytes()))
            self._progress(Step("speaker", stretch.t1))
        stored = [chunk.voices for chunk in self._chunks()]
        return [self._listener.voices(voices) for voices in stored if voices is not None]

    def _lacking(self) -> list[StreamKind]:
        """Ask kept versions again where they are what the options ask for, and give the streams that must be heard."""
        lacking: list[StreamKind] = []
        for kind in STAGES[1:]:
            known, source = self._kept(), self._sources.get(kind)
            if source is None or known.stands(kind, source):
                continue
            if kept := known.heard(kind, source):
                with self._database.writing() as connection:
                    ask(connection, self._recording, kept)
            else:
                lacking.append(kind)
        return lacking

    def _hear(self, lacking: Sequence[StreamKind]) -> None:
        """Hear these streams again within the turns that are asked, and ask the new versions when all is heard."""
        pending = self._pending(lacking)
        with self._database.reader() as connection:
            turns = edits.published(connection, self._kept().asked()["speaker"].id)
            begun = pending.get("transcript")
            last = last_word(rows.segments(connection, begun.id)) if begun else None
        done = min(version.heard_ms for version in pending.values())
        states: list[StreamKind] = ["transcript"] if "emotion" in lacking and self._listener.shares else []
        kinds = frozenset([*lacking, *states])
        for stretch in self._stretches([chunk for chunk in self._chunks() if chunk.t0 >= done]):
            started = self._listener.start(stretch, kinds)
            heard = self._listener.finish(started, lambda at, _: clip(turns, at.t0, at.t1), last, self._progress)
            last = last_word(heard.segments or ()) or last
            self._publish(pending, stretch, heard)
        self._end(pending, turns)

    def _pending(self, lacking: Sequence[StreamKind]) -> dict[StreamKind, Version]:
        """Give the versions being heard: those that a kill left, where they are what is wanted, else new ones."""
        rec_id = self._recording.id
        with self._database.writing() as connection:
            known = Kept(versions(connection, rec_id), self._recording.duration_ms)
            wanted = {kind: self._wanted(kind, known.asked()["speaker"]) for kind in lacking}
            found = known.begun(wanted)
            streams.drop(connection, [left.id for left in known.unfinished() if left not in found.values()])
            if found:
                return found
            made = [streams.new_version(connection, rec_id, kind, one, active=False) for kind, one in wanted.items()]
            return {version.kind: version for version in versions(connection, rec_id) if version.id in made}

    def _wanted(self, kind: StreamKind, speaker: Version) -> Source:
        source = self._sources[kind]
        return settle.under(source, speaker.number) if kind in settle.VOICED else source

    def _publish(self, pending: dict[StreamKind, Version], stretch: Stretch, heard: Heard) -> None:
        with self._database.writing() as connection:
            found = heard.rows()
            for kind, version in pending.items():
                streams.publish(connection, version.id, found.get(kind, ()))
                if missed := [failure for failure in heard.failures if failure.stage == kind]:
                    failures.keep(connection, version.id, missed)
                if kind == "transcript":
                    asides.keep(connection, version.id, heard.set_aside)
                streams.hear_version(connection, version.id, stretch.t1)

    def _end(self, pending: dict[StreamKind, Version], turns: Sequence[Turn]) -> None:
        rec_id = self._recording.id
        with self._database.writing() as connection:
            heard = {v.kind: v for v in versions(connection, rec_id) if v.id in {p.id for p in pending.values()}}
            settle.settle(connection, rec_id, heard, turns)
            streams.drop(connection, [version.id for version in heard.values()])
            streams.finish(connection, rec_id, streams.language(connection, rec_id))
            self.notes += settle.examined(connection, rec_id)

    def _stretches(self, chunks: Sequence[Chunk]) -> Iterator[Stretch]:
        """Give the audio of stretches that adjoin, the next decoded while one is heard."""
        if not chunks:
            return
        spans = [(chunk.t0, chunk.t1) for chunk in chunks]
        begin = spans[0][0] - lead_ms(spans[0][0])
        source = recut(self._decode(begin, spans[-1][1]), spans)
        coming = self._listener.soon(next, source, None)
        while (stretch := coming.result()) is not None:
            coming = self._listener.soon(next, source, None)
            yield stretch
