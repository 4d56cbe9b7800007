"""`show --compare`: two versions of a stream of one recording, as figures and as the first differences."""

from pathlib import Path

import pytest

from store import rows, streams
from store.database import Database
from store.record import Segment
from tests.agent.front.shell import run
from tests.tools import tones
from tests.tools.listening.test_failures import TALK
from tools.listening.ingest import ingest
from tools.listening.listener import Choice


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """One recording whose words, emotions and voices have two versions, its events one."""
    talk = tones.write(tmp_path / "talk.wav", TALK)
    database = Database.open(tmp_path / "lib")
    ingest(database, talk, tones.listener())
    others = {"transcript": tones.Whispered(), "emotion": tones.SoundEmotions()}
    ingest(database, talk, tones.listener(Choice(num_speakers=1), **others))
    return tmp_path / "lib"


def test_words_that_differ_are_shown_beside_each_other(library: Path) -> None:
    found = run(library, "show", "talk", "--compare", "transcript", "--json").json
    assert (found["before"]["model"], found["after"]["model"]) == ("tones 1", "whispers 1")
    assert (found["before"]["asked"], found["after"]["asked"]) == (False, True)
    assert found["rate"] == 0  # a tilde is no word
    assert found["same"] == found["words"]["before"] > 5
    shown = run(library, "show", "talk", "--compare", "transcript")
    assert shown.code == 0
    assert "0 changed, 0 only in the first, 0 only in the second (0.0% of the first)" in shown.out


def test_turns_are_compared_as_the_field_does(library: Path) -> None:
    found = run(library, "show", "talk", "--compare", "speaker", "--json").json
    assert (found["voices"]["after"], len(found["pairs"])) == (1, 1)
    assert 0 < found["rate"] < 1
    assert found["confused"] == pytest.approx(found["rate"] * found["speech"], abs=0.001)
    assert "diarization error would be" in run(library, "show", "talk", "--compare", "speaker").out


def test_labels_are_counted_by_what_became_of_them(library: Path) -> None:
    found = run(library, "show", "talk", "--compare", "emotion", "--json").json
    assert (found["agreement"], found["lost"], found["gained"]) == (1, [], [])
    assert "both say the same in" in run(library, "show", "talk", "--compare", "emotion").out


def test_versions_are_chosen_by_number(library: Path) -> None:
    there = run(library, "show", "talk", "--json").json["versions"]
    first, last = (row["version"] for row in there if row["stream"] == "speaker")
    one, two = (
        run(library, "show", "talk", "--compare", "speaker", "--versions", pair, "--json").json
        for pair in (f"{first},{first}", f"{last},{first}")
    )
    assert one["rate"] == 0
    assert (two["before"]["version"], two["after"]["version"]) == (last, first)


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (("--compare", "events"), 6, "has one version of events: ingest the same file with another recogniser"),
        (("--compare", "speaker", "--versions", "2,99"), 6, "there is no version 99 of speaker; there are: 2, 3"),
        (("--compare", "speaker", "--versions", "1"), 2, "is not two numbers of versions"),
        (("--versions", "1,2"), 2, "--versions says which two --compare STREAM compares"),
        (("--compare", "smells"), 2, "invalid choice"),
    ],
)
def test_what_cannot_be_compared_is_told(library: Path, options: tuple[str, ...], code: int, said: str) -> None:
    done = run(library, "show", "talk", *options)
    assert (done.code, done.out) == (code, "")
    assert said in done.err


def asked(library: Path, stream: str) -> tuple[int, str]:
    there = run(library, "show", "talk", "--json").json["versions"]
    return next((row["version"], row["model"]) for row in there if row["stream"] == stream and row["active"])


@pytest.mark.parametrize("stream", ["transcript", "speaker", "emotion"])
def test_an_older_version_can_be_asked_again_and_the_newer_one_after_it(library: Path, stream: str) -> None:
    newer = asked(library, stream)
    older = run(library, "show", "talk", "--compare", stream, "--json").json["before"]
    done = run(library, "show", "talk", "--use-version", f"{stream}={older['version']}")
    assert (done.code, f"{stream}: version {older['version']} ({older['model']}) is asked now" in done.err) == (0, True)
    assert asked(library, stream)[1] == older["model"]
    again = run(library, "show", "talk", "--use-version", f"{stream}={newer[0]}")
    assert (again.code, asked(library, stream)) == (0, newer)
    assert "is asked already" in run(library, "show", "talk", "--use-version", f"{stream}={newer[0]}").err


def test_words_and_emotions_follow_the_voices_that_are_asked(library: Path) -> None:
    one = {said.speaker for said in spoken(library)}
    before = run(library, "show", "talk", "--compare", "speaker", "--json").json["before"]["version"]
    run(library, "show", "talk", "--use-version", f"speaker={before}")
    assert (len(one), len({said.speaker for said in spoken(library)})) == (1, 2)


def spoken(library: Path) -> list[Segment]:
    with Database.open(library).reader() as connection:
        return rows.segments(connection, streams.active(connection, 1)["transcript"])


@pytest.mark.parametrize(
    ("given", "code", "said"),
    [
        ("speaker=99", 6, "there is no version 99 of speaker; there are: 2, 3"),
        ("smells=1", 2, "is no version of a stream; give STREAM=N"),
        ("speaker", 2, "is no version of a stream; give STREAM=N"),
    ],
)
def test_a_version_that_is_not_there_is_told(library: Path, given: str, code: int, said: str) -> None:
    done = run(library, "show", "talk", "--use-version", given)
    assert (done.code, done.out) == (code, "")
    assert said in done.err
