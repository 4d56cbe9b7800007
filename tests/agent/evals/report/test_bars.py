"""The specification's bars: held by records that reach them, missed by one that does not."""

from dataclasses import replace

import pytest

from agent.evals.report.bars import bars, more, reading, repeated
from agent.evals.report.found import Check
from tests.agent.evals.report.made import abstained, record, wrong

SOUND = [
    *(record(n, "count", minutes=m) for m in (10, 540) for n in range(50)),
    *(record(n, "order", minutes=m) for m in (10, 540) for n in range(50)),
    *(abstained(n, minutes=10, answerable=False) for n in range(10)),
    *(record(n + 10, "constrained", minutes=10) for n in range(10)),
]


def verdicts(checks: list[Check]) -> dict[str, str]:
    return {check.name: check.verdict for check in checks}


def test_right_replies_hold_every_bar() -> None:
    assert set(verdicts(list(bars(SOUND))).values()) == {"held"}


def test_each_failing_misses_its_own_bar() -> None:
    unread = verdicts(list(bars([*SOUND, wrong(99, "qa", parsed=False)])))
    assert unread["parse failures"] == "missed"
    order = verdicts(list(bars([*SOUND, *(wrong(200 + n, "order", minutes=540) for n in range(2))])))
    assert (order["order, clean, every length"], order["count, clean, every length"]) == ("missed", "held")
    rash = wrong(99, "constrained", answerable=False)
    answered = verdicts(list(bars([*SOUND, rash])))
    assert answered["abstention, clean, speaker-constrained"] == "missed"
    refused = verdicts(list(bars([*SOUND, *(abstained(300 + n) for n in range(2))])))
    assert refused["false refusal, clean, speaker-constrained"] == "missed"
    unproven = verdicts(list(bars([*SOUND, replace(abstained(300, answerable=False), proven=False)])))
    assert unproven["refusals without a valid proof"] == "missed"


def test_false_refusals_are_told_by_what_was_heard() -> None:
    paper = [
        *(record(n, "constrained", preset="paper", intact=True) for n in range(9)),
        abstained(9, preset="paper", intact=True),
        *(abstained(n, preset="paper", intact=False) for n in range(20, 23)),
    ]
    found = {check.name: check.value for check in bars(paper)}
    assert found["false refusal, paper, heard as it was said"] == pytest.approx(0.1)
    assert found["false refusal, paper, heard otherwise"] == 1.0
    assert found["false refusal, paper, speaker-constrained"] == pytest.approx(4 / 13)
    assert not [check.name for check in bars([one for one in paper if one.intact]) if ", heard " in check.name]
    denied = replace(abstained(30, preset="paper", intact=False), proven=False)
    (proofs,) = [check for check in bars([*paper, denied]) if check.name == "refusals without a valid proof"]
    assert proofs.value == 1.0
    assert "1 deny a sentence" in proofs.note


def test_what_falls_with_length_is_seen() -> None:
    fallen = [*SOUND, *(wrong(200 + n, "count", minutes=540) for n in range(20))]
    assert verdicts(list(bars(fallen)))["points lost with length"] == "missed"


def test_above_a_baseline_is_beyond_chance_at_each_length() -> None:
    ours = [record(n, minutes=m, seed=n) for m in (10, 540) for n in range(20)]
    theirs = [replace(one, score=float(one.minutes > 10), right=one.minutes > 10) for one in ours]
    assert verdicts(list(more("B2", ours, theirs))) == {"above B2, 10 min": "held", "above B2, 540 min": "missed"}


def test_another_reply_is_another_run() -> None:
    ours = [record(n) for n in range(3)]
    assert repeated(ours, [replace(one, seconds=9.0) for one in ours[:2]]).verdict == "held"
    assert repeated(ours, [replace(ours[0], answer="4")]).verdict == "missed"
    assert repeated(ours, [record(9)]).verdict == "missed"


def test_what_a_model_reads_is_small_and_flat() -> None:
    flat = [record(n, minutes=m, tokens_in=500) for m in (10, 60, 540) for n in range(3)]
    assert set(verdicts(list(reading(flat))).values()) == {"held"}
    grown = [replace(one, tokens_in=round(100 * one.minutes)) for one in flat]
    assert set(verdicts(list(reading(grown))).values()) == {"missed"}
    capped = verdicts(list(reading([replace(one, tokens_in=2000 if one.minutes > 10 else 500) for one in flat])))
    assert [name for name, verdict in capped.items() if verdict == "held"] == ["median context, longest / 60 min"]
    assert "median context, longest / 60 min" not in verdicts(list(reading([r for r in flat if r.minutes <= 60])))
