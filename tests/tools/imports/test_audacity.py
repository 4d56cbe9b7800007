"""Audacity's labels: regions, points, frequencies, and voices marked either way."""

import pytest

from store.errors import DataError
from store.record import Emotion, Event, Row, Segment, StreamKind, Turn
from tools.imports import audacity

LABELS = (
    "1.000000\t1.000000\tdoor\n"
    "\\\t6928.456055\t6928.456055\n"
    "3.4000001\t6.100000\tapplause, loud\n"
    "\\\t-1.000000\t6334.588867\n"
)


def rows(text: str, kind: StreamKind) -> list[Row]:
    return [placed.row for placed in audacity.read(text, kind).rows]


def test_points_regions_and_frequencies() -> None:
    parsed = audacity.read(LABELS, "events")
    assert [placed.row for placed in parsed.rows] == [
        Event(1000, 1000, "door", 1.0),
        Event(3400, 6100, "applause, loud", 1.0),
    ]
    assert (parsed.lost, parsed.notes) == ((), ("2 lines hold frequencies, which are not kept",))


@pytest.mark.parametrize(
    ("kind", "row"),
    [
        ("transcript", Segment(0, 1000, "anger")),
        ("speaker", Turn(0, 1000, "anger")),
        ("emotion", Emotion(0, 1000, "anger", 1.0)),
        ("events", Event(0, 1000, "anger", 1.0)),
    ],
)
def test_a_label_is_what_its_file_is_for(kind: StreamKind, row: Row) -> None:
    assert rows("0\t1\tanger\n", kind) == [row]


def test_voices_are_marked_as_whisperx_does() -> None:
    text = "0\t1\t[[SPEAKER_00]]Note: hello\n1\t2\t[[Ada]]] ] x\n2\t3\tnobody\n3\t4\t[[]] [[x]]\n"
    assert rows(text, "transcript") == [
        Segment(0, 1000, "Note: hello", "SPEAKER_00"),
        Segment(1000, 2000, "] x", "Ada]"),
        Segment(2000, 3000, "nobody"),
        Segment(3000, 4000, "[[x]]"),
    ]


def test_voices_are_read_before_a_colon_where_the_whole_file_writes_so() -> None:
    assert rows("0\t1\tAda: hi\n1\t2\tBob: ho\n", "transcript") == [
        Segment(0, 1000, "hi", "Ada"),
        Segment(1000, 2000, "ho", "Bob"),
    ]
    assert rows("0\t1\tAda: hi\n", "events") == [Event(0, 1000, "Ada: hi", 1.0)]


def test_old_files_write_a_point_with_one_time_and_others_a_comma() -> None:
    assert rows("5.5\tintro\n6,25\t7,5\tverse\tone\n", "events") == [
        Event(5500, 5500, "intro", 1.0),
        Event(6250, 7500, "verse one", 1.0),
    ]


def test_what_is_no_label_is_set_aside_by_line() -> None:
    parsed = audacity.read("0\t1\tDog\n\nx\ty\tz\n1\t2\t \n3\t4\n5\n5\tx\tCat\nnan\t1\tCat\n", "events")
    assert [placed.row for placed in parsed.rows] == [Event(0, 1000, "Dog", 1.0)]
    assert parsed.lost == (3, 4, 5, 6, 7, 8)


@pytest.mark.parametrize("text", ["", "hello\n", "\\\t1\t2\n", "<html>\n"])
def test_no_label_is_refused(text: str) -> None:
    with pytest.raises(DataError, match="no label in it"):
        audacity.read(text, "events")
