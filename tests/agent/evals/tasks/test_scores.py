"""Figures over records are what the specification says, by hand."""

from pathlib import Path
from typing import Any

import pytest

from agent.evals.tasks.record import Record, digest, read, write
from agent.evals.tasks.scores import macro_f1, rs, slope, summary
from agent.evals.tasks.table import failures, lines


def record(**more: Any) -> Record:
    plain: dict[str, Any] = {
        "id": "1", "task": "count", "kind": "file", "minutes": 10, "preset": "clean", "seed": 1, "question": "?",
        "gold": 1, "answerable": True, "decoys": [], "status": "answered", "reason": None, "value": 1, "answer": "1",
        "parsed": True, "abstained": False, "score": 1.0, "right": True, "confidence": 0.9,
    }  # fmt: skip
    return Record(**(plain | more))


RIGHT = record()
WRONG = record(right=False, score=0.0)
SHY = record(right=False, score=0.0, abstained=True, status="refused")
WISE = record(answerable=False, abstained=True, status="refused", gold=None)
RASH = record(answerable=False, right=False, score=0.0)


def test_rs_weighs_a_wrong_answer_by_its_cost() -> None:
    assert rs([RIGHT, WISE], 10) == 100
    assert rs([RIGHT, SHY], 10) == 50
    assert rs([RIGHT, WRONG], 0) == 50
    assert rs([RIGHT, WRONG], 10) == -450
    assert rs([RIGHT, RASH], 10) == -450
    ten = [RIGHT] * 9 + [WRONG]
    assert summary(ten)["rs_n"] == pytest.approx(-10)
    assert summary([RIGHT] * 10)["rs_n"] == 100


def test_rates_are_over_what_they_are_of() -> None:
    figures = summary([RIGHT, WRONG, SHY, WISE, WISE, RASH])
    assert figures["accuracy"] == pytest.approx(1 / 3)
    assert figures["abstention"] == pytest.approx(2 / 3)
    assert figures["false_refusal"] == pytest.approx(1 / 3)
    assert (figures["n"], figures["right"], figures["plan"], figures["topline"]) == (6, 0.5, None, None)
    assert summary([RIGHT])["abstention"] is None


def test_macro_f1_is_the_mean_over_emotions() -> None:
    told = [("anger", "anger"), ("anger", "fear"), ("fear", "fear"), ("joy", "anger")]
    records = [record(task="emotion", gold=gold, value=said) for gold, said in told]
    assert macro_f1(records) == pytest.approx((0.5 + 2 / 3 + 0) / 3)


def test_the_slope_is_what_is_lost_with_length() -> None:
    assert slope([record(minutes=10, score=1.0), record(minutes=60, score=0.1), record(minutes=540, score=0.9)]) == (
        pytest.approx(10)
    )
    assert slope([RIGHT]) is None


def test_records_are_read_as_they_were_written_and_only_times_may_differ(tmp_path: Path) -> None:
    records = [record(gold=[[1.0, 2.0, "李雷"]], metrics={"der": 0.1}), SHY]
    write(records, tmp_path / "records")
    assert read(tmp_path / "records") == records
    assert digest(records) == digest([record(gold=[[1.0, 2.0, "李雷"]], metrics={"der": 0.1}, seconds=3.0), SHY])
    assert digest(records) != digest([SHY, *records])
    assert digest([RIGHT]) != digest([record(confidence=0.91)])


def test_a_table_has_a_line_for_each_task_and_length() -> None:
    records = [RIGHT, WRONG, record(minutes=60), record(task="order", kind="3 sounds", metrics={"spearman": 1.0})]
    told = list(lines(records))
    assert [line.split()[:3] for line in told if line.startswith(("count", "order"))] == [
        ["count", "10", "2"], ["count", "60", "1"], ["order", "10", "1"]
    ]  # fmt: skip
    assert any("RS(10) -266.7" in line for line in told)
    assert any("count -50.0" in line for line in told)
    assert list(failures(records))[0] == "count, file: 1 of 3"
