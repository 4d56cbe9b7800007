"""Each family's answer in words, of real rows: what is said, and that it stands on the rows it names."""

from collections.abc import Iterator
from typing import Any

import pytest

from agent.brains.rules.language import language
from agent.brains.rules.wording import LONGEST_QUOTE, worded
from store.database import Database
from store.record import Emotion, Event, Segment, Turn
from tests.tools.made import Made, made, plan
from tools.call import Session
from tools.evidence import Evidence, EvidenceRow
from tools.families import value

TALK = Made(
    [
        Segment(0, 2_000, "The budget is cut.", "Ada"),
        Segment(2_000, 4_500, "Which budget, the new budget?", "Ben"),
        Segment(70_000, 75_000, "The budget of March.", None),
    ],
    [Turn(0, 2_000, "Ada"), Turn(2_000, 4_500, "Ben"), Turn(60_000, 130_000, "Ada")],
    [
        Emotion(0, 1_000, "anger", 0.6, "Ada"),
        Emotion(60_000, 63_000, "anger", 0.9, "Ada"),
        Emotion(63_000, 64_000, "sadness", 0.9, "Ada"),
        Emotion(2_000, 4_000, "no clear emotion", 0.1, "Ben"),
    ],
    [Event(5_000, 5_250, "Bell", 0.9), Event(500, 800, "Bark", 0.9), Event(7_000, 7_001, "Bell", 0.9)],
)
BUDGET = {"keywords": ["budget"]}
CASES: list[tuple[str, tuple[str, dict[str, Any]], dict[str, Any], str, int]] = [
    ("count", ("transcript", BUDGET), {"aggregate": "count"},
     "“budget” is mentioned 4 times, at 0:00, 0:02 and 1:10.", 3),
    ("count", ("transcript", BUDGET | {"speaker": "Ada"}), {"aggregate": "count"},
     "Ada mentions “budget” once, at 0:00.", 1),
    ("count", ("transcript", {"keywords": ["plum"]}), {"aggregate": "count"},
     "None: “plum” is not in the transcript.", 0),
    ("count", ("speaker", {"names": ["Ada"]}), {"aggregate": "count"},
     "Ada takes the floor twice, at 0:00 and 1:00.", 2),
    ("count", ("transcript", BUDGET), {"aggregate": "count_distinct"},
     "2 people mention “budget”: Ada and Ben.", 2),
    ("count", ("speaker", {"end": 2.0}), {"aggregate": "count_distinct"},
     "1 person speaks before 0:02: Ada.", 1),
    ("yes_no", ("transcript", BUDGET), {},
     "Yes, “budget” is mentioned, first by Ada at 0:00: “The budget is cut.”", 3),
    ("yes_no", ("emotion", {"labels": ["anger"]}), {}, "Yes, Ada sounds angry, at 0:00 and 1:00.", 2),
    ("yes_no", ("emotion", {"labels": ["fear"]}), {}, "No: nobody was heard to sound afraid.", 0),
    ("yes_no", ("speaker", {"names": ["Ben"]}), {}, "Yes, Ben speaks, first at 0:02.", 1),
    ("yes_no", ("events", {"labels": ["bell"]}), {}, "Yes, “bell” was heard, at 0:05 and 0:07.", 2),
    ("duration", ("speaker", {"names": ["Ada"]}), {"aggregate": "total_duration"},
     "Ada speaks for 1:12 (72.0 s).", 2),
    ("duration", ("speaker", {"names": ["Ben"]}), {"aggregate": "total_duration"}, "Ben speaks for 2.5 s.", 1),
    ("duration", ("speaker", {"start": 200}), {"aggregate": "total_duration"},
     "For 0 s: nobody speaks after 3:20.", 0),
    ("who", ("transcript", BUDGET), {}, "Ada (at 0:00) and Ben (at 0:02) mention “budget”.", 2),
    ("who", ("transcript", {"keywords": ["March"]}), {},
     "“March” is mentioned at 1:10; who speaks there is not known.", 1),
    ("who", ("speaker", {}), {"aggregate": "total_duration", "group": "speaker", "order": "-value", "limit": 1},
     "Ada speaks the most: 1:12 (72.0 s).", 2),
    ("who", ("speaker", {}), {"aggregate": "total_duration", "group": "speaker", "order": "-value"},
     "Ada (1:12 (72.0 s)) and Ben (2.5 s) speak.", 3),
    ("when", ("events", {"labels": ["bell"]}), {}, "“bell” was heard at 0:05–0:05 and 0:07–0:07.", 2),
    ("when", ("transcript", BUDGET), {"order": "-time", "limit": 1}, "“budget” is mentioned last at 1:10–1:15.", 1),
    ("order", ("events", {"labels": ["bell", "bark", "siren"]}),
     {"aggregate": "first_occurrence", "group": "label"}, "In this order: bark (0:00), then bell (0:05).", 2),
    ("which_events", ("events", {}), {"aggregate": "count", "group": "label"}, "Heard: Bark (1×) and Bell (2×).", 2),
    ("emotion", ("emotion", {"speaker": "Ada"}), {"aggregate": "majority"},
     "Ada sounds mostly angry (80% of the time that could be judged).", 2),
    ("emotion", ("emotion", {"speaker": "Ben"}), {"aggregate": "majority"},
     "No clear emotion of Ben was heard.", 1),
    ("speaker_turns", ("speaker", {"end": 3.0}), {}, "2 turns before 0:03: 0:00–0:02 Ada; 0:02–0:03 Ben.", 2),
    ("quote", ("transcript", {"keywords": ["March"]}), {}, "Somebody at 1:10: “The budget of March.”", 1),
    ("quote", ("transcript", BUDGET), {"limit": 1}, "Ada at 0:00: “The budget is cut.”", 1),
]  # fmt: skip


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    database = Database.open(tmp_path_factory.mktemp("wording") / "library")
    with Session(database, made(database, TALK)) as opened:
        yield opened


