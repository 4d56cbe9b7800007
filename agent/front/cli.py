"""The command line: parse, protect, run one command, turn every known error into one plain line and an exit code.

`--help` imports only the standard library and this package; a command imports the rest when it runs.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from agent import privacy
from agent.front import output
from agent.front.command import Command
from agent.front.commands import COMMANDS
from store.errors import DataError, Exit, OverheardError

PACKAGES = ("agent", "tools", "store", "prompts")
ROOT = Path(__file__).resolve().parents[2]
CODES = (
    "Exit codes: 0 done, or answered; 1 bad data, or `check` found a claim that the recording contradicts; 2 usage;"
    " 3 endpoint; 4 budget spent; 5 refused; 6 not found; 130 interrupted."
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code."""
    privacy.protect()
    output.steady()
    try:
        own_packages()
        options = parser().parse_args(hyphened(sys.argv[1:] if argv is None else argv))
        command: Command = options.command
        return int(command.run(options))
    except OverheardError as error:
        output.say(f"overheard: {' '.join(str(error).split())}")
        return int(error.exit)
    except BrokenPipeError:
        # Whoever read our output has enough.
        output.abandon()
        return int(Exit.DONE)
    except Exception:
        output.fault()
        return int(Exit.DATA)
    except KeyboardInterrupt:
        output.say("interrupted")
        return int(Exit.INTERRUPTED)


def parser(commands: Sequence[Command] = COMMANDS) -> argparse.ArgumentParser:
    """Build the parser of all commands; `--library` is understood before and after the command."""
    top = argparse.ArgumentParser(
        prog="overheard", description="Ask questions of long recordings.", epilog=CODES, allow_abbrev=False
    )
    _library(top, None)
    words = top.add_subparsers(metavar="COMMAND", required=True, parser_class=_Intermixed)
    for command in commands:
        own = words.add_parser(command.name, help=command.summary, description=_sentence(command.summary))
        command.arguments(own)
        _describe(own)
        for parser in (own, *_actions(own)):
            _library(parser, argparse.SUPPRESS)
        own.set_defaults(command=command)
    return top


class _Plain(str):
    """An argument after `--`: never a flag, whatever it begins with."""


class _Intermixed(argparse.ArgumentParser):
    """A command's parser: its flags may stand anywhere, also between an ID and a question, and none after `--`.

    `argparse` forgets the `--` before it looks for what is no flag, and takes a file named `-x.wav` for one.
    """

    _mixing = False

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.register("type", None, str)  # a `_Plain` is a string again once it is parsed

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse flags first and the rest after them, unless the command has actions of its own."""
        if self._mixing or _actions(self):
            return super().parse_known_args(args, namespace)
        self._mixing = True
        try:
            return self.parse_known_intermixed_args(_ended(args), namespace)
        finally:
            self._mixing = False

    def _parse_optional(self, arg_string: str) -> Any:
        return None if isinstance(arg_string, _Plain) else super()._parse_optional(arg_string)


def hyphened(arguments: Sequence[str]) -> list[str]:
    """Spell flags with hyphens: WhisperX's `--min_speakers` is ours `--min-speakers`; values stay as they are."""
    found: list[str] = []
    for place, argument in enumerate(arguments):
        if argument == "--":
            return [*found, *arguments[place:]]
        flag, equals, value = argument.partition("=")
        is_flag = flag.startswith("--") and " " not in flag
        found.append((flag.replace("_", "-") if is_flag else flag) + equals + value)
    return found


def _ended(arguments: Sequence[str]) -> list[str]:
    """Leave out the `--` that ends the flags, and mark what stands after it."""
    place = list(arguments).index("--") if "--" in arguments else len(arguments)
    return [*arguments[:place], *map(_Plain, arguments[place + 1 :])]


def own_packages() -> None:
    """Check that our top-level packages are ours and not another project's; DataError names the foreign path."""
    for name in PACKAGES:
        spec = find_spec(name)
        origin = Path(spec.origin).resolve() if spec and spec.origin else None
        if origin is None or not origin.is_relative_to(ROOT):
            raise DataError(
                f"the package '{name}' comes from {origin or 'nowhere'} and not from Overheard's own {ROOT}; "
                "install Overheard in an environment of its own"
            )


def _actions(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """Give the parsers of a command's own actions (`models list`)."""
    return [own for action in _nested(parser) for own in action.choices.values()]


def _nested(parser: argparse.ArgumentParser) -> "list[argparse._SubParsersAction[argparse.ArgumentParser]]":
    return [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]


def _describe(parser: argparse.ArgumentParser) -> None:
    """Let each action's own help begin with the line that lists it."""
    for action in _nested(parser):
        for listed in action._choices_actions:
            action.choices[listed.dest].description = _sentence(listed.help or "")


def _library(parser: argparse.ArgumentParser, default: object) -> None:
    parser.add_argument(
        "--library",
        metavar="DIR",
        default=default,
        help="the library's folder; else OVERHEARD_LIBRARY, else the platform's data folder",
    )


def _sentence(summary: str) -> str:
    return f"{summary[:1].upper()}{summary[1:]}."
