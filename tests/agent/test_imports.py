"""A question that words and labels answer loads nothing heavy, in a fresh interpreter."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.agent.graph.talk import talk

HEAVY = ("torch", "ctranslate2", "onnxruntime", "openai", "chromadb", "faster_whisper", "av", "httpx._main")
QUESTIONS = (
    "Who mentioned the budget?",
    "How many speakers are there?",
    "What did Marie say about the train?",
    "Was a siren heard?",
    "In what order did the applause and the siren occur?",
)
CODE = """
import json, sys
from agent.ask import ask
from agent.library import Library
library = Library(sys.argv[1])
statuses = [ask(library, question).status for question in sys.argv[2:]]
print(json.dumps([statuses, sorted(sys.modules)]))
"""


def test_in_recording_questions_load_nothing_heavy(tmp_path: Path) -> None:
    talk(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path), *QUESTIONS], capture_output=True, text=True, check=True, timeout=60
    )
    statuses, modules = json.loads(done.stdout)
    assert statuses == ["answered", "answered", "refused", "answered", "answered"]
    assert [name for name in HEAVY if name in modules] == []
    assert "langgraph" in modules


@pytest.mark.parametrize("module", ["overheard", "agent.library", "agent.brains.rules.brain", "agent.ask"])
def test_the_graph_library_is_imported_only_when_a_question_is_asked(module: str) -> None:
    code = f"import {module}, sys; print([name for name in ('langgraph', 'langchain_core') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == "[]"
