"""Two reports: exactly the cases that changed are named, and what is no report is one line."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.evals.suites.difference import Difference
from agent.evals.suites.report import Known, KnownCase, known
from store.errors import DataError

OUTCOMES = st.dictionaries(st.sampled_from("abcdefgh"), st.sampled_from(["passed", "failed", "skipped"]), min_size=1)


def _report(outcomes: dict[str, Any], **figures: Any) -> Known:
    cases = [KnownCase(id=name, outcome=outcome, reasons=["why"]) for name, outcome in outcomes.items()]
    return Known(figures=figures, cases=cases)


def _ids(cases: tuple[KnownCase, ...]) -> set[str]:
    return {case.id for case in cases}


@given(OUTCOMES, OUTCOMES)
def test_exactly_the_changed_cases_are_named(before: dict[str, str], after: dict[str, str]) -> None:
    both = before.keys() & after.keys()
    if not both:
        with pytest.raises(DataError, match="no case in common"):
            Difference.of(_report(before), _report(after))
        return
    found = Difference.of(_report(before), _report(after))
    assert _ids(found.newly_failing) == {n for n in both if after[n] == "failed" != before[n]}
    assert _ids(found.newly_passing) == {n for n in both if after[n] == "passed" != before[n]}
    assert _ids(found.newly_skipped) == {n for n in both if after[n] == "skipped" != before[n]}
    assert _ids(found.only_before) == before.keys() - after.keys()
    assert _ids(found.only_after) == after.keys() - before.keys()
    assert (found.lines == ["  nothing differs"]) == (before == after)


def test_figures_that_moved_are_told_with_both_values() -> None:
    lines = Difference.of(
        _report({"a": "passed"}, rate=0.5, n=4, seconds_median=1),
        _report({"a": "passed"}, rate=0.75, n=4, new=1, seconds_median=2),
    ).lines
    assert lines == ["  rate: 0.5 -> 0.75", "  new: - -> 1"]


def test_a_case_that_was_changed_itself_is_marked() -> None:
    one = Known(figures={}, cases=[KnownCase(id="a", outcome="passed", fingerprint="1")])
    failed = Known(figures={}, cases=[KnownCase(id="a", outcome="failed", fingerprint="2", reasons=["x"])])
    same = Known(figures={}, cases=[KnownCase(id="a", outcome="passed", fingerprint="2")])
    assert Difference.of(one, failed).lines == ["  newly failing  a (the case itself was changed): x"]
    assert Difference.of(one, same).lines == ["  asked or expected otherwise, with the same outcome: a"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "holds no report"),
        ("[]", "is no report"),
        ('{"figures": {}}', "is no report (cases: field required)"),
        ('{"figures": {}, "cases": []}', "is no report (cases"),
        ('{"figures": {}, "cases": [{"id": "a", "outcome": "fine"}]}', "is no report (cases.0.outcome"),
        (
            '{"figures": {}, "cases": [{"id": "a", "outcome": "passed"}, {"id": "a", "outcome": "failed"}]}',
            "stands there",
        ),
    ],
    ids=range(6),
)
def test_what_is_no_report_is_one_line(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text(text, encoding="utf-8")
    for given_ in (tmp_path, tmp_path / "report.json"):
        with pytest.raises(DataError) as error:
            known(given_)
        assert words in str(error.value)
        assert "\n" not in str(error.value)
