"""TextGrids of Praat, ELAN, aligners and other libraries: long and short, any encoding, damaged ones too."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from praatio import textgrid as library
from praatio.data_classes.interval_tier import IntervalTier
from praatio.data_classes.point_tier import PointTier

from store.errors import DataError
from store.record import Emotion, Event, Row, Segment, StreamKind, Turn
from tests.tools.exports.written import PLAIN
from tools.imports import textgrid
from tools.imports.files import guess, read_file

SHORT = '''File type = "ooTextFile short"
"TextGrid"

0
9.5
<exists>
2
"IntervalTier"
"Ada"
0
9.5
3
0
1.0000001
"he said ""hi"""
1.0000001
2
""
2
9.5
"IntervalTier"
"TextTier"
"bell"
0
9.5
1
1.5
"ding ! dong"
'''


def rows(text: str, kind: StreamKind = "transcript") -> list[Row]:
    return [placed.row for placed in textgrid.read(text, kind).rows]


def long(entries: str, name: str = "Ada") -> str:
    head = 'File type = "ooTextFile"\nObject class = "TextGrid"\n\nxmin = 0\nxmax = 9\ntiers? <exists>\nsize = 1\n'
    tier = f'item []:\n    item [1]:\n        class = "IntervalTier"\n        name = "{name}"\n'
    return f"{head}{tier}        xmin = 0\n        xmax = 9\n        intervals: size = 7\n{entries}"


def interval(start: object, end: object, text: str) -> str:
    edges = f"            xmin = {start}\n            xmax = {end}\n"
    return f'        intervals [1]:\n{edges}            text = "{text}"\n'


def test_short_text_with_quotes_silence_and_a_label_that_is_a_word_of_the_format() -> None:
    parsed = textgrid.read(SHORT, "transcript")
    assert [placed.row for placed in parsed.rows] == [
        Segment(0, 1001, 'he said "hi"', "Ada"),
        Segment(2000, 9500, "IntervalTier", "Ada"),
    ]
    assert parsed.notes == ("not read as transcript: bell",)
    assert parsed.duration_ms == 9500


def test_points_are_events_and_intervals_everything_else() -> None:
    assert rows(SHORT, "events") == [Event(1500, 1500, "ding ! dong", 1.0)]
    assert rows(long(interval(0, 1, "Dog")), "events") == [Event(0, 1000, "Dog", 1.0)]
    assert rows(SHORT, "speaker") == [Turn(0, 1001, "Ada"), Turn(2000, 9500, "Ada")]
    assert rows(long(interval(0, 1, "Bob"), "speakers"), "speaker") == [Turn(0, 1000, "Bob")]
    assert rows(long(interval(0, 1, "anger")), "emotion") == [Emotion(0, 1000, "anger", 1.0, "Ada")]
    with pytest.raises(DataError, match="but bell; --events reads points"):
        textgrid.read('"ooTextFile" "TextGrid" 0 1 <exists> 1 "TextTier" "bell" 0 1 1 0.5 "x"', "transcript")


@pytest.mark.parametrize(
    ("name", "voice"),
    [
        ("words", None),
        ("Transcription", None),
        ("", None),
        ("Ada - words", "Ada"),
        (" Ada  B. ", "Ada B."),
        ("Wordsworth", "Wordsworth"),
    ],
)
def test_a_tier_named_after_what_it_holds_is_nobodys(name: str, voice: str | None) -> None:
    assert rows(long(interval(0, 1, "x"), name)) == [Segment(0, 1000, "x", voice)]


def test_an_aligners_phones_are_told_and_not_read() -> None:
    words, phones = long(interval(0, 1, "hi"), "Ada - words"), long(interval(0, 1, "h"), "Ada - phones")
    text = (words + phones.split("item []:\n")[1]).replace("size = 7", "size = 1")
    parsed = textgrid.read(text, "transcript")
    assert [placed.row for placed in parsed.rows] == [Segment(0, 1000, "hi", "Ada")]
    assert parsed.notes == ("not read as transcript: Ada - phones",)


def test_tiers_of_one_name_are_one_voice() -> None:
    text = long(interval(0, 5, "a")) + long(interval(4, 9, "b")).split("item []:\n")[1]
    assert rows(text) == [Segment(0, 5000, "a", "Ada"), Segment(4000, 9000, "b", "Ada")]


@pytest.mark.parametrize(
    ("bad", "lost"),
    [
        (interval("x", 2, "b"), [22]),
        (interval("--undefined--", 2, "b"), [22]),
        (interval("1e99", 2, "b"), [22]),
        (interval(1, 2, "3"), []),
        (interval(5, 4, "item [2]: intervals [7]"), []),
        (interval(-1, "1e-05", "b"), []),
    ],
)
def test_one_damaged_interval_costs_no_other(bad: str, lost: list[int]) -> None:
    text = long(interval(0, 1, "a") + bad + interval(2, 9, "c"))
    parsed = textgrid.read(text, "transcript")
    kept = [placed.row for placed in parsed.rows]
    assert list(parsed.lost) == lost
    assert kept[0] == Segment(0, 1000, "a", "Ada")
    assert kept[-1] == Segment(2000, 9000, "c", "Ada")


def test_what_breaks_off_keeps_what_is_whole() -> None:
    whole = long(interval(0, 1, "a") + interval(1, 2, "b"))
    for end in range(-8, -1):
        parsed = textgrid.read(whole[:end], "transcript")
        assert [placed.row for placed in parsed.rows] == [Segment(0, 1000, "a", "Ada")]
        assert len(parsed.lost) == 1


def test_what_a_tier_says_it_has_and_has_not_is_told() -> None:
    parsed = textgrid.read(long(interval(0, 1, "a") + interval(1, "x", "b")), "transcript")
    assert parsed.notes == ("the tier Ada lacks 5 of its 7 entries",)
    aligned = long(interval(0, 1, "a")).replace("size = 7", "size = 0")
    assert textgrid.read(aligned, "transcript").notes == ()
    with pytest.raises(DataError, match="nothing is written"):
        textgrid.read(long(interval(0, 9, " ")), "transcript")


def test_a_last_tier_without_entries_has_lost_nothing() -> None:
    assert textgrid.read(SHORT.partition("1\n1.5")[0] + "0\n", "transcript").lost == ()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
def test_encodings_of_praat(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "a.TextGrid"
    mark = "\ufeff" if encoding == "utf-16-be" else ""
    path.write_bytes((mark + long(interval(0, 1, "李 é"), "Zoë")).replace("\n", "\r\n").encode(encoding))
    parsed, _ = read_file(path, "transcript")
    assert [placed.row for placed in parsed.rows] == [Segment(0, 1000, "李 é", "Zoë")]
    assert guess(path) == "transcript"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no TextGrid"),
        ("hello", "no TextGrid"),
        ('"ooTextFile" "Sound"', "no TextGrid"),
        ("ooBinaryFile\x08TextGrid", "binary"),
        ('"ooTextFile" "TextGrid" 0 1 <absent>', "without tiers"),
    ],
)
def test_what_is_none_is_refused(text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        textgrid.read(text, "transcript")


def test_text_of_strangers_is_harmless() -> None:
    (row,) = rows(long(interval(0, 1, "a\x1b[2Jb\n\u202ec"), "A\x1b]0;x\x07da"))
    assert row == Segment(0, 1000, "ab c", "Ada")


@settings(max_examples=60, deadline=None)
@given(
    form=st.sampled_from(["short_textgrid", "long_textgrid"]),
    said=st.lists(PLAIN, min_size=1, max_size=6),
    data=st.data(),
)
def test_what_the_library_writes_is_read(
    form: str, said: list[str], data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cuts = sorted(data.draw(st.sets(st.integers(0, 10**7), min_size=2 * len(said), max_size=2 * len(said))))
    spans = list(zip(cuts[::2], cuts[1::2], said, strict=True))
    grid = library.Textgrid()
    grid.addTier(IntervalTier("Ada", [(t0 / 1000, t1 / 1000, text) for t0, t1, text in spans], 0, 10**4))
    grid.addTier(PointTier("bell", [(t0 / 1000, text) for t0, _, text in spans], 0, 10**4))
    path = tmp_path_factory.mktemp("grid") / "x.TextGrid"
    grid.save(str(path), form, includeBlankSpaces=True)
    spoken, heard = read_file(path, "transcript")[0], read_file(path, "events")[0]
    assert [placed.row for placed in spoken.rows] == [Segment(*span, "Ada") for span in spans]
    assert [placed.row for placed in heard.rows] == [Event(t0, t0, text, 1.0) for t0, _, text in spans]
