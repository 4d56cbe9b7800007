"""What a chat can be told besides questions: one small function a word, and the words are the help."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from agent.front import traces
from agent.front.chat.talk import Talk, rename
from agent.reply import Reply
from store import recordings
from store.clock import clock
from store.errors import UsageError
from store.fence import open_fence
from store.threads import Threads
from store.trace import show


class Leave(Exception):
    """Say that the chat is over."""


@dataclass(frozen=True, slots=True)
class Word:
    """One command: how it is written, what it does."""

    form: str
    does: str
    run: Callable[[Talk, str], None]


def command(talk: Talk, line: str) -> None:
    """Run a line that starts with a slash; UsageError names the commands when there is none like it."""
    name, _, rest = line[1:].partition(" ")
    word = WORDS.get(name) or WORDS.get({"quit": "exit", "q": "exit", "?": "help"}.get(name, ""))
    if word is None:
        raise UsageError(f"no command '/{name}'; there are: {', '.join('/' + known for known in WORDS)}")
    word.run(talk, rest.strip())


def _help(talk: Talk, rest: str) -> None:
    talk.screen.table(("command", "does"), [(word.form, word.does) for word in WORDS.values()])
    talk.screen.note("Anything else is a question. Ctrl-C stops a turn, Ctrl-D leaves.")


def _recordings(talk: Talk, rest: str) -> None:
    with talk.database.reader() as connection:
        found = recordings.every(connection)
    if not found:
        talk.screen.note("the library is empty: ingest or import a recording")
        return
    rows = [("*" if r.public_id == talk.recording else "", r.public_id, r.title, clock(r.duration_ms)) for r in found]
    talk.screen.table(("", "id", "title", "length"), rows)


def _use(talk: Talk, rest: str) -> None:
    if not rest:
        talk.recording = None
        talk.screen.note("questions go to the whole library now")
        return
    with talk.database.reader() as connection:
        talk.recording = recordings.find(connection, rest).public_id
    talk.screen.note(f"questions go to {talk.recording} now")


def _speakers(talk: Talk, rest: str) -> None:
    several = len(talk.scope().recordings) > 1
    rows = [
        (entry.recording.public_id if several else "", v.display, v.label, clock(v.talk_ms), v.turns, v.doubt)
        for entry in talk.scope().recordings
        for v in entry.voices
    ]
    talk.screen.table(("", "speaker", "label", "talk", "turns", "doubt"), rows)


def _rename(talk: Talk, rest: str) -> None:
    old, equals, new = (part.strip() for part in rest.partition("="))
    entry = talk.entry()
    if entry is None:
        raise UsageError("choose a recording with /use ID before renaming its speakers")
    if not (old and equals and new):
        raise UsageError("write /rename OLD=NEW, for example /rename SPEAKER_00=Anna")
    rename(talk.database, entry, old, new)
    talk.screen.note(f"{old} is {new} now")


def _plan(talk: Talk, rest: str) -> None:
    rows = [(call["name"], call.get("id"), _arguments(call["args"])) for call in _last(talk).plan]
    talk.screen.table(("tool", "id", "arguments"), rows)


def _sql(talk: Talk, rest: str) -> None:
    if not rest:
        for statement in _last(talk).sql:
            talk.screen.text(statement)
        return
    with open_fence(talk.database, talk.scope()) as fence:
        result = fence.run(rest)
    talk.screen.table(result.columns, result.rows)
    if result.truncated:
        talk.screen.note(f"only the first {len(result.rows)} rows are shown")


def _play(talk: Talk, rest: str) -> None:
    from agent.front import play

    number = re.fullmatch(r"\[?(\d+)\]?", rest)
    recording, text = talk.recording, rest
    if number is not None:
        found = [c for c in _last(talk).citations if c.n == int(number[1])]
        if not found:
            raise UsageError(f"the last answer has no citation [{number[1]}]")
        recording, text = found[0].recording, f"{found[0].start}-{found[0].end}"
    if recording is None:
        raise UsageError("choose a recording with /use ID, or play a citation: /play 1")
    talk.screen.note(play.play(talk.database, recording, text or "0:00"))


def _trace(talk: Talk, rest: str) -> None:
    with talk.database.reader() as connection:
        trace = show(connection, rest or _last(talk).trace)
    talk.screen.text(traces.head(trace))
    talk.screen.table(traces.STEPS, traces.steps(trace))


def _threads(talk: Talk, rest: str) -> None:
    found = Threads(talk.database.folder).every()
    if not found:
        talk.screen.note("no conversation was held yet")
        return
    rows = [
        ("*" if one.id == talk.dialogue.thread else "", one.id, one.used[:16].replace("T", " "), one.turns)
        + (one.recording or "library", one.question)
        for one in found
    ]
    talk.screen.table(("", "id", "last used (UTC)", "turns", "about", "first question"), rows)
    talk.screen.note("go on with one: overheard chat -r ID")


def _turns(talk: Talk, rest: str) -> None:
    turns = talk.dialogue.turns
    if not turns:
        raise UsageError("nothing was asked yet")
    rows = [
        (n, turn["asked"], "" if turn["read_as"] == turn["asked"] else turn["read_as"], turn["status"])
        for n, turn in enumerate(turns, 1)
    ]
    talk.screen.table(("", "asked", "read as", "came out"), rows)


def _turn(talk: Talk, rest: str) -> None:
    turns = talk.dialogue.turns
    if not (rest.isdecimal() and 1 <= int(rest) <= len(turns)):
        raise UsageError(f"there are turns 1 to {len(turns)}: /turn N" if turns else "nothing was asked yet")
    turn = turns[int(rest) - 1]
    talk.screen.note(turn["read_as"])
    with talk.database.reader() as connection:
        kept = show(connection, turn["trace"]).reply if turn["trace"] else None
    if kept is None:
        talk.screen.text(turn["answer"] or "it was stopped before it came to an answer")
        return
    talk.last = Reply.model_validate(kept)
    talk.screen.reply(talk.last)


def _exit(talk: Talk, rest: str) -> None:
    raise Leave


def _last(talk: Talk) -> Reply:
    if talk.last is None:
        raise UsageError("nothing was asked yet")
    return talk.last


def _arguments(args: Mapping[str, Any]) -> str:
    return ", ".join(f"{key}={value}" for key, value in args.items())


WORDS = {
    "help": Word("/help", "shows this", _help),
    "recordings": Word("/recordings", "lists the library", _recordings),
    "use": Word("/use ID", "asks one recording; without ID the whole library", _use),
    "speakers": Word("/speakers", "lists the voices with their talk time", _speakers),
    "rename": Word("/rename OLD=NEW", "gives a voice a name", _rename),
    "plan": Word("/plan", "shows the plan of the last answer", _plan),
    "sql": Word("/sql [SELECT ...]", "shows the last answer's SQL, or runs yours behind the fence", _sql),
    "play": Word("/play 12:34 | N", "plays a moment, or citation N of the last answer", _play),
    "trace": Word("/trace [ID]", "shows how the last answer came about", _trace),
    "turns": Word("/turns", "lists the questions of this conversation", _turns),
    "turn": Word("/turn N", "shows what came of one of them, which /play, /plan and /sql are about then", _turn),
    "threads": Word("/threads", "lists the conversations of this library", _threads),
    "exit": Word("/exit", "leaves", _exit),
}
