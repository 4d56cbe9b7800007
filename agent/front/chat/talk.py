"""What a chat is about, and one turn of it: a question is answered, or asked back ("which John?") and then goes on.

Who was chosen for a name that nobody bears yet ("which voice is Anna?") bears it from then on; the same question goes
on with the voice that was chosen, and without an answer the refusal stands.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from agent.dialogue import Choice, Dialogue, Inquiry
from agent.front.chat.background import Background
from agent.front.chat.lines import Lines
from agent.front.chat.screen import Screen
from agent.reply import Reply
from store import edits, recordings
from store.catalog import Catalog, RecordingCatalog, catalog
from store.clock import clock
from store.database import Database
from store.errors import OverheardError

Watch = Callable[[Any], None]
_ASKED = {
    "speaker_unidentified": "which voice is {name}?",
    "ambiguous_speaker": "which {name} is meant?",
    "unknown_speaker": "who is meant, if not {name}?",
}


class Asks(Protocol):
    """Who answers: a question about a recording's public id or the whole library (None), and what is asked back."""

    def __call__(self, question: str, recording: str | None, watch: Watch, dialogue: Dialogue, /) -> Reply:
        """Answer a question, or leave in the dialogue what must be known before."""
        ...

    def resume(self, dialogue: Dialogue, answer: str, watch: Watch, /) -> Reply:
        """Go on with the question by the voice that was chosen."""
        ...


@dataclass
class Talk:
    """One chat about one recording's public id, or about the whole library (None)."""

    database: Database
    ask: Asks
    lines: Lines
    screen: Screen
    recording: str | None = None
    dialogue: Dialogue = field(default_factory=Dialogue)
    last: Reply | None = None
    background: Background | None = None
    _pending: list[str | None] = field(default_factory=list)

    def prompt(self) -> str:
        """Give the prompt: what is talked about, and how far it was heard where that is not to its end."""
        if self.background and (trouble := self.background.trouble()):
            self.screen.warn(f"listening ended: {trouble}")
        heard = ""
        with suppress(OverheardError):
            entry = self.entry()
            if entry is not None and entry.recording.state == "listening":
                heard = f" (heard {clock(entry.recording.heard_ms)} of {clock(entry.recording.duration_ms)})"
        return f"{self.recording or 'library'}{heard}> "

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
        """Answer one question; where it is not known which voice is meant, ask back, and go on with the same."""
        self.dialogue.recording = self.recording
        reply = self.ask(text, self.recording, self._watch, self.dialogue)
        self.last = self._settled() or reply
        self.screen.reply(self.last)

    def go_on(self) -> None:
        """Go on with a conversation: say where it stands, and ask what was asked back and not answered."""
        turns = self.dialogue.turns
        about = f"; the last: “{turns[-1]['asked']}”" if turns else ""
        self.screen.note(f"conversation {self.dialogue.thread}, turns so far: {len(turns)}{about}")
        if (reply := self._settled()) is not None:
            self.last = reply
            self.screen.reply(reply)

    def _settled(self) -> Reply | None:
        """Ask back what must be known, as long as it is answered; the reply that came of it."""
        reply = None
        while (inquiry := self.dialogue.inquiry) is not None and (chosen := self._chosen(inquiry)) is not None:
            reply = self.ask.resume(self.dialogue, chosen.key, self._watch)
        return reply

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

    def _watch(self, stage: Any) -> None:
        self.screen.stage(stage.name, stage.text, stage.seconds)

    def _chosen(self, inquiry: Inquiry) -> Choice | None:
        """Ask which voice is meant; a line that names none is the next turn, one that may name several is asked again.

        The end of the input ends the chat, not only this.
        """
        self.screen.note(inquiry.message)
        rows = [(n, _called(c), clock(round(c.talk_s * 1000)), c.quote or "") for n, c in enumerate(inquiry.choices, 1)]
        self.screen.table(("", "voice", "talk", "says"), rows)
        asked = _ASKED[inquiry.reason].format(name=inquiry.name)
        prompt = f"{asked} (number, name or label; empty: none of them) "
        line = self.read(prompt)
        while line and unclear(line, inquiry.choices):
            self.screen.note(f"“{line}” is not one of them; a number from 1 to {len(rows)}, or a whole name, is")
            line = self.read(prompt)
        chosen = pick(line or "", inquiry.choices)
        if chosen is None:
            self._pending += [line] if line != "" else []
        elif (named := name(self.database, inquiry, chosen)) is not None:
            self.screen.note(named)
        return chosen


def rename(database: Database, entry: RecordingCatalog, old: str, new: str) -> None:
    """Give a voice of a recording a name; NotFound and DataError say why not."""
    with database.writing() as connection:
        edits.rename(connection, entry.recording.id, old, new)


def name(database: Database, inquiry: Inquiry, chosen: Choice) -> str | None:
    """Let a voice without a name bear the one that was asked for, and say so; None where it has one."""
    if inquiry.reason != "speaker_unidentified":
        return None
    with database.writing() as connection:
        heard = recordings.find(connection, chosen.recording)
        edits.rename(connection, heard.id, chosen.key, inquiry.name)
    return f"{chosen.key} is {inquiry.name} now"


def pick(line: str, choices: tuple[Choice, ...]) -> Choice | None:
    """Give the voice that a line names by its number, its label, or a name, or part of one, that only one bears."""
    said = line.strip().casefold()
    if said.isdecimal() and 1 <= int(said) <= len(choices):
        return choices[int(said) - 1]
    labelled = [choice for choice in choices if choice.key.casefold() == said]
    named = [choice for choice in choices if choice.speaker.casefold() == said]
    return next((found[0] for found in (labelled, named, _bearing(said, choices)) if len(found) == 1), None)


def unclear(line: str, choices: tuple[Choice, ...]) -> bool:
    """Say whether a line is an answer that names no voice: a number beyond the last, a name that several bear."""
    said = line.strip().casefold()
    return pick(line, choices) is None and (said.isdecimal() or len(_bearing(said, choices)) > 1)


def _bearing(said: str, choices: tuple[Choice, ...]) -> list[Choice]:
    """Give the voices whose name holds all the words."""
    words = set(said.split())
    return [choice for choice in choices if words and words <= set(choice.speaker.casefold().split())]


def _called(choice: Choice) -> str:
    return choice.speaker if choice.speaker == choice.key else f"{choice.speaker} ({choice.key})"
