"""Each check: what it finds, and the nearest thing that it must not find."""

import os
from pathlib import Path

import pytest

from tools.health import checks
from tools.health.finding import Told

DATA = Path(os.environ.get("OVERHEARD_DATA") or Path(__file__).parents[3].parent / "shared/data")
MINUTE = 60_000


def rows(count: int, *, step: int = 10_000, length: int = 8_000, said: str = "words {n}", start: int = 0) -> list[Told]:
    """Give rows at even distances; `{n}` in what they say is their number."""
    return [Told(start + n * step, start + n * step + length, said.format(n=n), 1) for n in range(count)]


def test_a_row_that_comes_again_and_again_spoils_the_stream() -> None:
    found = checks.repeated([*rows(10), *rows(1_347, said="thank you", start=MINUTE)])
    assert found is not None
    assert found.text == "1,346 of 1,357 rows repeat the row before"
    assert found.spoilt == pytest.approx(1_346 / 1_357)


def test_people_do_say_the_same_three_times() -> None:
    assert (
        checks.repeated([row for n in range(20) for row in [*rows(3, said="no"), *rows(1, said=f"well {n}")]]) is None
    )


def test_rows_that_are_there_twice_are_found() -> None:
    found = checks.doubled([*rows(20), *rows(3)])
    assert found is not None
    assert found.text == "3 of 23 rows are there twice"


def test_two_voices_may_say_the_same_at_once() -> None:
    assert checks.doubled([Told(0, 9, "yes", voice) for voice in range(20)]) is None


@pytest.mark.parametrize(
    ("count", "said", "labels", "found"),
    [
        (100, "anger", ("anger", "neutral"), True),
        (99, "anger", ("anger", "neutral"), False),
        (100, "anger", None, False),
        (100, "no clear emotion", ("anger", "neutral"), False),
        (100, "{n}", ("0", "1"), False),
    ],
)
def test_one_label_for_everything_says_nothing(count: int, said: str, labels: tuple[str, ...], found: bool) -> None:
    made = checks.one_label(rows(count, said=said), labels, "no clear emotion")
    assert (made is not None) is found
    assert made is None or made.spoilt == 1


@pytest.mark.parametrize(("kept", "found"), [(60, False), (30, False), (29, True), (0, True)])
def test_speech_without_words_is_found(kept: int, found: bool) -> None:
    made = checks.uncovered(rows(kept, step=12_000), rows(60, step=12_000), "the speech")
    assert (made is not None) is found


def test_a_stream_without_any_row_tells_nothing_of_what_it_should() -> None:
    found = checks.uncovered([], rows(10), "the speech")
    assert found is not None
    assert (found.text, found.spoilt) == ("it covers 0% of the speech", 1.0)


def test_words_where_nobody_speaks_contradict_the_voices() -> None:
    speech, shifted = rows(30, step=20_000, length=5_000), rows(30, step=20_000, length=5_000, start=10_000)
    found = checks.contradicted(shifted, speech, "where nobody is heard speaking")
    assert found is not None
    assert found.text == "100% of it lies where nobody is heard speaking"
    near = [Told(row.t0 - 900, row.t1 + 900) for row in speech]
    assert checks.contradicted(near, speech, "where nobody is heard speaking") is None


def test_a_stream_that_ends_early_is_no_worse_but_said_so() -> None:
    found = checks.stops(rows(60), rows(360), 60 * MINUTE, "speech")
    assert found is not None
    assert found.text == "nothing after 9:58, though speech goes on to 59:58"
    assert found.spoilt == 0
    assert checks.stops(rows(331), rows(360), 60 * MINUTE, "speech") is None
    assert checks.stops(rows(360), rows(60), 60 * MINUTE, "speech") is None


@pytest.mark.parametrize(("kept", "aside", "found"), [(80, 20, False), (79, 21, True), (0, 0, False)])
def test_many_words_set_aside_are_found(kept: int, aside: int, found: bool) -> None:
    assert (checks.aside(kept, aside) is not None) is found


def test_turns_shorter_than_a_syllable_are_no_turns() -> None:
    assert checks.flickers(rows(200, length=100)) is not None
    assert checks.flickers([*rows(100, length=100), *rows(100)]) is None


@pytest.mark.skipif(not DATA.is_dir(), reason="needs the real diarizations of OVERHEARD_DATA")
def test_nothing_speaks_against_real_diarizations() -> None:
    found = {}
    for path in [*DATA.glob("voxconverse/*.rttm"), *DATA.glob("ami_rttm/*.rttm")]:
        lines = [line.split() for line in path.read_text().splitlines() if line.startswith("SPEAKER")]
        times = [(round(float(each[3]) * 1000), round(float(each[4]) * 1000), each[7]) for each in lines]
        voices = {name: number for number, name in enumerate(dict.fromkeys(name for _, _, name in times))}
        turns = [Told(t0, t0 + ms, "", voices[name]) for t0, ms, name in sorted(times) if ms]
        found[path.name] = [each for each in (checks.flickers(turns), checks.doubled(turns)) if each]
    assert len(found) > 200
    assert {name: each for name, each in found.items() if each} == {}


ENGLISH = "we have found that there should always be enough water before people begin to climb this mountain {n}"
GERMAN = "wir haben gemerkt dass immer genug wasser vorhanden sein soll bevor leute auf diesen berg steigen {n}"
HALF_MISHEARD = "we gave round that there could always see enough waiter before purple begin to climb wits mountain {n}"
JAPANESE = "この山に登る前に、いつも十分な水が必要だとわかりました。{n}"


@pytest.mark.parametrize(
    ("said", "start", "found"),
    [
        (GERMAN, 0, True),
        (ENGLISH, 0, False),
        (HALF_MISHEARD, 0, False),
        (ENGLISH, 8_000, False),
        (JAPANESE, 0, False),
    ],
)
def test_a_text_of_other_words_than_were_heard_is_a_translation(said: str, start: int, found: bool) -> None:
    made = checks.translated(rows(30, said=said, start=start), rows(30, said=ENGLISH))
    assert (made is not None) is found
    assert made is None or (made.text[:3], made.spoilt) == ("0% ", 0)


def test_little_text_is_not_called_a_translation() -> None:
    assert checks.translated(rows(5, said=GERMAN), rows(30, said=ENGLISH)) is None
    assert checks.translated(rows(30, said=GERMAN), []) is None
