"""`demo`: from nothing to answers: bring the weights, hear the sample, name its voices, ask it eight questions.

It asks with the rules alone, whatever the environment says of endpoints, and holds each reply against the truth.
"""

import time
from argparse import ArgumentParser, Namespace
from typing import TYPE_CHECKING

from agent.front.command import Command, database, folder
from agent.front.output import emit, say
from store.errors import Exit

if TYPE_CHECKING:
    from agent.library import Library
    from store.recordings import Recording


def arguments(parser: ArgumentParser) -> None:
    """Declare nothing: the demo takes no choices."""


def run(options: Namespace) -> int:
    """Show everything once; 1 when a reply is not the one that the sample's truth asks for."""
    from agent.library import Library

    bring_weights()
    recording = hear_sample(options)
    library = Library(folder(options).resolve())
    wrong = ask_all(library, recording)
    say("")
    say(f'Go on with your own questions: overheard ask {recording.public_id} "Who mentioned the fireworks?"')
    return int(Exit.DATA if wrong else Exit.DONE)


def bring_weights() -> None:
    """Pull the models that are used by default and are not here yet."""
    from agent.front.commands.models import pull

    pull(())


def hear_sample(options: Namespace) -> "Recording":
    """Hear the sample into the library, and name its voices."""
    from agent.evals import sample
    from agent.front.commands.ingest import hear, report
    from tools.listening.listener import Choice, load

    opened = database(options)
    say(f"Listening to the sample, {sample.TITLE!r} ...")
    began = time.monotonic()
    done = hear(opened, sample.RECORDING, load(Choice()), title=sample.TITLE)
    report(done, time.monotonic() - began, as_json=False)
    recording = done.recording
    with opened.writing() as connection:
        for label, name in sample.name_voices(connection, recording.id).items():
            say(f"{label} is {name}   (overheard speakers {recording.public_id} --rename {label}={name})")
    return recording


def ask_all(library: "Library", recording: "Recording") -> int:
    """Ask the demo's questions, print question and reply, and give how many replies are wrong."""
    from agent.ask import ask
    from agent.evals import sample
    from agent.evals.suites.judging import judged
    from agent.front.render import reply_text
    from tools.again.ear import second_listen
    from tools.embedding import embed

    cases = sample.shown()
    wrong = 0
    for number, case in enumerate(cases, 1):
        reply = ask(library, case.question, recording=recording.public_id, embed=embed(), second=second_listen())
        emit(f"\n{number}. {case.question}\n{reply_text(reply)}")
        if trouble := judged(case, reply, None).reasons:
            wrong += 1
            say(f"   not what the sample's truth says: {'; '.join(trouble)}")
    say(f"\n{len(cases) - wrong} of {len(cases)} replies are what the sample's truth asks for")
    return wrong


COMMAND = Command("demo", "hear the sample recording and ask it eight questions", arguments, run)
