"""One passage heard again: a name that was written otherwise is heard, one that nobody says is not."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from store.errors import UsageError
from store.record import Word
from tools.again.likely import Written, passage
from tools.again.listening import asked_of
from tools.media import audio
from tools.media.audio import Samples
from tools.transcript.evidence import Asked, Evidence
from tools.transcript.recogniser import Options, SecondListener
from tools.transcript.recognisers import again
from tools.transcript.recognisers.whisper import Whisper
from tools.transcript.windows import clip

SAMPLE = Path(__file__).parents[4] / "agent" / "evals" / "sample" / "meeting.opus"
START_MS = 83_000  # Victor: "I object to the fireworks. The hospital is right across the street, ..."
VOCABULARY = [
    "object",
    "across",
    "street",
    "banner",
    "minutes",
    "committee",
    "carpenter",
    "nobody",
    "Thursday",
    "second",
]


@pytest.fixture(scope="module")
def base(weights: Callable[[str], Path]) -> Whisper:
    weights("whisper-base")
    return Whisper("whisper-base", Options(language="en"))


@pytest.fixture(scope="module")
def objection() -> Samples:
    samples: Samples = np.concatenate(list(audio.decode(SAMPLE)))
    return samples[START_MS * 16 : (START_MS + 12_000) * 16]


@pytest.fixture(scope="module")
def written(base: Whisper, objection: Samples) -> tuple[Word, ...]:
    return tuple(word for window in base.transcribe(objection, 0, None) for word in window.words)


def weigh(base: Whisper, samples: Samples, words: tuple[Word, ...], term: str) -> Evidence:
    likely = passage(Written(1, 1, words, True, " ".join(word.text for word in words), None, "en"), term)
    return hear(base, samples[likely.span.t0 * 16 : likely.span.t1 * 16], asked_of(likely, VOCABULARY))


def hear(base: Whisper, samples: Samples, asked: Asked) -> Evidence:
    (evidence,) = base.listen_again([(samples, asked)])
    return evidence


def misheard(words: tuple[Word, ...], said: str, as_written: str) -> tuple[Word, ...]:
    return tuple(Word(w.t0, w.t1, w.text.replace(said, as_written), 0.3) for w in words)


def test_whisper_is_a_second_listener(base: Whisper) -> None:
    assert isinstance(base, SecondListener)


@pytest.mark.parametrize(("term", "as_written"), [("hospital", "horse pedal"), ("sleep", "sleet")])
def test_what_is_said_is_heard_though_something_else_was_written(
    base: Whisper, objection: Samples, written: tuple[Word, ...], term: str, as_written: str
) -> None:
    words = misheard(written, term, as_written)
    assert term not in " ".join(word.text for word in words)
    assert weigh(base, objection, words, term).heard


@pytest.mark.parametrize("term", ["Zabriskie", "fireplace", "hostility", "submarine"])
def test_what_is_not_said_is_not_heard(base: Whisper, objection: Samples, written: tuple[Word, ...], term: str) -> None:
    assert not weigh(base, objection, written, term).heard


def test_hearing_again_twice_gives_the_same(base: Whisper, objection: Samples, written: tuple[Word, ...]) -> None:
    words = misheard(written, "complaints", "completes")
    assert weigh(base, objection, words, "complaints") == weigh(base, objection, words, "complaints")


def test_all_passages_are_glanced_at_and_the_few_that_promise_most_are_weighed(
    base: Whisper, objection: Samples, written: tuple[Word, ...]
) -> None:
    words = misheard(written, "street", "sareer")
    segments = [Written(1, 1, words[n : n + 4], True, "", None, "en") for n in range(len(words) - 4)]
    passages = [passage(segment, "street") for segment in segments]
    assert len(passages) > again.WEIGHED
    asked = [(clip(objection, 0, each.span), asked_of(each, VOCABULARY)) for each in passages]
    evidence = base.listen_again(asked)
    weighed = [one for one in evidence if np.isfinite(one.borne)]
    assert len(weighed) == again.WEIGHED
    glanced = [one for one in evidence if not np.isfinite(one.borne)]
    assert min(one.promise for one in weighed) >= max(one.promise for one in glanced)
    assert not any(one.heard for one in glanced)
    (street,) = (word for word in words if word.text.startswith("sareer"))
    there = [each.span.t0 < street.t1 and street.t0 < each.span.t1 for each in passages]
    assert any(one.heard and said for one, said in zip(evidence, there, strict=True))
    assert not any(one.heard and not said for one, said in zip(evidence, there, strict=True))


def test_without_decoys_nothing_is_heard(base: Whisper, objection: Samples) -> None:
    assert not hear(base, objection, Asked("fireworks", ("to", "the", "firewalls"), ((2, 3),))).heard


def test_nothing_is_heard_in_silence(base: Whisper) -> None:
    asked = Asked("Zabriskie", ("Thank", "you."), ((0, 2),), VOCABULARY, "en")
    assert not hear(base, np.zeros(3 * 16_000, np.float32), asked).heard


def test_a_passage_that_does_not_fit_is_refused(base: Whisper) -> None:
    with pytest.raises(UsageError, match="give at most 30 s"):
        hear(base, np.zeros(31 * 16_000, np.float32), Asked("Zabriskie", ("x",), ((0, 1),)))


def test_a_text_is_scored_as_in_the_padded_window_though_less_silence_follows(
    base: Whisper, objection: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ["I object to the fireworks.", "I object to the fireplace."]
    spoken = objection[: 3 * 16_000]

    def scores(silence: float) -> list[float]:
        monkeypatch.setattr(again, "_SILENCE_S", silence)
        states = again.states(base._model, spoken)
        return list(again.Sound(base._model, base._tokenizer("en"), states).scores(texts))

    short, long = (scores(silence) for silence in (again._SILENCE_S, 27.0))
    assert short[0] - short[1] == pytest.approx(long[0] - long[1], abs=3)


def test_a_name_that_was_written_otherwise_is_heard(base: Whisper, data: Path) -> None:
    path = data / "librispeech" / "103" / "103-1240-0000.flac"
    samples: Samples = np.concatenate(list(audio.decode(path)))[: 9 * 16_000]
    words = tuple(word for window in base.transcribe(samples, 0, None) for word in window.words)
    heard = {term: weigh(base, samples, words, term).heard for term in ("Rachel Lynde", "Rachel Lambert", "Pontefract")}
    assert heard == {"Rachel Lynde": True, "Rachel Lambert": False, "Pontefract": False}
