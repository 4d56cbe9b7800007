"""The listener of a chat: `ingest`, which ends with whoever holds the other end of its standard input.

A chat that is killed, or whose terminal is closed, can say nothing any more; the system closes its end of the pipe.
"""

import sys
import threading
from typing import BinaryIO

from agent.front import cli
from agent.front.output import leave_now, say
from store.errors import Exit


def main() -> int:
    """Run a command as `overheard` does, until the input ends."""
    held = sys.stdin.buffer
    threading.Thread(target=_follow, args=(held,), daemon=True).start()
    return cli.main()


def _follow(held: BinaryIO) -> None:
    held.read()
    say("the chat that listened has ended")
    leave_now(Exit.INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())
