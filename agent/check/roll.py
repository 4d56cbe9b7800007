"""Who may have said something: the voices that a document's names mean, and why a name means none."""

from collections.abc import Sequence
from dataclasses import dataclass

from store.catalog import RecordingCatalog
from store.listing import listed
from tools.sanitize import one_line
from tools.speaker.names import resolve


@dataclass(frozen=True, slots=True)
class Meant:
    """The voices that names mean, of which any one will do, and the names that mean no voice."""

    voices: frozenset[int]
    unknown: tuple[str, ...]

    @property
    def nobody(self) -> bool:
        """Whether names were given and none of them means a voice."""
        return bool(self.unknown) and not self.voices


class Roll:
    """The voices of one recording by id."""

    def __init__(self, entry: RecordingCatalog) -> None:
        self.entry = entry
        self._names = {voice.id: one_line(voice.display) for voice in entry.voices}

    def meant(self, names: Sequence[str]) -> Meant:
        """Look names up."""
        found = {name: resolve(self.entry, name) for name in names}
        voices = frozenset(voice.id for voices in found.values() for voice in voices)
        return Meant(voices, tuple(name for name, voices in found.items() if not voices))

    def name(self, voice: int | None) -> str | None:
        """Give a voice's display name."""
        return None if voice is None else self._names.get(voice)

    def names(self, voices: Sequence[int | None]) -> str:
        """Give the display names of voices as a list for people."""
        return listed([self.name(voice) or "a voice without a label" for voice in dict.fromkeys(voices)], 4)

    @property
    def everybody(self) -> str:
        """The main voices, as a list for people."""
        main = [voice for voice in self.entry.voices if voice.doubt is None]
        return listed([one_line(voice.display) for voice in main], 6)
