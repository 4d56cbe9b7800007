"""Which kept version of a stream is what a listener's options ask for, so that nothing is heard twice."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from store.record import StreamKind
from store.streams import Source
from store.versions import Version
from tools.listening import failures
from tools.listening.settle import same_hearing, voices_of


@dataclass(frozen=True)
class Kept:
    """All versions of a recording's streams, in order of their making, and the recording's length in milliseconds."""

    versions: Sequence[Version]
    whole_ms: int

    def asked(self) -> dict[StreamKind, Version]:
        """Give the version of each stream that is asked."""
        return {version.kind: version for version in self.versions if version.active}

    def heard(self, kind: StreamKind, source: Source) -> Version | None:
        """Give the newest version that this recogniser, told the same, heard whole and without a failure."""
        return next((version for version in self._heard(kind) if same_hearing(version, source)), None)

    def stands(self, kind: StreamKind, source: Source) -> bool:
        """Say whether the version that is asked is what the options ask for, or was corrected by hand since."""
        asked = self.asked().get(kind)
        if asked is None:
            return False
        if asked.origin is None:
            return asked in self._heard(kind) and same_hearing(asked, source)
        newest = next(self._heard(kind), None)
        return newest is not None and same_hearing(newest, source)

    def like(self, asked: Version, speaker: int) -> Version | None:
        """Give the newest whole version that says what `asked` says, but lies in this version of the turns."""
        for version in reversed(self.versions):
            told_the_same = version.origin == asked.origin and same_hearing(version, asked.source)
            whole = version.heard_ms >= self.whole_ms
            if version.kind == asked.kind and told_the_same and whole and voices_of(version.source) == speaker:
                return version
        return None

    def unfinished(self) -> list[Version]:
        """Give the versions that a kill left behind."""
        return [version for version in self.versions if not version.active and version.heard_ms < self.whole_ms]

    def begun(self, wanted: Mapping[StreamKind, Source]) -> dict[StreamKind, Version]:
        """Give the unfinished versions of all that is wanted, heard equally far; none when they do not go together."""
        found: dict[StreamKind, Version] = {}
        for version in self.unfinished():
            source = wanted.get(version.kind)
            if source and same_hearing(version, source) and voices_of(version.source) == voices_of(source):
                found[version.kind] = version
        together = len({version.heard_ms for version in found.values()}) == 1
        return found if together and set(found) == set(wanted) else {}

    def _heard(self, kind: StreamKind) -> Iterator[Version]:
        """Give the versions of a stream that a recogniser made whole, the newest first."""
        for version in reversed(self.versions):
            whole = version.active or version.heard_ms >= self.whole_ms
            if version.kind == kind and version.origin is None and whole and not failures.of(version):
                yield version