@pytest.mark.parametrize(
    ("family", "call", "fuse", "text", "cited"), CASES, ids=lambda one: one if isinstance(one, str) else ""
)
def test_a_family_in_words(
    session: Session, family: str, call: tuple[str, dict[str, Any]], fuse: dict[str, Any], text: str, cited: int
) -> None:
    asked = plan(call, answer_schema=family, **fuse)
    evidence = session.run(asked)
    answered = worded(asked, evidence, value(asked, evidence), language())
    assert answered.text == text
    assert len(set(answered.cited)) == len(answered.cited) == cited
    assert all(0 <= place < len(evidence.rows) for place in answered.cited)


def test_many_rows_are_counted_and_a_long_one_is_cut() -> None:
    rows = tuple(
        EvidenceRow("transcript", n, "one", n * 1000, n * 1000 + 900, "Ada", f"word {'very ' * 90}{n}")
        for n in range(8)
    )
    asked = plan(("transcript", {}), answer_schema="quote")
    answered = worded(asked, Evidence(rows, 30), None, language())
    lines = answered.text.split("\n")
    assert lines[-1] == "… and 22 more"
    assert len(lines) == 9
    assert all(line.endswith(" …”") and len(line) < LONGEST_QUOTE + 30 for line in lines[:-1])


def test_rows_of_several_recordings_say_which() -> None:
    rows = (
        EvidenceRow("events", 1, "one", 0, 1_000, label="Bell"),
        EvidenceRow("events", 2, "two", 0, 1_000, label="Bell"),
    )
    asked = plan(("events", {"labels": ["bell"]}), answer_schema="when")
    answered = worded(asked, Evidence(rows, 2), [[0.0, 1.0], [0.0, 1.0]], language())
    assert answered.text == "“bell” was heard at 0:00–0:01 (one) and 0:00–0:01 (two)."
