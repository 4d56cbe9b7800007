"""The report in each of its forms, held by a file a form; OVERHEARD_GOLDEN=1 writes them anew."""

import json
import os
from pathlib import Path

import pytest

from agent.check import report as forms
from agent.check.checking import Report, check
from agent.check.document import document, read
from agent.evals.minutes.meeting import published
from store.database import Database
from tests.agent.check.ship import checked, meeting
from tools.canonical import to_json

FOLDER = Path(__file__).resolve().parents[2] / "data" / "check"


@pytest.fixture
def report(database: Database) -> Report:
    return check(database, published(database, meeting()), read(FOLDER / "minutes.md"))


@pytest.mark.parametrize("name", ["report.txt", "report.md", "report.json", "report.ansi"])
def test_each_form_is_as_it_was_read_by_a_person(name: str, report: Report, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    made = {
        "report.txt": forms.as_text,
        "report.md": forms.as_markdown,
        "report.json": lambda found: to_json(forms.as_json(found), indent=1),
        "report.ansi": forms.as_terminal,
    }[name](report)
    path = FOLDER / name
    if os.environ.get("OVERHEARD_GOLDEN"):
        path.write_text(made + "\n", encoding="utf-8")
    assert made + "\n" == path.read_text(encoding="utf-8")


def test_every_citation_is_a_row_of_the_recording(report: Report) -> None:
    texts = {(row.speaker, row.text) for row in meeting().said}
    cited = [citation for found in report.claims for citation in found.citations]
    assert len(cited) >= 6
    assert all(any(c.speaker == who and str(c.quote) in text for who, text in texts) for c in cited)


def test_a_document_without_claims_is_said_to_have_none(database: Database) -> None:
    assert forms.as_text(checked(database, "Nothing much.")).endswith("nothing to check.")


def test_text_of_others_cannot_break_a_table_or_steer_a_screen(database: Database) -> None:
    found = checked(database, 'Ben said "we | ship \x1b[2J<img src=x> on `Friday` [now](http://x)"')
    (row,) = [line for line in forms.as_markdown(found).splitlines() if line.startswith("| 1 |")]
    assert row.replace(r"\|", "").count("|") == 6
    assert "<img" not in row.replace(r"\<", "")
    assert "\x1b" not in forms.as_text(found)
    assert json.loads(to_json(forms.as_json(found)))["claims"][0]["kind"] == "quote"


def test_a_reply_of_ours_is_a_document(database: Database) -> None:
    reply = {
        "answer": "He says they ship.",
        "citations": [{"stream": "transcript", "quote": "we ship on Monday", "start": 5.0, "speaker": "Ben"}],
    }
    public_id = published(database, meeting())
    found = check(database, public_id, document("reply.json", json.dumps(reply).encode()))
    assert [(c.claim.text, c.claim.names, c.verdict) for c in found.claims] == [
        ("we ship on Monday", ("Ben",), "altered")
    ]
