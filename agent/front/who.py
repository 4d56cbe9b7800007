"""After a recording was heard, on a terminal: "3 voices. Who is who?", each with what it says and who it may be.

Nothing is taken for granted: a suggestion is shown and a person types the name; a name that another voice has is asked
about before two voices become one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent.front.output import agreed, say
from agent.front.summary import likely
from store.clock import clock
from store.errors import DataError
from store.record import Segment, Span, Turn

if TYPE_CHECKING:
    from store.catalog import Voice
    from store.database import Database
    from store.recordings import Recording
    from tools.voicing.suggestions import Suggestion

MOST = 12


@dataclass(frozen=True, slots=True)
class Introduced:
    """A voice without a name as a person is asked about it: the best of what it says, and who it may be."""

    voice: "Voice"
    excerpt: Segment | None
    suggestions: tuple["Suggestion", ...]

    def lines(self, recording: str) -> list[str]:
        """Say it in a few lines."""
        voice, said = self.voice, self.excerpt
        doubt = f"; doubtful: {voice.doubt}" if voice.doubt else ""
        found = [f"{voice.label}: {clock(voice.talk_ms)} of talk, turns: {voice.turns}{doubt}"]
        if said is not None:
            last = clock(said.t1 + 999)
            found += [f"  “{said.text}”", f"  overheard play {recording} {clock(said.t0)}-{last}"]
        return found + [f"  {likely(one)}" for one in self.suggestions]


def ask(
    library: "Database",
    recording: "Recording",
    read: Callable[[], str] = input,
    agree: Callable[[str], bool] = agreed,
) -> None:
    """Ask who the voices without a name are, the longest first; an empty line goes on, the end of the input ends it."""
    unknown = introduced(library, recording)
    if not unknown:
        return
    say(f"{len(unknown)} voice{'s' * (len(unknown) > 1)}. Who is who? A name, or nothing to go on.")
    for one in unknown[:MOST]:
        for line in one.lines(recording.public_id):
            say(line)
        say(f"{one.voice.label} is:")
        try:
            name = read().strip()
        except EOFError:
            return
        except KeyboardInterrupt:
            say(f"later: overheard speakers {recording.public_id}")
            raise
        if name:
            _name(library, recording.id, one.voice.label, name, agree)


def introduced(library: "Database", recording: "Recording") -> list[Introduced]:
    """Give the voices without a name, those without a doubt first, then by talk time."""
    from store import rows
    from store.catalog import catalog
    from tools.voicing.suggestions import suggestions

    with library.reader() as connection:
        (entry,) = catalog(connection, [recording]).recordings
        found = suggestions(connection, entry)
        said = rows.segments(connection, entry.streams["transcript"].id) if "transcript" in entry.streams else []
        turns = rows.turns(connection, entry.streams["speaker"].id) if "speaker" in entry.streams else []
    voices = sorted((voice for voice in entry.voices if not voice.named), key=lambda voice: voice.doubt is not None)
    return [
        Introduced(voice, excerpt(voice.label, said, turns), tuple(s for s in found if s.label == voice.label))
        for voice in voices
    ]


def excerpt(label: str, said: list[Segment], turns: list[Turn]) -> Segment | None:
    """Give the longest thing a voice says while nobody else speaks, else the longest; None when it says nothing."""
    from tools.timeline import Timeline

    others = Timeline(turn for turn in turns if turn.speaker != label)
    own = [segment for segment in said if segment.speaker == label]
    clean = [segment for segment in own if not others.overlapping(Span(segment.t0, segment.t1))]
    return max(clean or own, key=lambda segment: (len(segment.text.split()), -segment.t0), default=None)


def _name(library: "Database", rec_id: int, label: str, name: str, agree: Callable[[str], bool]) -> None:
    from store import edits, speakers

    try:
        with library.writing() as connection:
            edits.rename(connection, rec_id, label, name)
    except DataError as error:
        with library.reader() as connection:
            known = [voice for voice in speakers.voices(connection, rec_id) if voice.label != label]
        same = [voice for voice in known if speakers.same(name) in map(speakers.same, voice.forms)]
        if len(same) != 1 or not agree(f"{same[0].label} is {name} already. Are they one person?"):
            say(str(error))
            return
        with library.writing() as connection:
            edits.merge(connection, rec_id, same[0].label, label)
