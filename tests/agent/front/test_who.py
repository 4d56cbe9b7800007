"""Who is who, asked on a terminal: what is typed names a voice, two voices become one only after a yes."""

from collections.abc import Callable

import pytest

from agent.front import who
from agent.front.output import say
from store import recordings, speakers
from store.database import Database
from store.record import Segment, Turn
from store.speakers import Profile
from tests.tools.made import Made, made

SAID = (
    ("SPEAKER_00", 0, 20, "Good morning. I'm Diane."),
    ("SPEAKER_01", 20, 30, "Thanks, Diane, and all this is said while another speaks."),
    ("SPEAKER_01", 40, 44, "The stage is ready."),
    ("SPEAKER_02", 50, 51, "Yes."),
)
TURNS = [Turn(a * 1000, b * 1000, voice) for voice, a, b, _ in SAID] + [Turn(22_000, 29_000, "SPEAKER_00")]
MADE = Made(
    speaker=TURNS,
    transcript=[Segment(a * 1000, b * 1000, text, voice) for voice, a, b, text in SAID],
    profiles=[Profile("SPEAKER_02", doubt="no clean turn of 1.5 s")],
)


def typed(*lines: str) -> Callable[[], str]:
    left = iter(lines)

    def read() -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    return read


def asked(database: Database, *lines: str, agree: bool = False) -> list[str]:
    """Ask about a made recording, and give what its voices are called then."""

    def yes(question: str) -> bool:
        say(question)
        return agree

    with database.reader() as connection:
        (recording,) = recordings.every(connection)
    who.ask(database, recording, typed(*lines), yes)
    with database.reader() as connection:
        return [voice.display for voice in speakers.voices(connection, recording.id)]


def test_each_voice_is_shown_with_its_best_sentence_and_who_it_may_be(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    public = made(database, MADE).recordings[0].recording.public_id
    assert asked(database, "Diane", "", "") == ["Diane", "SPEAKER_01", "SPEAKER_02"]
    assert capsys.readouterr().err.splitlines() == [
        "3 voices. Who is who? A name, or nothing to go on.",
        "SPEAKER_00: 0:27 of talk, turns: 2",
        "  “Good morning. I'm Diane.”",
        f"  overheard play {public} 0:00-0:20",
        "  SPEAKER_00 may be Diane: [0:00 SPEAKER_00] “I'm Diane.”",
        "SPEAKER_00 is:",
        "SPEAKER_01: 0:14 of talk, turns: 2",
        "  “The stage is ready.”",
        f"  overheard play {public} 0:40-0:44",
        "SPEAKER_01 is:",
        "SPEAKER_02: 0:01 of talk, turns: 1; doubtful: no clean turn of 1.5 s",
        "  “Yes.”",
        f"  overheard play {public} 0:50-0:51",
        "SPEAKER_02 is:",
    ]


def test_c35_one_name_for_two_voices_is_asked_about(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    made(database, MADE)
    assert asked(database, "John", "john", "") == ["John", "SPEAKER_01", "SPEAKER_02"]
    assert "SPEAKER_00 is john already. Are they one person?" in capsys.readouterr().err
    assert asked(database, "john", "", agree=True) == ["John", "SPEAKER_02"]


def test_what_is_no_name_is_said_and_the_end_of_the_input_ends_it(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    made(database, MADE)
    assert asked(database, "Speaker 7", "Ben") == ["SPEAKER_00", "Ben", "SPEAKER_02"]
    assert "'Speaker 7' is the form of a label" in capsys.readouterr().err


def test_nobody_is_asked_about_voices_that_have_names(database: Database, capsys: pytest.CaptureFixture[str]) -> None:
    made(database, Made(speaker=[Turn(0, 9, "Ada")]))
    assert asked(database, "Ben") == ["Ada"]
    assert capsys.readouterr().err == ""


def test_ctrl_c_at_a_question_keeps_the_names_and_says_how_it_goes_on(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    recording = made(database, MADE).recordings[0].recording
    given = iter(["Diane"])

    def read() -> str:
        for name in given:
            return name
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        who.ask(database, recording, read)
    assert capsys.readouterr().err.splitlines()[-1] == f"later: overheard speakers {recording.public_id}"
    with database.reader() as connection:
        assert speakers.voices(connection, recording.id)[0].name == "Diane"
