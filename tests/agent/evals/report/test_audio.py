"""What is told of recordings that were made and heard."""

from dataclasses import asdict, replace

from agent.evals.report.audio import heard
from agent.evals.statistics.decomposition import Record as Lost
from tests.agent.evals.report.made import record, wrong

RIGHT = asdict(Lost("right", "right", "right", True, 1.0))
MISHEARD = asdict(Lost("right", "wrong", "wrong", True, 1.0))


def test_meetings_of_one_seed_and_several_lengths_are_several_recordings() -> None:
    assert heard([record(7, minutes=m) for m in (10, 30, 60)]).settings == "3 recordings, N = 3 items"


def test_lost_points_are_put_down_to_a_stage_and_a_stream() -> None:
    made = [replace(record(n, "count"), stages=RIGHT) for n in range(3)]
    made += [replace(wrong(n, "order"), stages=MISHEARD, blamed="sounds") for n in range(3, 5)]
    lost = {row[0]: row[1:] for row in heard(made).tables[-1].rows}
    assert heard(made).tables[-1].columns == ("stage", "count, n = 3", "order, n = 2")
    assert [cell[:5] for cell in lost["end to end"]] == ["1.000", "0.000"]
    assert [cell[:5] for cell in lost["lost to perception"]] == ["0.000", "1.000"]
    assert lost["heard wrongly"] == ("nothing", "sounds 2")


def test_where_nothing_was_decomposed_there_is_no_such_table() -> None:
    assert all(table.columns[0] != "stage" for table in heard([record(1, "count")]).tables)
