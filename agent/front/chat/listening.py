"""The listener of a chat: `ingest`, which ends with whoever holds the other end of its standard input.

A chat that is killed, or whose terminal is closed, can say nothing any more; the system closes its end of the pipe.
"""

import os
import sys
import threading

from agent.front import cli
from agent.front.output import leave_now, say
from store.errors import Exit


def main() -> int:
    """Run a command as `overheard` does, until the input ends."""
    threading.Thread(target=_follow, args=(sys.stdin.fileno(),), daemon=True).start()
    return cli.main()


def _follow(held: int) -> None:
    # Not by sys.stdin: its lock would be held for ever, and Python aborts where it cannot take it at its own end.
    while os.read(held, 1024):
        pass
    say("the chat that listened has ended")
    leave_now(Exit.INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())
