"""WebVTT and SubRip as programs and people really write them."""

import pytest

from store.errors import DataError
from store.record import Segment
from tools.imports.parsed import Parsed
from tools.imports.subtitles import read_srt, read_vtt


def segments(parsed: Parsed) -> list[Segment]:
    return [placed.row for placed in parsed.rows if isinstance(placed.row, Segment)]


def said(parsed: Parsed) -> list[tuple[str | None, str]]:
    return [(row.speaker, row.text) for row in segments(parsed)]


TEAMS = """\ufeffWEBVTT

NOTE 00:00:00.000 --> 00:00:09.000
<v Nobody>This note is never a cue

d1c5/12-0
00:00:01.000 --> 00:00:04.000
<v Jane Doe>
Hello &amp; welcome,
it&#39;s <i>all</i> fine</v>

00:00:05.000 --> 00:00:07.000
<v.loud Müller, Anna>R&amp;D is late

STYLE
::cue(b) { color: red }

00:00:08.000 --> 00:00:09.000 align:start position:10%
<v Jane Doe>10:30 Meeting: agenda
"""


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_c06_teams_voices_entities_bom_and_line_ends(line_end: str) -> None:
    from tools.imports.text import decode

    text, notes = decode(TEAMS.replace("\n", line_end).encode())
    parsed = read_vtt(text)
    assert notes == []
    assert said(parsed) == [
        ("Jane Doe", "Hello & welcome, it's all fine"),
        ("Müller, Anna", "R&D is late"),
        ("Jane Doe", "10:30 Meeting: agenda"),
    ]
    assert [placed.at for placed in parsed.rows] == [7, 12, 18]


def test_c06_a_clock_before_a_colon_is_no_speaker() -> None:
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\n10:30 Meeting: agenda\n\n00:02.000 --> 00:03.000\nAda Lovelace: hello\n"
    assert said(read_vtt(text)) == [(None, "10:30 Meeting: agenda"), ("Ada Lovelace", "hello")]


def test_zoom_names_are_voices_and_said_to_be_read() -> None:
    names = ["Ada Lovelace", "O'Brien", "李雷", "Jan van den Berg"]
    cues = [f"{i}\n00:00:0{i}.000 --> 00:00:0{i}.900\n{name}: so, the plan is: go\n" for i, name in enumerate(names)]
    parsed = read_vtt("WEBVTT\n\n" + "\n".join(cues))
    assert said(parsed) == [(name, "so, the plan is: go") for name in names]
    assert "Ada Lovelace" in parsed.notes[0]


def test_a_colon_in_a_sentence_makes_no_speaker() -> None:
    lines = [
        "Note: this is late",
        "we met",
        "we ate",
        "we left",
        "So there: done",
        "nothing",
        "again",
        "the end",
        "bye",
    ]
    cues = [f"00:00:0{i}.000 --> 00:00:0{i}.900\n{line}\n" for i, line in enumerate(lines)]
    assert {speaker for speaker, _ in said(read_vtt("WEBVTT\n\n" + "\n".join(cues)))} == {None}


def test_several_voices_in_one_cue_are_all_kept() -> None:
    parsed = read_vtt("WEBVTT\n\n00:01.000 --> 00:02.000\n<v Ada>Hi</v>\n<v Bob>Yes</v>\n")
    assert said(parsed) == [("Ada", "Hi"), ("Bob", "Yes")]
    assert {(row.t0, row.t1) for row in segments(parsed)} == {(1000, 2000)}


def test_c25_one_name_in_two_unicode_forms_is_one_voice() -> None:
    cues = "\n".join(f"00:0{i}.000 --> 00:0{i}.500\n<v {n}>x\n" for i, n in enumerate(["Hiếu", "Hiếu", "HIẾU"]))
    assert {speaker for speaker, _ in said(read_vtt("WEBVTT\n\n" + cues))} == {"Hiếu"}


def test_c03_times_beyond_a_day_are_kept() -> None:
    parsed = read_srt("1\n32:54:04,120 --> 32:54:05,000\nlate\n\n2\n00:00:00,000 --> 55:00:00,000\nlong\n")
    assert [(row.t0, row.t1) for row in segments(parsed)] == [(118_444_120, 118_445_000), (0, 198_000_000)]


def test_c05_odd_times_are_read_floored_ceiled_and_noted() -> None:
    parsed = read_srt("1\n0:0:4,8 --> 0:0:5,9\na\n\n2\n00:00:01,249.0999999 --> 00:00:01,249.0999999\nb\n")
    assert [(row.t0, row.t1) for row in segments(parsed)] == [(4800, 5900), (1249, 1250)]
    assert parsed.notes == ("2 times are written unusually, first at line 2",)


def test_subrip_text_may_hold_blank_lines_arrows_and_numbers() -> None:
    text = "1\n00:00:01,000 --> 00:00:02,000\nfirst\n\nstill first, a --> b\n\n2\n00:00:03,000 --> 00:00:04,000\n42\n\n"
    assert said(read_srt(text)) == [(None, "first still first, a --> b"), (None, "42")]


def test_unreadable_times_are_set_aside_by_line() -> None:
    parsed = read_vtt("WEBVTT\n\nxx:00 --> 00:02.000\nlost\n\n00:03.000 --> 00:04.000\nkept\n")
    assert parsed.lost == (3,)
    assert said(parsed) == [(None, "kept")]


def test_terminal_sequences_never_come_in() -> None:
    text = "WEBVTT\n\n00:01.000 --> 00:02.000\n<v \x1b[31mAda>hi \x1b]52;c;Y3VybA==\x07there \u202etxt.exe [/bold]\n"
    assert said(read_vtt(text)) == [("Ada", "hi there txt.exe [/bold]")]


@pytest.mark.parametrize("text", ["", "WEBVTT\n\nNOTE only\n", "no subtitles at all"])
def test_a_file_without_cues_is_refused(text: str) -> None:
    with pytest.raises(DataError, match="no vtt cue"):
        read_vtt(text)
