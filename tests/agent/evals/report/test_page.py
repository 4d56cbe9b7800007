"""The page: columns are not mixed, what is missing is said, and equal findings give equal pages."""

import re

from agent.evals.report.chapter import sections
from agent.evals.report.found import Check, Found, Table
from agent.evals.report.page import page
from agent.evals.report.part import COLUMNS, Measured, Part
from agent.evals.report.peers import paper
from tests.agent.evals.report.made import record, tasks, wrong

PAPER = {"69.40", "36.66", "94.90", "0.9k", "115.2k"}
QMSUM = Measured(
    Part("qmsum", "real audio or real diarization", "Open questions", ("measure",), data="qmsum"),
    Found((Table("A", ("x",), (("1",),)),), (Check("QMSum Product: R@1", 0.4),), "val"),
)
GONE = Measured(Part("meetings", "made audio", "Made meetings", ("measure",), "audio"), left_out="no data, so | none")


def written(*measured: Measured) -> str:
    return page("make eval", measured, list(sections(measured)))


def chapters(text: str) -> dict[str, str]:
    parts = re.split(r"^## (.*)$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_the_papers_figures_stand_beside_heard_sound_only() -> None:
    found = chapters(written(tasks(record(1), record(2, "order")), QMSUM, GONE))
    assert [name.casefold() for name in found] == [*(column.casefold() for column in COLUMNS), "left out"]
    given, made, real, left = found.values()
    assert not [figure for figure in PAPER if figure in given]
    assert all(figure in made for figure in PAPER)
    assert "Not comparable" in made
    assert "not measured" in made
    assert "0.124" in real
    assert "0.400" in real
    assert "no data, so \\| none" in left


def test_equal_findings_give_equal_pages_whatever_the_time() -> None:
    slow = written(tasks(record(1, seconds=9.0), wrong(2, "order")))
    assert slow == written(tasks(record(1, seconds=0.1), wrong(2, "order")))
    assert slow != written(tasks(record(1), record(2, "order")))


def test_a_page_says_which_bars_are_held() -> None:
    text = chapters(written(tasks(*(record(n) for n in range(9)), wrong(10))))["Rows given"]
    assert "| count, clean, every length | 0.900 | ≥ 0.98 | missed |" in text
    assert "| parse failures | 0.000 | ≤ 0 | held |" in text


def test_baselines_stand_in_one_table_on_the_same_items() -> None:
    ours = [record(n, seed=n) for n in range(4)]
    theirs = Measured(
        Part("nearest", "rows given", "Nearest", ("measure",), "baselines"),
        others={"B2 vectors": tuple(wrong(n, seed=n) for n in range(4))},
    )
    text = chapters(written(tasks(*ours), theirs))["Rows given"]
    assert "| 10 | B2 vectors | 4 | 0.000 [0.000, 0.000] | 1.000 [1.000, 1.000] |" in text
    assert "above B2 vectors, 10 min" in text


def test_made_audio_stands_beside_the_paper() -> None:
    rows = {row[0]: row[-1] for row in paper([record(1), wrong(2), record(3, "order", score=0.5)]).rows}
    assert rows["speaker counting, accuracy"] == "50.00"
    assert rows["event ordering, Spearman"] == "0.50"
