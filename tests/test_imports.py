"""What is imported at run time, which static contracts cannot see, and who else installs our packages' names."""

import importlib.metadata
import json
from pathlib import Path

from agent.front.cli import PACKAGES
from tests.agent.front import meeting
from tests.agent.front.shell import fresh_python, run

HEAVY = {"torch", "ctranslate2", "onnxruntime", "openai", "chromadb"}
ASKED = """
import json, sys
from agent.front.cli import main

codes = [main(arguments) for arguments in json.loads(sys.argv[1])]
print(json.dumps({"codes": codes, "loaded": sorted({name.partition(".")[0] for name in sys.modules})}))
"""


def test_a_question_that_words_and_labels_answer_imports_nothing_heavy(tmp_path: Path) -> None:
    run(tmp_path, "import", str(meeting.vtt(tmp_path)), "--events", str(meeting.events(tmp_path)), "--title", "talk")
    asked = ["How many people speak?", "Who said drop it?", "What did Select say?", "Was there any laughter?"]
    questions = [["--library", str(tmp_path), "ask", "talk", question, "--brain", "rules"] for question in asked]
    seen = json.loads(fresh_python(ASKED, json.dumps(questions))[-1])
    assert seen["codes"] == [0] * len(asked)
    assert not set(seen["loaded"]) & HEAVY


def test_nobody_else_installs_our_top_level_names() -> None:
    installed = importlib.metadata.packages_distributions()
    for name in (*PACKAGES, "overheard"):
        assert {owner.lower() for owner in installed.get(name, [])} <= {"overheard"}, name
