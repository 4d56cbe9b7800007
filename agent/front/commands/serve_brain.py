"""`serve-brain`: the rules as an OpenAI-compatible endpoint on this machine, to try clients of such endpoints on."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace

from agent.front.command import Command
from agent.front.output import emit, say
from store.errors import Exit

PORT = 8765


def arguments(parser: ArgumentParser) -> None:
    """Declare where to serve."""
    parser.add_argument(
        "--host", metavar="ADDRESS", default="127.0.0.1", help="an address of this machine alone (default 127.0.0.1)"
    )
    parser.add_argument("--port", type=port, metavar="N", default=PORT, help=f"0 takes a free one (default {PORT})")


def port(text: str) -> int:
    """Read a port; ArgumentTypeError when there can be none of that number."""
    if not text.isdecimal() or int(text) > 0xFFFF:
        raise ArgumentTypeError(f"{text!r} is no port; give 0 to 65535")
    return int(text)


def run(options: Namespace) -> int:
    """Say how to use it and serve until it is interrupted, which is its end and no fault."""
    from agent.serve.server import Server
    from agent.serve.wire import MODEL

    with Server(options.host, options.port) as server:
        emit(f"export OPENAI_BASE_URL={server.url}\nexport OPENAI_API_KEY=none\nexport OPENAI_MODEL={MODEL}")
        say(f"The rules answer at {server.url}, and see only what a request holds; Ctrl-C ends it")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say("served until interrupted")
    return int(Exit.DONE)


COMMAND = Command("serve-brain", "serve the rules as an OpenAI-compatible endpoint", arguments, run)
