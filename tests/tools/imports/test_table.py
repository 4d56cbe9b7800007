"""CSV: start, end, label, score, with and without a header."""

import pytest

from store.errors import DataError
from store.record import Emotion, Event, Row, Segment, Turn
from tools.imports import table
from tools.imports.parsed import Parsed


def rows(parsed: Parsed) -> list[Row]:
    return [placed.row for placed in parsed.rows]


@pytest.mark.parametrize(
    "text",
    [
        "1.5,2.25,Laughter,0.9\n",
        "start,end,label,score\n1.5,2.25,Laughter,0.9\n",
        "Score;Label;End;Start\n0.9;Laughter;2,25;1,5\n",
        "onset\toffset\tevent_label\tscore\n00:00:01.5\t00:00:02.25\tLaughter\t0.9\n",
        "# by hand\n\n1.5, 2.25, Laughter, 0.9\n",
    ],
)
def test_one_row_in_many_forms(text: str) -> None:
    assert rows(table.read(text, "events")) == [Event(1500, 2250, "Laughter", 0.9)]


def test_a_label_may_hold_commas_and_quotes_and_the_score_may_lack() -> None:
    parsed = table.read('start,end,label\n1,2,"Dog, ""loud"""\n', "events")
    assert rows(parsed) == [Event(1000, 2000, 'Dog, "loud"', 1.0)]


def test_emotions_keep_their_own_times_and_speaker() -> None:
    text = "start,end,label,score,speaker\n1,2,anger,.5,Ada\n3,4,neutral,0.75,\n"
    assert rows(table.read(text, "emotion")) == [
        Emotion(1000, 2000, "anger", 0.5, "Ada"),
        Emotion(3000, 4000, "neutral", 0.75),
    ]


def test_a_stream_column_gives_each_stream_its_own_rows() -> None:
    text = (
        "start,end,label,score,stream,speaker,text\n"
        "1,2,Dog,1,events,,\n1,2,anger,1,emotion,Ada,\n1,2,,,transcript,Ada,hello\n1,2,,,speaker,Ada,\n"
    )
    assert rows(table.read(text, "events")) == [Event(1000, 2000, "Dog", 1.0)]
    assert rows(table.read(text, "transcript")) == [Segment(1000, 2000, "hello", "Ada")]
    assert rows(table.read(text, "speaker")) == [Turn(1000, 2000, "Ada")]


@pytest.mark.parametrize(
    "bad", ["nan,2,Dog,1", "1,2,,1", "1,2,Dog,nan", "1,2,Dog,7", "1,inf,Dog,1", "1,2", "x,2,Dog,1"]
)
def test_a_row_that_is_none_is_set_aside_by_line(bad: str) -> None:
    parsed = table.read(f"start,end,label,score\n1,2,Dog,1\n{bad}\n", "events")
    assert parsed.lost == (3,)
    assert len(parsed.rows) == 1


def test_no_table_is_refused() -> None:
    with pytest.raises(DataError, match="no table"):
        table.read("\n\n", "events")
