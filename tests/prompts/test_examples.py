"""The examples that a model learns from are plans that can be read, checked and run."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import prompts
from agent.brains import schemas
from store.database import Database
from tests.agent.brains.meeting import meeting
from tools.call import Session
from tools.families import FAMILIES, value
from tools.plan import parse_plan

TEXT = (Path(prompts.__file__).parent / "plan.md").read_text(encoding="utf-8")
EXAMPLES = dict(line.removeprefix("- ").split(" -> ") for line in TEXT.splitlines() if " -> " in line)
_CALL = re.compile(r"(\w+)\((.*?)\)(?:; |$)")
_WORD = re.compile(r"[^\[\]{},:=]+")


def _calls(written: str) -> list[dict[str, Any]]:
    return schemas.referable({"name": name, "args": _args(inside), "id": ""} for name, inside in _CALL.findall(written))


def _args(inside: str) -> Any:
    def quoted(word: re.Match[str]) -> str:
        text = word[0].strip()
        return text if not text or re.fullmatch(r"-?\d+", text) else json.dumps(text)

    return json.loads("{" + _WORD.sub(quoted, inside).replace("=", ":") + "}")


@pytest.mark.parametrize("question", EXAMPLES)
def test_an_example_runs(question: str, database: Database) -> None:
    catalog = meeting(database)
    written = re.sub(r"\bKim\b", "Ada", re.sub(r"\bLee\b", "Ben", EXAMPLES[question]))
    plan = parse_plan(_calls(written))
    with Session(database, catalog) as session:
        evidence = session.run(plan)
    assert evidence.sql
    assert plan.fuse.answer_schema in FAMILIES


def test_every_family_is_explained() -> None:
    (explained,) = [line for line in TEXT.splitlines() if line.strip().startswith("count how many |")]
    assert [part.split()[0] for part in explained.split(" | ")] == list(FAMILIES)


def test_what_was_said_around_the_words_is_found(database: Database) -> None:
    catalog = meeting(database)
    written = next(plan for question, plan in EXAMPLES.items() if "around the words" in question)
    plan = parse_plan(_calls(written.replace("boat, sell, sold", "launch")))
    with Session(database, catalog) as session:
        evidence = session.run(plan)
    hits = [row.t0 for row in evidence.rows if "launch" in (row.text or "")]
    assert "the bank rejects it" in " ".join(row.text or "" for row in evidence.rows)
    assert all(min(abs(row.t0 - hit) for hit in hits) <= 100_000 for row in evidence.rows)


@pytest.mark.parametrize(
    ("asked", "right"),
    [
        ("What part of", 66.0 / 178.0),
        ("Who talked the most", "Ada"),
        ("Did Kim talk longer", True),
        ("In which minutes", [[0.0, 60.0], [60.0, 120.0], [120.0, 180.0]]),
        ("Which half", [[95.0, 189.0]]),
    ],
)
def test_the_examples_that_compare_give_what_is_asked(asked: str, right: Any, database: Database) -> None:
    catalog = meeting(database)
    (written,) = (plan for question, plan in EXAMPLES.items() if question.startswith(asked))
    written = re.sub(r"\bKim\b", "Ada", re.sub(r"\bLee\b", "Ben", written))
    plan = parse_plan(_calls(written.replace("every=1200", "every=95").replace("Applause", "Door")))
    with Session(database, catalog) as session:
        found = value(plan, session.run(plan))
    assert found == (pytest.approx(right, abs=0.01) if isinstance(right, float) else right)


def test_the_json_example_is_a_plan() -> None:
    calls = schemas.read_plan(prompts.load("plan_json", schema="given"))
    assert calls is not None
    assert parse_plan(calls).fuse.answer_schema == "quote"
