"""RTTM: columns never shift, whatever the file id holds."""

from pathlib import Path

import pytest

from store.errors import DataError
from store.record import Turn
from tools.imports import rttm


def line(
    uri: str, name: str = "SPEAKER_00", start: str = "1.5", duration: str = "2.25", tail: str = "<NA> <NA>"
) -> str:
    return f"SPEAKER {uri} 1 {start} {duration} <NA> <NA> {name} {tail}\n"


@pytest.mark.parametrize("uri", ["plain", "mono vocals", "take 2 of 3", "7 1 2.0", "NA", "été à  midi", "a\tb"])
@pytest.mark.parametrize("name", ["SPEAKER_00", "Ada Lovelace", "Select", "O'Brien;", "%25", "NULL"])
@pytest.mark.parametrize("tail", ["<NA> <NA>", "<NA>", "0.9 <NA>"])
def test_c01_spaces_shift_no_column(uri: str, name: str, tail: str) -> None:
    parsed = rttm.read(line(uri, name, tail=tail))
    assert [placed.row for placed in parsed.rows] == [
        Turn(1500, 3750, name.replace("%25", "%"), 0.9 if tail.startswith("0.9") else None)
    ]


@pytest.mark.parametrize(
    "bad",
    [
        "SPEAKER a 1 1.0 <NA> <NA> SPEAKER_00 <NA> <NA>\n",
        "SPEAKER a 1 1.0 2.0 <NA> <NA> <NA>\n",
        "SPEAKER a 1 nan 2.0 <NA> <NA> S <NA> <NA>\n",
        "SPEAKER a 1 1.0 2.0 <NA> <NA> x 1 1.0 2.0 <NA> <NA> S <NA> <NA>\n",
        "SPEAKER a 1 1e99 2.0 <NA> <NA> S <NA> <NA>\n",
    ],
)
def test_c01_a_line_that_fits_no_way_or_several_is_set_aside_by_number(bad: str) -> None:
    parsed = rttm.read(";; comment\n" + line("a") + bad + line("a"))
    assert parsed.lost == (3,)
    assert [placed.at for placed in parsed.rows] == [2, 4]


def test_turns_of_several_recordings_are_refused() -> None:
    with pytest.raises(DataError, match="2 recordings"):
        rttm.read(line("a") + line("b"))


def test_other_line_types_are_counted() -> None:
    assert "1 lines" in rttm.read("SPKR-INFO a 1 <NA> <NA> <NA> unknown S <NA> <NA>\n" + line("a")).notes[0]


def test_real_meetings_are_read_whole(data: Path) -> None:
    for path in sorted((data / "ami_rttm").glob("*.rttm"))[:4]:
        text = path.read_text(encoding="utf-8")
        parsed = rttm.read(text)
        assert len(parsed.rows) == text.count("SPEAKER ")
        assert parsed.lost == ()
        total = sum(float(row.split()[4]) for row in text.splitlines())
        assert abs(sum(p.row.t1 - p.row.t0 for p in parsed.rows) / 1000 - total) < 0.001 * len(parsed.rows)
