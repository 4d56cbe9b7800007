"""What a chat is about, and one turn of it: a question is answered, and may be asked back once.

A name that nobody bears yet is asked for ("which voice is Anna?"); the answer renames the voice, and the same question
goes on.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from agent.front.chat.lines import Lines
from agent.front.chat.screen import Screen
from agent.reply import Reply
from store import recordings, speakers
from store.catalog import Catalog, RecordingCatalog, Voice, catalog
from store.clock import clock
from store.database import Database
from store.record import is_generic

Watch = Callable[[Any], None]
Ask = Callable[[str, str | None, Watch], Reply]


@dataclass
class Talk:
    """One chat: `ask` answers a question about one recording's public id, or about the whole library (None)."""

    database: Database
    ask: Ask
    lines: Lines
    screen: Screen
    recording: str | None = None
    last: Reply | None = None
    _pending: list[str] = field(default_factory=list)

    def read(self, prompt: str) -> str | None:
        """Give the next line without blanks around it, None at the end; a dropped line is an empty one."""
        if self._pending:
            return self._pending.pop()
        try:
            line = self.lines.read(prompt)
        except KeyboardInterrupt:
            if not self.lines.typed:
                raise
            return ""
        return None if line is None else line.strip()

    def question(self, text: str) -> None:
        """Answer one question; when it names a voice that has no name yet, ask which, and go on."""
        reply = self._asked(text)
        name = unidentified(reply)
        if name is not None and self._named(name, reply):
            self._asked(text)

    def entry(self) -> RecordingCatalog | None:
        """Give the recording that is talked about, None when it is the whole library."""
        if self.recording is None:
            return None
        with self.database.reader() as connection:
            return catalog(connection, [recordings.find(connection, self.recording)]).recordings[0]

    def scope(self) -> Catalog:
        """Give the catalog of what is talked about."""
        with self.database.reader() as connection:
            every = recordings.every(connection)
            chosen = every if self.recording is None else [recordings.find(connection, self.recording)]
            return catalog(connection, chosen)

    def _asked(self, text: str) -> Reply:
        self.last = self.ask(text, self.recording, self._watch)
        self.screen.reply(self.last)
        return self.last

    def _watch(self, stage: Any) -> None:
        self.screen.stage(stage.name, stage.text, stage.seconds)

    def _named(self, name: str, reply: Reply) -> bool:
        entries = self.scope().recordings
        if len(entries) != 1:
            self.screen.note(f"to say which voice is {name}, choose a recording with /use ID")
            return False
        unnamed = [voice for voice in entries[0].voices if not voice.named]
        if not unnamed:
            return False
        rows = [(n, v.display, clock(v.talk_ms), excerpt(reply, v)) for n, v in enumerate(unnamed, 1)]
        self.screen.table(("", "voice", "talk", "says"), rows)
        line = self.read(f"which voice is {name}? (number or label; empty: none of them) ")
        chosen = pick(line or "", unnamed)
        if chosen is None:
            self._pending += [line] if line else []
            return False
        rename(self.database, entries[0], chosen.label, name)
        self.screen.note(f"{chosen.label} is {name} now")
        return True


def rename(database: Database, entry: RecordingCatalog, old: str, new: str) -> None:
    """Give a voice of a recording a name; NotFound and DataError say why not."""
    with database.writing() as connection:
        speakers.rename(connection, entry.recording.id, old, new)


def unidentified(reply: Reply) -> str | None:
    """Give the name that a refusal says no voice bears yet."""
    if reply.refusal is None or reply.refusal.reason != "speaker_unidentified":
        return None
    given = reply.refusal.constraint.get("speaker") or reply.refusal.constraint.get("names")
    name = given[0] if isinstance(given, list) and given else given
    return name if isinstance(name, str) and name and not is_generic(name) else None


def excerpt(reply: Reply, voice: Voice) -> str:
    """Give what a refusal quotes of a voice."""
    rows = reply.refusal.alternatives if reply.refusal else []
    own = next((row for row in rows if voice.label in row.values() or voice.display in row.values()), {})
    return str(next((own[key] for key in ("excerpt", "quote", "text") if own.get(key)), ""))


def pick(line: str, voices: list[Voice]) -> Voice | None:
    """Give the voice that a line names by its number, label or name."""
    said = line.strip().casefold()
    if said.isdecimal() and 1 <= int(said) <= len(voices):
        return voices[int(said) - 1]
    return next((voice for voice in voices if said in (voice.label.casefold(), voice.display.casefold())), None)
