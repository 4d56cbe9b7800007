"""`ingest FILE...`: hear recordings into the library; one bad file is one line, and the next is heard all the same.

The same file with other options hears again what they change; with the earlier options the earlier versions come back.
"""

import os
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from agent.front import who
from agent.front.command import Command, database, json_argument
from agent.front.output import emit, emit_json, fault, interactive, leave_now, say
from agent.front.progress import listening
from store.clock import clock
from store.errors import Exit, OverheardError, UsageError

if TYPE_CHECKING:
    from store.database import Database
    from tools.listening.ingest import Result
    from tools.listening.listener import Choice, Listener


TRANSCRIBERS = ("faster-whisper", "whisperx", "llm", "api")
DIARIZERS = {"default": "onnx", "pyannote": "pyannote"}
Then = Callable[["Database", "Result", "Path", Callable[[int], None]], "Result"]


def arguments(parser: ArgumentParser) -> None:
    """Declare the files and how they are heard, in WhisperX's names."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="audio or video")
    parser.add_argument("--title", help="what to call it; else the file's name")
    parser.add_argument(
        "--transcriber", choices=TRANSCRIBERS, default=TRANSCRIBERS[0],
        help="what writes words: faster-whisper (default) or whisperx on this machine; a model behind OPENAI_BASE_URL,"
        " to which the audio is sent, that hears it as an interview (llm) or its /audio/transcriptions (api)",
    )  # fmt: skip
    parser.add_argument(
        "--model",
        help="what hears words: base (default), tiny.en, a size, a hub name or a folder; for llm and api the endpoint's"
        " (default: OPENAI_MODEL)",
    )
    parser.add_argument("--context", metavar="TEXT", help="for llm: who speaks, and about what")
    parser.add_argument("--first-speaker", metavar="NAME", help="for llm: who speaks first")
    own_models(parser)
    parser.add_argument("--trust-model", action="store_true", help="hear with weights that nobody vouches for")
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


def own_models(parser: ArgumentParser) -> None:
    """Declare the recognisers beside the default ones, and the models they hear with."""
    parser.add_argument(
        "--align-model", metavar="MODEL",
        help="for whisperx: a wav2vec2 that finds the times of words, a folder or hub name; without it those of up"
        " to half a minute share it",
    )  # fmt: skip
    parser.add_argument(
        "--diarizer", choices=("default", "pyannote"), default="default",
        help="what tells voices apart: the default, or a pyannote.audio pipeline",
    )  # fmt: skip
    parser.add_argument("--diarize-model", metavar="MODEL", help="for pyannote: a pipeline's folder or hub name")
    parser.add_argument("--exclusive", action="store_true", help="for pyannote: one voice at a time")
    parser.add_argument(
        "--tagger", choices=("yamnet", "panns"), default="yamnet",
        help="what hears sounds: yamnet (default), or PANNs' Cnn14",
    )  # fmt: skip
    parser.add_argument("--tagger-model", metavar="FILE", help="for panns: a checkpoint of Cnn14_DecisionLevelMax")
    parser.add_argument(
        "--emotion", metavar="MODEL", default="default",
        help="what tells how turns sound: default, or a classifier of speech, a folder or hub name",
    )  # fmt: skip


def run(options: Namespace) -> int:
    """Hear every file; 1 when one of them could not be heard."""
    from tools.listening.listener import load

    library = database(options)
    then = written(options)
    listener = load(choice(options))
    failed = False
    for name in options.files:
        began = time.monotonic()
        try:
            done = hear(library, Path(name), listener, title=options.title, max_hours=options.max_hours, then=then)
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
    library: "Database",
    path: Path,
    listener: "Listener",
    *,
    title: str | None = None,
    max_hours: float | None = None,
    then: Then | None = None,
) -> "Result":
    """Hear one file with its progress on stderr, and give its segments their vectors.

    `then` has what was heard written down, told what to tell how far it is.
    """
    from tools.embedding import remember
    from tools.listening.ingest import ingest
    from tools.listening.listener import Step
    from tools.media.audio import MAX_HOURS

    most = MAX_HOURS if max_hours is None else max_hours
    with listening(path.name) as progress:
        done = ingest(library, path, listener, title=title, max_hours=most, progress=progress)
        whole = done.recording.duration_ms
        done = then(library, done, path, lambda ms: progress(Step("transcript", ms), whole)) if then else done
    left_out = remember(library, done.recording.id)
    return replace(done, notes=(*done.notes, *([left_out] if left_out else [])))


def choice(options: Namespace) -> "Choice":
    """Give which recognisers hear, and what they are told."""
    from tools.emotion.recogniser import DEFAULT as EMOTION
    from tools.listening.listener import Choice
    from tools.transcript.recogniser import Options

    words = Options(
        language=options.language,
        initial_prompt=options.initial_prompt,
        hotwords=options.hotwords,
        align_model=options.align_model,
        trust_model=options.trust_model,
    )
    unused(f"--diarizer {options.diarizer}", options, options.diarizer != "pyannote", "diarize_model", "exclusive")
    unused(f"--tagger {options.tagger}", options, options.tagger != "panns", "tagger_model")
    return Choice(
        transcript=transcript(options),
        speaker=DIARIZERS[options.diarizer],
        emotion=EMOTION if options.emotion == "default" else options.emotion,
        events=options.tagger,
        words=words,
        diarize_model=options.diarize_model,
        exclusive=options.exclusive,
        tagger_model=options.tagger_model,
        num_speakers=options.num_speakers,
        min_speakers=options.min_speakers,
        max_speakers=options.max_speakers,
        channels=options.channels,
    )


def transcript(options: Namespace) -> str:
    """Give what hears words, by the name that recognisers are loaded by; UsageError for options it has no use for."""
    chosen = options.transcriber
    called = f"--transcriber {chosen}"
    unused(called, options, chosen != "llm", "context", "first_speaker")
    unused(called, options, chosen == "llm", "hotwords", "initial_prompt")
    unused(called, options, chosen != "whisperx", "align_model")
    if chosen == "llm":
        return "llm"
    if chosen in ("api", "whisperx"):
        return f"{chosen}:{options.model or ''}"
    return str(options.model or "base")


def unused(chosen: str, options: Namespace, without: bool, *names: str) -> None:
    """Raise UsageError when options were given of which what was chosen makes no use."""
    if without and (found := [f"--{name.replace('_', '-')}" for name in names if getattr(options, name)]):
        raise UsageError(f"{chosen} has no use for {', '.join(found)}")


def written(options: Namespace) -> Then | None:
    """Give what has a recording written down by a model that hears, None where words are heard on this machine.

    UsageError without an endpoint.
    """
    from tools.endpoints.configured import configured

    if options.transcriber == "api":
        say(f"what is spoken goes to {configured('--transcriber api', os.environ).host}")
    if options.transcriber != "llm":
        return None
    from tools.listening.written import write_down
    from tools.transcript.recognisers.llm import SILENT_S, Llm, Told
    from tools.transcript.recognisers.whisper import voiced

    endpoint = configured("--transcriber llm", os.environ, model=options.model, timeout=SILENT_S, say=say)
    ear = Llm(endpoint, Told(options.context, options.first_speaker, options.language))

    def then(library: "Database", done: "Result", path: Path, progress: Callable[[int], None]) -> "Result":
        notes = write_down(library, done.recording, path, ear, voiced, say=say, progress=progress)
        if notes is None:
            return done
        kept = () if done.again and not done.fresh else done.notes
        return replace(done, fresh=True, notes=(*kept, *notes))

    return then


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
