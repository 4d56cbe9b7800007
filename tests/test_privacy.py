"""SECURITY's privacy section, line by line: nothing phones home, nothing is sent unasked, nothing stays behind."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from agent.privacy import ENVIRONMENT
from tests.agent.front import meeting
from tests.agent.front.shell import fresh_python, run
from tests.conftest import ROOT

LISTED = {
    "PYANNOTE_METRICS_ENABLED": "0",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "ANONYMIZED_TELEMETRY": "False",
    "LANGSMITH_TRACING": "false",
    "LANGCHAIN_TRACING_V2": "false",
    "LANGGRAPH_STRICT_MSGPACK": "true",
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    "HF_HUB_OFFLINE": "1",
}

# Watches a session of commands: what the environment was when a library came in, and every socket that was touched.
WATCHED = """
import json, os, sys

listed = json.loads(sys.argv[1])
heavy = set("torch onnxruntime ctranslate2 faster_whisper huggingface_hub chromadb openai langgraph langchain_core"
            " langsmith pyannote whisperx transformers av".split())
early, touched = {}, []

class Watch:
    def find_spec(self, name, path=None, target=None):
        top = name.partition(".")[0]
        if top in heavy and top not in early:
            early[top] = [key for key, value in listed.items() if os.environ.get(key) != value]

sys.meta_path.insert(0, Watch())
# urllib3 binds ("::1", 0) when it is imported, to learn whether the machine has IPv6; nothing leaves by it.
sys.addaudithook(lambda event, args: touched.append([event, str(args[1:])]) if event.startswith("socket.")
                 and event not in ("socket.__new__", "socket.gethostname") and args[1:] != (("::1", 0),) else None)

import io
from agent.front.cli import main

for arguments in json.loads(sys.argv[2]):
    sys.stdin = io.StringIO("who decides?\\nHow many people speak?\\n")
    main(arguments)
print(json.dumps({"early": early, "touched": touched}))
"""


def session(folder: Path) -> list[list[str]]:
    library = ["--library", str(folder / "lib")]
    files = [str(meeting.vtt(folder)), "--events", str(meeting.events(folder))]
    return [
        [*library, "import", *files, "--title", "talk"],
        [*library, "list"],
        [*library, "show", "talk"],
        [*library, "sql", "talk", "SELECT text FROM transcript"],
        [*library, "ask", "talk", "Who said drop it?", "--json"],
        [*library, "ask", "talk", "-"],
        [*library, "export", "talk", "-f", "json"],
        [*library, "rm", "talk", "--yes"],
    ]


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a session of commands did for a user whose own environment asks for telemetry."""
    opposed = {key: "true" if value in ("0", "false", "False") else "" for key, value in LISTED.items()}
    environ = opposed | {"OPENAI_BASE_URL": "", "OPENAI_API_KEY": ""}
    commands = json.dumps(session(tmp_path_factory.mktemp("watched")))
    told: dict[str, Any] = json.loads(fresh_python(WATCHED, json.dumps(LISTED), commands, environ=environ)[-1])
    return told


def test_the_listed_environment_is_set_and_a_users_own_does_not_undo_it(seen: dict[str, Any]) -> None:
    assert dict(ENVIRONMENT) == LISTED
    assert "langgraph" in seen["early"]
    assert {name: missing for name, missing in seen["early"].items() if missing} == {}


def test_no_command_touches_a_socket(seen: dict[str, Any]) -> None:
    assert seen["touched"] == []


def test_the_library_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        for arguments in session(tmp_path)[:6]:
            run(tmp_path / "lib", *arguments[2:], stdin="who decides?\n")
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "lib").rglob("*")}
    assert stat.S_IMODE((tmp_path / "lib").stat().st_mode) == 0o700
    assert modes["overheard.sqlite3"] == 0o600
    assert {mode for name, mode in modes.items() if (tmp_path / "lib" / name).is_file()} == {0o600}


def test_rm_leaves_nothing_of_what_was_asked_and_answered(tmp_path: Path) -> None:
    library = tmp_path / "lib"
    for arguments in session(tmp_path)[:6]:
        run(library, *arguments[2:], stdin="Who said canaryquestion?\n")
    assert run(library, "rm", "talk", "--yes").code == 0
    words = [*meeting.SAID, "O'Brien", "Laughter", "canaryquestion"]
    left = [
        word for path in library.rglob("*") if path.is_file() for word in words if word.encode() in path.read_bytes()
    ]
    assert left == []


def test_asking_as_a_library_protects_too(tmp_path: Path) -> None:
    code = (
        "import os, sys\nfrom pathlib import Path\n"
        "from overheard import Library, ask\nfrom store.errors import NotFound\n"
        "try:\n    ask(Library(Path(sys.argv[1])), 'Who speaks?')\nexcept NotFound:\n"
        "    print(os.environ['LANGSMITH_TRACING'], os.environ['HF_HUB_OFFLINE'])"
    )
    bare = {key: value for key, value in os.environ.items() if key not in ENVIRONMENT}
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], env=bare, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["false", "1"]
