"""What models really write is read: rows in any wrapping and any form of time; what is no row is told, never lost."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.transcript.interview.table import Said, read, written

TEN = 600_000
ROW = "1\t00:00:03\t00:00:07\tBen, euh, oui."
SAID = Said(3_000, 7_000, "1", "Ben, euh, oui.")


@pytest.mark.parametrize(
    "line",
    [
        ROW,
        "1\t00:03\t00:07\tBen, euh, oui.",
        "1\t3\t7\tBen, euh, oui.",
        "1\t00:00:03.000\t00:00:07,000\tBen, euh, oui.",
        "Speaker_1\t00:00:03\t00:00:07\tBen, euh, oui.",
        "Speaker 1 \t 00:00:03 \t 00:00:07 \t Ben, euh, oui. ",
        "**Speaker_1**\t[00:00:03]\t[00:00:07]\tBen, euh, oui.",
        "Anne\t00:00:03\t00:00:07\tBen, euh, oui.",
        "1\\t00:00:03\\t00:00:07\\tBen, euh, oui.",
        "1 00:00:03 00:00:07 Ben, euh, oui.",
        "| 1 | 00:00:03 | 00:00:07 | Ben, euh, oui. |",
        "- 1\t00:00:03\t00:00:07\tBen, euh, oui.",
        "1\t00:00:03\t00:00:07\tBen,\teuh, oui.",
        "\t1\t00:00:03\t00:00:07\tBen, euh, oui.",
    ],
)
def test_a_row_in_any_of_these_forms(line: str) -> None:
    found = read(f"Diarization Speaker_1:Anne\\Speaker_2:Luc\n{line}", TEN)
    assert (list(found.rows), list(found.problems)) == ([SAID], [])


@pytest.mark.parametrize(
    "reply",
    [
        f"```tsv\nDiarization Speaker_1:Anne\n{ROW}\n```",
        f"Here is the transcript:\n\nDiarization Speaker_1:Anne\n{ROW}\n",
        f"Diarization Speaker_1:Anne\nspeaker_id\tstart\tstop\ttext\n{ROW}",
        f"Diarization: Speaker_1: Anne\r\n{ROW}\r\n",
        f"**Diarization** Speaker_1:Anne\n---\n{ROW}",
    ],
)
def test_wrapping_is_stripped(reply: str) -> None:
    found = read(reply, TEN)
    assert (found.names, list(found.rows), list(found.problems)) == ({"1": "Anne"}, [SAID], [])


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("Diarization Speaker_1:Anne Le Goff\\Speaker_2:Luc", {"1": "Anne Le Goff", "2": "Luc"}),
        ("Diarization Speaker_1:Anne\\\\Speaker_2:Luc", {"1": "Anne", "2": "Luc"}),
        ("Diarization Speaker_1:Anne, Speaker_2:Luc", {"1": "Anne", "2": "Luc"}),
        ("diarisation\tSpeaker_1:Anne\tSpeaker_2:Luc", {"1": "Anne", "2": "Luc"}),
        ("Diarization Speaker_1:Speaker_1\\Speaker_2:Luc", {"2": "Luc"}),
        ("Diarization Speaker_1:\\Speaker_2:unknown", {}),
        ("Diarization", {}),
        ("Diarization 1:Anne\x1b[2J\\2:" + "x" * 200, {"1": "Anne"}),
    ],
)
def test_only_proper_names_are_names(header: str, names: dict[str, str]) -> None:
    assert read(f"{header}\n{ROW}", TEN).names == names


@pytest.mark.parametrize(
    "line",
    [
        "1\t00:00:09\t00:00:11\t",
        "\t00:00:09\t00:00:11\toui",
        "1\t00:00:09\toui",
        "1\tx0:00:09\t00:00:11\toui",
        "1\t-00:00:09\t00:00:11\toui",
        "oui, et après",
        "1\t00:00:09",
        "1\t00:00:09\t00:00:11",
    ],
)
def test_a_line_that_is_no_row_is_told_with_its_place(line: str) -> None:
    found = read(f"Diarization Speaker_1:Anne\n{ROW}\n{line}\n1\t00:00:12\t00:00:13\tVoilà.", TEN)
    assert [row.text for row in found.rows] == ["Ben, euh, oui.", "Voilà."]
    ((told, at),) = ((problem.line, problem.at) for problem in found.problems)
    assert told == " ".join(line.split())
    assert at == 7_000


def test_a_voice_that_is_only_named_in_its_rows_has_that_name() -> None:
    found = read("Diarization\nAnne\t0:03\t0:07\toui\nSpeaker_2\t0:08\t0:09\tnon", TEN)
    assert found.names == {"Anne": "Anne"}
    assert [row.voice for row in found.rows] == ["Anne", "2"]


def test_minutes_written_as_hours_are_minutes() -> None:
    found = read("1\t00:30:00\t00:40:00\ta\n1\t05:30:00\t05:40:00\tb\n2\t09:50:00\t09:55:00\tc", TEN)
    assert [(row.t0, row.t1) for row in found.rows] == [(30_000, 40_000), (330_000, 340_000), (590_000, 595_000)]


def test_what_is_written_for_a_model_is_read_back() -> None:
    rows = [Said(3_000, 7_000, "SPEAKER_00", "Oui."), Said(3_700_000, 3_702_000, "Anne", "Non, euh.")]
    found = read(written(rows, {"SPEAKER_00": "1", "Anne": "2"}), 4_000_000)
    assert [(row.t0, row.t1, row.voice, row.text) for row in found.rows] == [
        (3_000, 7_000, "1", "Oui."), (3_700_000, 3_702_000, "2", "Non, euh."),
    ]  # fmt: skip


@given(
    st.lists(st.one_of(st.text(max_size=60), st.just(ROW), st.sampled_from(["1\t1\t2\tx", "Diarization a:b", "```"])))
)
def test_any_text_is_read_and_every_row_is_a_row(lines: list[str]) -> None:
    found = read("\n".join(lines), TEN)
    assert all(row.text and row.voice and row.t0 >= 0 for row in found.rows)
    assert len(found.rows) >= lines.count(ROW)
