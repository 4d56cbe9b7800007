"""`ask [ID] "..."`: one question, one reply; `ask ID -` reads one question a line and prints one JSON reply a line."""

import sys
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from agent.front.asking import Asker, brain_argument, second_listen_argument
from agent.front.command import Command, json_argument
from agent.front.output import emit, emit_json, fault, say
from store.errors import Exit, NotFound, OverheardError, UsageError

if TYPE_CHECKING:
    from agent.reply import Reply

BATCH = "-"


def arguments(parser: ArgumentParser) -> None:
    """Declare the recording, the question, who thinks, and the form of the reply."""
    parser.usage = "%(prog)s [options] [ID] QUESTION"
    parser.add_argument(
        "words", nargs="+", metavar="[ID] QUESTION", help="without ID the whole library; - : from stdin"
    )
    parser.add_argument("--thread", metavar="NAME", help="a conversation: the question may lean on those before it")
    brain_argument(parser)
    second_listen_argument(parser)
    json_argument(parser)


def run(options: Namespace) -> int:
    """Ask, print the reply and give the exit code it stands for; 0 for a batch in which every line got a reply."""
    if len(options.words) > 2:
        raise UsageError(f'ask takes an ID and one question in quotes, not {len(options.words)} words: ask ID "..."')
    if not options.words[-1].strip():
        raise UsageError('the question is empty; ask something: ask ID "..."')
    recording = options.words[0] if len(options.words) == 2 else None
    asker = Asker(options)
    if recording is not None and (options.thread or options.words[-1] == BATCH):
        recording = asker.library.recording(recording).public_id
    ask = _Asks(asker, options.thread, recording)
    if recording is None and _names_one(asker, options.words[-1]):
        raise UsageError(f'{options.words[-1]} is a recording; ask it something: ask {options.words[-1]} "..."')
    if options.words[-1] == BATCH:
        return _batch(ask)
    reply = ask(options.words[-1])
    if options.json:
        _emit(reply)
    else:
        from agent.front.render import reply_text

        emit(reply_text(reply, several=ask.recording is None))
    return int(reply.exit)


def _names_one(asker: Asker, words: str) -> bool:
    """Say whether the only word given is a recording and no question."""
    if words == BATCH or len(words.split()) != 1:
        return False
    try:
        asker.library.recording(words)
    except NotFound:
        return False
    return True


class _Asks:
    """Asks one question after the other, in a conversation where one is named."""

    def __init__(self, asker: Asker, thread: str | None, recording: str | None) -> None:
        self.recording, self._asker, self._dialogue = recording, asker, None
        if thread is not None:
            from agent.threads.conversation import conversation

            self._dialogue = conversation(asker.library.folder, thread)
            self.recording = self._dialogue.recording = recording or self._dialogue.about

    def __call__(self, line: str) -> "Reply":
        """Answer a question, or go on with the one that waits when the line names one of the voices it asks about."""
        dialogue = self._dialogue
        if dialogue is None:
            return self._asker(line, self.recording)
        from agent.front.chat.talk import name, pick

        waits = None if dialogue.new else dialogue.inquiry
        chosen = None if waits is None else pick(line, waits.choices)
        if waits is None or chosen is None:
            reply = self._asker(line, self.recording, dialogue=dialogue)
        else:
            if (named := name(self._asker.library.database, waits, chosen)) is not None:
                say(named)
            reply = self._asker.resume(dialogue, chosen.key)
        if (waits := dialogue.inquiry) is not None:
            say(f"answer with one of: {', '.join(one.key for one in waits.choices)}")
        return reply


def _batch(ask: _Asks) -> int:
    for line in sys.stdin:
        if question := line.strip():
            _emit(_reply(ask, question))
    return int(Exit.DONE)


def _emit(reply: "Reply") -> None:
    from agent.front.render import shown

    emit_json(shown(reply).model_dump(mode="json"))


def _reply(ask: _Asks, question: str) -> "Reply":
    """Ask one line; what would end a single question is a reply here, because the next line must be asked."""
    from agent.reply import Fault, Reply

    try:
        return ask(question)
    except OverheardError as error:
        message = " ".join(str(error).split())
    except Exception as error:
        fault()
        message = f"a fault of Overheard itself: {type(error).__name__}: {' '.join(str(error).split())}"
    return Reply(status="failed", answer=message, error=Fault(kind="internal", message=message))


COMMAND = Command("ask", "ask a question of a recording, or of the whole library", arguments, run)
