"""The sample is what its README says, its truth is consistent, its sounds are heard, its questions follow the truth."""

import hashlib
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from agent.evals import sample
from agent.evals.sample.make import table, turns, vtt
from agent.evals.sample.sounds import SOUNDS, sound
from tools.events import recogniser
from tools.events.hierarchy import labels
from tools.events.labels import resolve
from tools.media.audio import decode

FOLDER = Path(__file__).resolve().parents[3] / "agent" / "evals" / "sample"
TRUTH: dict[str, Any] = json.loads((FOLDER / "truth.json").read_text())
CASES = {case.id: case for case in (*sample.suite().cases, *sample.unnamed({}).cases)}
REASONS = {
    "unknown_speaker", "speaker_unidentified", "not_said_by_speaker", "speaker_absent_in_range", "out_of_range",
    "out_of_scope", "contradictory_constraints",
}  # fmt: skip


def said(speaker: str, word: str) -> list[dict[str, Any]]:
    return [s for s in TRUTH["segments"] if s["speaker"] == speaker and word.casefold() in s["text"].casefold()]


def test_the_files_are_those_that_were_fixed() -> None:
    listed = re.findall(r"([0-9a-f]{64})  (\S+)", (FOLDER / "README.md").read_text())
    assert {name for _, name in listed} == {"meeting.opus", "truth.json", "truth.rttm"}
    for digest, name in listed:
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == digest, name


def test_the_recording_is_small_and_as_long_as_the_truth_says() -> None:
    assert (FOLDER / "meeting.opus").stat().st_size < 3_000_000
    seconds = sum(block.size for block in decode(FOLDER / "meeting.opus")) / 16_000
    assert seconds == pytest.approx(TRUTH["duration"], abs=0.01)
    assert 180 <= seconds <= 240


def test_the_truth_is_in_order_and_inside_the_recording() -> None:
    for rows in (TRUTH["segments"], TRUTH["turns"], TRUTH["events"]):
        assert all(0 <= row["start"] < row["end"] <= TRUTH["duration"] for row in rows)
        assert [row["start"] for row in rows] == sorted(row["start"] for row in rows)
    assert TRUTH["turns"] == turns(TRUTH["segments"])
    for name, speaker in TRUTH["speakers"].items():
        spoken = sum(turn["end"] - turn["start"] for turn in TRUTH["turns"] if turn["speaker"] == name)
        assert spoken == pytest.approx(speaker["seconds"], abs=0.01)


def test_the_rttm_says_what_the_truth_says() -> None:
    rows = [line.split() for line in (FOLDER / "truth.rttm").read_text().splitlines()]
    assert [(row[7], float(row[3])) for row in rows] == [(t["speaker"], t["start"]) for t in TRUTH["turns"]]


def test_there_are_overlaps_and_enough_sounds() -> None:
    segments = TRUTH["segments"]
    both = [min(a["end"], b["end"]) - b["start"] for a, b in zip(segments, segments[1:], strict=False)]
    assert len([shared for shared in both if 1 <= shared <= 2]) == 3
    assert len({event["label"] for event in TRUTH["events"]}) == 8
    assert all(label in labels() for event in TRUTH["events"] for label in event["family"])


def test_every_planted_sound_is_heard_within_a_second(weights: Callable[[str], Path]) -> None:
    weights("yamnet")
    samples = np.concatenate(list(decode(FOLDER / "meeting.opus")))
    heard = recogniser.load().hear(samples, 0)
    for event in TRUTH["events"]:
        close = [
            row.label
            for row in heard
            if abs(row.t0 / 1000 - event["start"]) <= 1 and abs(row.t1 / 1000 - event["end"]) <= 1
        ]
        assert set(close) & set(event["family"]), event


def test_a_sound_is_made_again_bit_for_bit() -> None:
    for name in SOUNDS:
        assert np.array_equal(sound(name, 2.0), sound(name, 2.0))
        assert np.abs(sound(name, 2.0)).max() == pytest.approx(1.0)


def expected(name: str) -> dict[str, Any]:
    """Give what is expected of a case, by the scorers' names."""
    return {scorer: one.target for scorer, one in CASES[name].expect}


def test_the_demo_asks_eight_questions_of_which_two_are_refused() -> None:
    demo = [expected(case.id) for case in sample.shown()]
    assert len(demo) == 8
    assert sum("reason" in wanted for wanted in demo) == 2
    assert len(CASES) >= 55


@pytest.mark.parametrize("name", CASES)
def test_what_a_question_expects_is_in_the_truth(name: str) -> None:
    wanted = expected(name)
    assert wanted.get("reason", "out_of_scope") in REASONS
    for start, end in wanted.get("cites", []):
        assert any((s["start"], s["end"]) == (start, end) for s in TRUTH["segments"])
    assert set(wanted.get("names", [])) <= set(TRUTH["speakers"])


def test_the_truth_as_files_to_import_is_the_truth() -> None:
    assert (FOLDER / "truth.vtt").read_text() == vtt(TRUTH["segments"])
    assert (FOLDER / "truth.csv").read_text() == table(TRUTH["events"])


def test_at_each_naming_time_that_person_speaks_alone() -> None:
    for name, at in sample.NAMES.items():
        near = [turn["speaker"] for turn in TRUTH["turns"] if turn["start"] - 0.5 < at < turn["end"] + 0.5]
        assert near == [name]
    assert set(sample.NAMES) == set(TRUTH["speakers"])


def test_refusals_and_counts_follow_from_the_truth() -> None:
    assert said("Ben", "deadline") == []
    assert said("Oliver", "deadline") != []
    assert said("Ada", "hospital") == []
    assert len(said("Victor", "fireworks")) == expected("how-often-victor")["value"]
    everybody = sum(s["text"].casefold().count("fireworks") for s in TRUTH["segments"])
    assert everybody == expected("how-often-all")["value"]
    assert not any("parking" in s["text"] for s in TRUTH["segments"])
    assert {s["speaker"] for s in TRUTH["segments"] if "bakery" in s["text"]} == set(expected("who-bakery")["set"])
    assert "Maria" not in TRUTH["speakers"]
    assert any("Maria" in s["text"] for s in TRUTH["segments"])


@pytest.mark.parametrize(
    ("words", "label"),
    [
        ("siren", "Siren"),
        ("telephone", "Telephone"),
        ("applause", "Applause"),
        ("car horn", "Vehicle horn, car horn, honking"),
    ],
)
def test_the_words_of_the_questions_mean_the_planted_sounds(words: str, label: str) -> None:
    (event,) = [event for event in TRUTH["events"] if event["label"] == label]
    assert label in resolve(words)
    others = [other for other in TRUTH["events"] if other is not event]
    assert not any(other["label"] in resolve(words) for other in others)
