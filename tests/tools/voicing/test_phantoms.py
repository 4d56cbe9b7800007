"""C12: what a recogniser takes for a voice and is hardly one is marked; what a file or a person says is one is one."""

import numpy as np
import pytest

from agent.ask import ask
from agent.library import Library
from store import edits, recordings, streams
from store.catalog import catalog
from store.database import Database
from store.record import Event, Turn
from tests.tools.made import Made, made
from tools.voicing.phantoms import DROWNED, SOUND_MS, UNCLEAR, doubts, mark

SHARES = (0.037, 0.030, 0.013, 0.001)
S = 1000


def call(label: str = "SPEAKER_0{}") -> list[Turn]:
    """Two people for ten minutes, and four voices of 3.7, 3.0, 1.3 and 0.1 % that only speak within their turns."""
    turns = [Turn(n * 20 * S, n * 20 * S + 19 * S, label.format(n % 2)) for n in range(30)]
    for number, share in enumerate(SHARES, 2):
        left, at = round(share * 600 * S), number * 2 * S
        while left > 0:
            turns.append(Turn(at, at + min(left, 1200), label.format(number)))
            left, at = left - 1200, at + 20 * S
    return sorted(turns, key=lambda turn: turn.t0)


def people(database: Database) -> tuple[object, list[str]]:
    reply = ask(Library(database.folder), "How many people speak?")
    return reply.value, [caveat for caveat in reply.caveats if "labels" in caveat]


def test_c12_phantoms_are_counted_beside_and_never_hidden(database: Database) -> None:
    made(database, Made(speaker=call(), minutes=10))
    with database.writing() as connection:
        mark(connection, 1, call(), {})
        (entry,) = catalog(connection, recordings.every(connection)).recordings
    assert [voice.doubt for voice in entry.voices] == [None, None, *[UNCLEAR] * 4]
    assert people(database) == (2, ["2 main speakers (6 labels, 4 doubtful)"])


def test_c12_the_same_shares_in_a_file_are_six(database: Database) -> None:
    made(database, Made(events=[]))
    with database.writing() as connection:
        source = streams.Source("rttm", {"file": "a.rttm"})
        streams.publish(connection, streams.new_version(connection, 1, "speaker", source), call())
        mark(connection, 1, call(), {})
    assert people(database) == (6, [])


def test_a_voice_that_somebody_names_is_no_phantom(database: Database) -> None:
    made(database, Made(speaker=call(), minutes=10))
    with database.writing() as connection:
        mark(connection, 1, call(), {})
        edits.rename(connection, 1, "SPEAKER_02", "Ann")
    assert people(database) == (3, ["3 main speakers (6 labels, 3 doubtful)"])
    with database.writing() as connection:
        edits.undo(connection, 1)
    assert people(database)[0] == 2


def test_names_that_are_not_of_a_recognisers_form_are_never_doubted() -> None:
    assert doubts(call("Person {} of us"), {}) == {}


@pytest.mark.parametrize(("turns", "found"), [
    ([Turn(0, 9 * S, "S0"), Turn(10 * S, 11_499, "S1")], {"S1": UNCLEAR}),
    ([Turn(0, 9 * S, "S0"), Turn(10 * S, 11_500, "S1")], {}),
    ([Turn(0, 9 * S, "S0"), Turn(7_600, 10_400, "S1")], {"S1": UNCLEAR}),
    ([Turn(0, 9 * S, "S0"), Turn(7_600, 10_500, "S1")], {}),
    ([Turn(0, S, "S0")], {}),
    ([], {}),
])  # fmt: skip
def test_a_turn_is_clean_while_nobody_else_speaks(turns: list[Turn], found: dict[str, str]) -> None:
    assert doubts(turns, {}) == found


def test_a_voice_that_sounds_like_a_longer_one_is_doubted_and_the_longer_is_not() -> None:
    turns = [Turn(n * 10 * S, n * 10 * S + (9 - n) * S, f"S{n}") for n in range(4)]
    angles = np.deg2rad([0, 90, 5, 94])
    prints = {f"S{n}": np.array([np.cos(a), np.sin(a)], np.float32) for n, a in enumerate(angles)}
    assert doubts(turns, prints) == {"S2": "sounds like S0", "S3": "sounds like S1"}


CRY = Event(100 * S, 104 * S, "Baby cry, infant cry", 0.9)


@pytest.mark.parametrize(
    ("sound", "doubt"),
    [
        (CRY, DROWNED),
        (Event(99 * S, 104 * S, "Chainsaw", 0.6), DROWNED),
        (Event(101 * S, 103 * S, "Bark", 0.6), DROWNED),
        (Event(100 * S, 102 * S, "Bark", 0.6), None),  # two seconds are clear
        (Event(60 * S, 60 * S + SOUND_MS + S, "Rain", 0.6), None),  # over before the voice speaks
        (Event(90 * S, 90 * S + SOUND_MS + 1, "Rain", 0.6), None),  # the whole place is in the rain
        (Event(100 * S, 104 * S, "Music", 0.9), None),
        (Event(100 * S, 104 * S, "Speech", 0.9), None),
    ],
)
def test_a_voice_that_is_heard_only_under_a_passing_sound_may_be_that_sound(sound: Event, doubt: str | None) -> None:
    turns = [Turn(0, 60 * S, "SPEAKER_00"), Turn(100 * S, 104 * S, "SPEAKER_01")]
    assert doubts(turns, {}, [sound]) == ({"SPEAKER_01": doubt} if doubt else {})


def test_the_longest_voice_and_one_that_speaks_elsewhere_too_are_voices_whatever_is_heard() -> None:
    turns = [Turn(100 * S, 104 * S, "SPEAKER_00"), Turn(106 * S, 108 * S, "SPEAKER_01")]
    assert doubts(turns, {}, [CRY]) == {}


def test_the_sounds_of_the_recording_are_asked_when_it_is_marked(database: Database) -> None:
    turns = [Turn(0, 60 * S, "SPEAKER_00"), Turn(100 * S, 104 * S, "SPEAKER_01")]
    made(database, Made(speaker=turns, events=[CRY], minutes=10))
    with database.writing() as connection:
        mark(connection, 1, turns, {})
        (entry,) = catalog(connection, recordings.every(connection)).recordings
    assert [voice.doubt for voice in entry.voices] == [None, DROWNED]
