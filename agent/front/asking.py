"""Asking from the command line: which library, who thinks, and on stderr where anything is sent."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from agent.front.command import folder
from agent.front.output import agreed, interactive, say
from tools.again.ear import SECONDS

if TYPE_CHECKING:
    from agent.dialogue import Dialogue
    from agent.reply import Reply


def brain_argument(parser: ArgumentParser) -> None:
    """Add --brain."""
    parser.add_argument("--brain", metavar="NAME", help="rules or openai; else what the environment chooses")


def second_listen_argument(parser: ArgumentParser) -> None:
    """Add --listen-again."""
    parser.add_argument(
        "--listen-again", type=seconds, default=SECONDS, metavar="SECONDS",
        help=f"hear so much of the likeliest audio again before words are denied; 0 never does (default: {SECONDS:g})",
    )  # fmt: skip


def seconds(text: str) -> float:
    """Read a length in seconds; less than 0 and `nan` are none."""
    length = float(text)
    if not length >= 0:
        raise ArgumentTypeError(f"{text!r} is no length of audio; give seconds, or 0 to listen never again")
    return length


class Asker:
    """Asks with one brain and one library, opened once for any number of questions."""

    def __init__(self, options: Namespace) -> None:
        from agent.brains.choose import choose
        from agent.library import Library

        self.library = Library(folder(options).resolve())
        confirm = agreed if interactive() else None
        choice = choose(self.library.folder, options.brain, confirm=confirm, say=say)
        if choice.notice:
            say(choice.notice)
        self._brain = choice.brain()
        self._again: float = options.listen_again

    def __call__(
        self,
        question: str,
        recording: str | None,
        watch: Callable[[Any], None] | None = None,
        dialogue: "Dialogue | None" = None,
    ) -> "Reply":
        """Ask one recording, or the whole library when none is named; `watch` sees each stage as it happens.

        With a dialogue a question may be asked back, and `resume` goes on with it.
        """
        from agent.ask import ask
        from tools.again.ear import second_listen
        from tools.embedding import embed

        return ask(
            self.library, question, recording=recording, brain=self._brain, on_event=watch, embed=embed(),
            second=second_listen(self._again), dialogue=dialogue,
        )  # fmt: skip

    def resume(self, dialogue: "Dialogue", answer: str, watch: Callable[[Any], None] | None = None) -> "Reply":
        """Go on with the question that waits in a dialogue, by the voice whose key is the answer."""
        from agent.ask import resume
        from tools.again.ear import second_listen
        from tools.embedding import embed

        again = second_listen(self._again)
        return resume(self.library, dialogue, answer, brain=self._brain, on_event=watch, embed=embed(), second=again)
