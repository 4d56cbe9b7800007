"""A chat that is killed anywhere loses nothing that it acknowledged, and the conversation takes the next question."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agent.ask import ask
from agent.library import Library
from agent.threads.conversation import conversation
from agent.threads.turns import STOPPED
from tests.agent.graph.talk import talk

# Takes turns and tells each that is done; at the nth write of SQLite, or the nth step of the graph, it kills itself.
CHILD = """
import os, signal, sys
from pathlib import Path
from agent.ask import ask
from agent.library import Library
from agent.threads.conversation import conversation
from langgraph.checkpoint.sqlite import SqliteSaver

left = [int(sys.argv[3])]
def count(*_):
    left[0] -= 1
    if left[0] == 0:
        os.kill(os.getpid(), signal.SIGKILL)

if sys.argv[2] == "write":
    for name in ("put", "put_writes"):
        def wrapped(self, *args, _own=getattr(SqliteSaver, name), **more):
            count()
            done = _own(self, *args, **more)
            count()
            return done
        setattr(SqliteSaver, name, wrapped)
watch = count if sys.argv[2] == "step" else None
library, talk = Library(Path(sys.argv[1])), conversation(Path(sys.argv[1]), "talk")
for question in ("What did Anna say about the budget?", "and Ben?", "how often was the siren heard?"):
    print("asked", question, flush=True)
    ask(library, question, dialogue=talk, on_event=watch)
    print("done", question, flush=True)
"""
POINTS = [("write", n) for n in (1, 2, 3, 5, 8, 12, 17, 22, 27, 33, 38, 44, 50)] + [
    ("step", n) for n in range(1, 16, 2)
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return talk(tmp_path_factory.mktemp("library"))


@pytest.mark.parametrize(("what", "nth"), POINTS)
def test_a_killed_chat_loses_nothing_it_acknowledged(tmp_path: Path, what: str, nth: int) -> None:
    library = talk(tmp_path)
    command = [sys.executable, "-c", CHILD, str(tmp_path), what, str(nth)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    acknowledged = [line.removeprefix("done ") for line in done.stdout.splitlines() if line.startswith("done ")]
    asked = [line.removeprefix("asked ") for line in done.stdout.splitlines() if line.startswith("asked ")]
    again = conversation(tmp_path, "talk")
    turns = again.turns
    kept = [turn["asked"] for turn in turns]
    assert kept[: len(acknowledged)] == acknowledged
    assert len(acknowledged) <= len(kept) <= len(asked)
    assert all(turn["status"] != STOPPED for turn in turns[: len(acknowledged)])
    reply = ask(library, "How often did Anna mention the budget?", dialogue=again)
    assert (reply.value, reply.status) == (2, "answered")
    assert [turn["asked"] for turn in again.turns] == [*kept, "How often did Anna mention the budget?"]


def test_two_processes_on_one_conversation_lose_no_turn(tmp_path: Path) -> None:
    """Each takes its turns as the other lets go; whoever finds it held is told, and asks again."""
    talk(tmp_path)
    code = (
        "import sys, time; from pathlib import Path; from agent.ask import ask; from agent.library import Library;"
        "from agent.threads.conversation import conversation; from store.errors import StoreError\n"
        f"library, talk = Library(Path({str(tmp_path)!r})), conversation(Path({str(tmp_path)!r}), 'talk')\n"
        "for n in range(6):\n"
        "    while True:\n"
        "        try:\n"
        "            ask(library, f'How often did Anna mention the word{sys.argv[1]}{n}?', dialogue=talk); break\n"
        "        except StoreError as error:\n"
        "            assert 'this conversation is being continued by pid' in str(error), error\n"
        "            time.sleep(0.02)\n"
    )
    both = [subprocess.Popen([sys.executable, "-c", code, who]) for who in ("one", "two")]
    assert [process.wait(120) for process in both] == [0, 0]
    asked = [turn["asked"] for turn in conversation(tmp_path, "talk").turns]
    assert sorted(asked) == sorted(
        f"How often did Anna mention the word{who}{n}?" for who in ("one", "two") for n in range(6)
    )


def test_a_killed_process_leaves_no_lock(tmp_path: Path) -> None:
    talk(tmp_path)
    code = (
        "import os, signal; from pathlib import Path; from store.threads import Threads\n"
        f"with Threads(Path({str(tmp_path)!r})).held('talk'): os.kill(os.getpid(), signal.SIGKILL)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGKILL
    assert ask(Library(tmp_path), "Who speaks most?", dialogue=conversation(tmp_path, "talk")).status == "answered"
    assert list((tmp_path / "locks").iterdir())
