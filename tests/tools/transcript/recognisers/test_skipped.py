"""What is skipped once Whisper is told words: found where speech has no words, and put in from the untold text."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from store.record import Span, Turn, Word
from tools import audio
from tools.transcript.doubts import Passage
from tools.transcript.recogniser import Options, load
from tools.transcript.recognisers import whisper
from tools.transcript.recognisers.skipped import filled, skipped


def passage(text: str, first: int, each: int = 400) -> Passage:
    words = tuple(Word(first + i * each, first + (i + 1) * each, word) for i, word in enumerate(text.split()))
    return Passage(words, -0.3, 0.1, 1.5)


SPEECH = [Turn(0, 6_000, ""), Turn(8_000, 12_000, "")]
WHOLE = [passage("a b c d e f g h i j k l m n o", 0), passage("p q r s t u v w x y", 8_000)]


@pytest.mark.parametrize(
    ("told", "missing"),
    [
        (WHOLE, []),
        ([], [Span(0, 6_000), Span(8_000, 12_000)]),
        ([WHOLE[1]], [Span(0, 6_000)]),
        ([passage("f g h i j k l m n o", 2_000), WHOLE[1]], [Span(0, 1_600)]),
        ([passage("a b c", 0), passage("n o", 5_200), WHOLE[1]], [Span(1_600, 4_800)]),
        ([passage("a b c d e f g h i j k l", 0), WHOLE[1]], []),
        ([WHOLE[0], passage("p", 8_000, 3_900)], [Span(9_400, 12_000)]),
    ],
)
def test_speech_without_words_is_found_and_filled_with_what_is_written_untold(
    told: list[Passage], missing: list[Span]
) -> None:
    assert skipped(told, SPEECH) == missing
    texts = " ".join(one.text for one in filled(told, WHOLE, missing)).split()
    assert len(texts) == len(set(texts))
    lacking = {
        word.text for one in WHOLE for word in one.words for gap in missing if gap.t0 < word.t0 and word.t1 < gap.t1
    }
    assert lacking <= set(texts)


def test_a_word_that_was_written_told_is_not_written_again() -> None:
    told = [passage("lynde lived", 1_900)]
    untold = [passage("missus rachel lind lived", 900)]
    missing = skipped(told, [Turn(0, 2_700, "")])
    words = [word.text for one in filled(told, untold, missing) for word in one.words]
    assert words == ["missus", "rachel", "lynde", "lived"]


READERS = ("103/103-1240-0000.flac", "1040/1040-133433-0000.flac")


def test_hotwords_cost_no_sentence(weights: Callable[[str], Path], data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights("whisper-base")
    first, second = (np.concatenate(list(audio.decode(data / "librispeech" / name))) for name in READERS)
    samples = np.concatenate([first, np.zeros(audio.RATE, np.float32), second])

    def written(hotwords: str | None) -> int:
        turns = [Turn(0, len(samples) // 16, "A")]
        recogniser = load("base", Options(hotwords=hotwords, threads=1))
        return sum(len(window.words) for window in recogniser.transcribe(samples, 0, turns))

    untold = written(None)
    assert written("Kubernetes") >= 0.95 * untold
    monkeypatch.setattr(whisper, "skipped", lambda *_: [])
    assert written("Kubernetes") < 0.7 * untold  # of Whisper itself
