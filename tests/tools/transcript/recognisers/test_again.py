"""One span heard again: a name that was written otherwise is heard, one that nobody says is never written."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from store.errors import UsageError
from store.record import Span
from tools import audio
from tools.audio import Samples
from tools.transcript.doubts import plain
from tools.transcript.recogniser import Options, Relistened, SecondListener
from tools.transcript.recognisers.again import _instead, _place
from tools.transcript.recognisers.whisper import Whisper

SAMPLE = Path(__file__).parents[4] / "agent" / "evals" / "sample" / "meeting.opus"
START_MS = 83_000  # Victor: "I object to the fireworks. The hospital is right across the street, ..."


@pytest.fixture(scope="module")
def base(weights: Callable[[str], Path]) -> Whisper:
    weights("whisper-base")
    return Whisper("whisper-base", Options(language="en"))


@pytest.fixture(scope="module")
def objection() -> Samples:
    samples: Samples = np.concatenate(list(audio.decode(SAMPLE)))
    return samples[START_MS * 16 : (START_MS + 12_000) * 16]


@pytest.fixture(scope="module")
def again(base: Whisper, objection: Samples) -> Relistened:
    span = Span(START_MS, START_MS + 12_000)
    return base.listen_again(objection, START_MS, span, ["fireworks", "Zabriskie", "the hospital"])


def test_whisper_is_a_second_listener(base: Whisper) -> None:
    assert isinstance(base, SecondListener)


def test_what_is_said_is_heard_where_it_is_said_and_what_is_not_is_not(again: Relistened) -> None:
    assert [(one.term, one.heard) for one in again.evidence] == [
        ("fireworks", True),
        ("Zabriskie", False),
        ("the hospital", True),
    ]
    fireworks, _, hospital = again.evidence
    assert START_MS <= fireworks.t0 < fireworks.t1 <= hospital.t0 + 300 < hospital.t1 <= START_MS + 12_000
    assert fireworks.t1 - fireworks.t0 < 1_500


def test_only_what_was_heard_is_written(again: Relistened) -> None:
    text = plain(" ".join(word.text for word in again.window.words))
    assert "fireworks" in text
    assert "zabriskie" not in text
    assert (again.window.t0, again.window.t1) == (START_MS, START_MS + 12_000)


def test_hearing_again_twice_gives_the_same(base: Whisper, objection: Samples, again: Relistened) -> None:
    span = Span(START_MS, START_MS + 12_000)
    twice = base.listen_again(objection, START_MS, span, ["fireworks", "Zabriskie", "the hospital"])
    assert twice.evidence == again.evidence
    assert twice.window.words == again.window.words


def test_a_span_is_encoded_once_however_often_it_is_asked(base: Whisper, objection: Samples) -> None:
    span = Span(START_MS, START_MS + 12_000)
    first = base._again(objection, span, 5)
    assert base._again(objection, span, 5)[2] is first[2]
    assert base._again(objection[::-1].copy(), span, 5)[2] is not first[2]


def test_nothing_is_heard_in_silence(base: Whisper) -> None:
    heard = base.listen_again(np.zeros(5 * 16_000, np.float32), 0, Span(0, 5_000), ["Zabriskie"])
    assert [one.heard for one in heard.evidence] == [False]
    assert heard.window.words == ()


def test_a_span_that_does_not_fit_is_refused(base: Whisper) -> None:
    with pytest.raises(UsageError, match="give at most 30 s"):
        base.listen_again(np.zeros(31 * 16_000, np.float32), 0, Span(0, 31_000), ["x"])


def test_a_name_that_was_written_otherwise_is_heard(base: Whisper, data: Path) -> None:
    path = data / "librispeech" / "103" / "103-1240-0000.flac"
    samples: Samples = np.concatenate(list(audio.decode(path)))[: 9 * 16_000]
    heard = base.listen_again(samples, 0, Span(0, 9_000), ["Rachel Lynde", "Rachel Lambert", "Pontefract"])
    assert [one.heard for one in heard.evidence] == [True, False, False]
    assert "lynde" in plain(" ".join(word.text for word in heard.window.words))


def test_a_place_is_the_fewest_words_that_hold_a_term() -> None:
    words = [" It", " was", " Mrs", ".", " Rachel", " Lynde", ","]
    assert _place(words, "Rachel Lynde") == (4, 6)
    assert _place(words, "rachel") == (4, 5)
    assert _place(words, "Lind") is None


def test_what_stands_instead_of_a_place_is_found_between_what_agrees() -> None:
    words = [" keys", " to", " Ravens", " Rock", " before", " you"]
    told = [" the", " keys", " to", " Ravenscroft", " before", " you"]
    assert _instead(words, told, (3, 4)) == (2, 4, (3, 4))
    assert _instead([" a"], [" b", " c"], (1, 2)) == (0, 1, (0, 2))
