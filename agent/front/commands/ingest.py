"""`ingest FILE...`: hear recordings into the library; one bad file is one line, and the next is heard all the same.

The same file with other options hears again what they change; with the earlier options the earlier versions come back.
"""

import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from agent.front import who
from agent.front.command import Command, database, json_argument
from agent.front.output import emit, emit_json, fault, interactive, leave_now, say
from agent.front.progress import listening
from store.clock import clock
from store.errors import Exit, OverheardError

if TYPE_CHECKING:
    from store.database import Database
    from tools.listening.ingest import Result
    from tools.listening.listener import Choice, Listener


def arguments(parser: ArgumentParser) -> None:
    """Declare the files and how they are heard, in WhisperX's names."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="audio or video")
    parser.add_argument("--title", help="what to call it; else the file's name")
    parser.add_argument(
        "--model", default="base", help="what hears words: base (default), tiny.en, a size, a hub name or a folder"
    )
    parser.add_argument("--trust-model", action="store_true", help="hear with a folder of weights nobody vouches for")
    parser.add_argument("--language", metavar="CODE", help="the language spoken; else found for each window")
    parser.add_argument("--num-speakers", type=int, metavar="N", help="exactly so many voices")
    parser.add_argument("--min-speakers", type=int, metavar="N", help="at least so many voices")
    parser.add_argument("--max-speakers", type=int, metavar="N", help="at most so many voices")
    parser.add_argument(
        "--channels", choices=("auto", "mix", "split"), default="auto",
        help="two channels: a voice each where they are two people (auto), never (mix) or always (split)",
    )  # fmt: skip
    parser.add_argument("--hotwords", metavar="WORDS", help="words that are likely to be said")
    parser.add_argument("--initial-prompt", metavar="TEXT", help="a text in the style of what is said")
    parser.add_argument("--max-hours", type=hours, metavar="H", help="refuse longer audio (default: 24)")
    json_argument(parser)


def run(options: Namespace) -> int:
    """Hear every file; 1 when one of them could not be heard."""
    from tools.listening.listener import load

    library = database(options)
    listener = load(choice(options))
    failed = False
    for name in options.files:
        began = time.monotonic()
        try:
            done = hear(library, Path(name), listener, title=options.title, max_hours=options.max_hours)
            report(done, time.monotonic() - began, as_json=options.json)
            if done.fresh and interactive() and not options.json:
                who.ask(library, done.recording)
        except OverheardError as error:
            failed = True
            say(f"overheard: {' '.join(str(error).split())}")
        except BrokenPipeError:
            raise
        except Exception:
            failed = True
            fault()
        except KeyboardInterrupt:  # what was published stays
            say(f"interrupted; the same command goes on with {name} from where it was heard to")
            leave_now(Exit.INTERRUPTED)
    return int(Exit.DATA if failed else Exit.DONE)


def hear(
    library: "Database", path: Path, listener: "Listener", *, title: str | None = None, max_hours: float | None = None
) -> "Result":
    """Hear one file with its progress on stderr, and give its segments their vectors."""
    from tools.audio import MAX_HOURS
    from tools.embedding import remember
    from tools.listening.ingest import ingest

    most = MAX_HOURS if max_hours is None else max_hours
    with listening(path.name) as progress:
        done = ingest(library, path, listener, title=title, max_hours=most, progress=progress)
    left_out = remember(library, done.recording.id)
    return replace(done, notes=(*done.notes, *([left_out] if left_out else [])))


def choice(options: Namespace) -> "Choice":
    """Give which recognisers hear, and what they are told."""
    from tools.listening.listener import Choice
    from tools.transcript.recogniser import Options

    words = Options(
        language=options.language,
        initial_prompt=options.initial_prompt,
        hotwords=options.hotwords,
        trust_model=options.trust_model,
    )
    return Choice(
        transcript=options.model,
        words=words,
        num_speakers=options.num_speakers,
        min_speakers=options.min_speakers,
        max_speakers=options.max_speakers,
        channels=options.channels,
    )


def hours(text: str) -> float:
    """Read a length in hours; 0, less and `nan` are none."""
    length = float(text)
    if not length > 0:
        raise ArgumentTypeError(f"{text!r} is no length of audio; give hours above 0")
    return length


def report(done: "Result", seconds: float, *, as_json: bool) -> None:
    """Say what was heard, how fast, and what there is to know."""
    recording = done.recording
    if done.fresh and done.again:
        say(f"brought to these options in {clock(round(seconds * 1000))}")
    elif done.fresh:
        speed = recording.duration_ms / 1000 / max(seconds, 0.001)
        say(f"heard {clock(recording.duration_ms)} in {clock(round(seconds * 1000))} ({speed:.1f}x)")
    for note in done.notes:
        say(f"note: {note}")
    if as_json:
        emit_json(
            {
                "recording": recording.public_id,
                "title": recording.title,
                "duration": recording.duration_ms / 1000,
                "fresh": done.fresh,
                "notes": list(done.notes),
            }
        )
    else:
        emit(recording.public_id)


COMMAND = Command("ingest", "hear audio or video into the library", arguments, run)
