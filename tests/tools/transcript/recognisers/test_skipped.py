"""What Whisper skips: found where speech has no words, put in from the untold text, or heard by itself."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from store.record import Span, Turn, Word
from tools.media import audio
from tools.transcript.doubts import Passage
from tools.transcript.recogniser import Options, load
from tools.transcript.recognisers import whisper
from tools.transcript.recognisers.skipped import filled, skipped, spoken, sure, unheard


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
    for mending in ("skipped", "unheard"):
        monkeypatch.setattr(whisper, mending, lambda *_: [])
    assert written("Kubernetes") < 0.7 * untold  # of Whisper itself


def test_the_longest_speech_without_words_is_heard_by_itself() -> None:
    speech = [Turn(0, 2_000, ""), Turn(5_000, 9_000, ""), Turn(12_000, 15_000, ""), Turn(20_000, 21_000, "")]
    assert unheard([], speech) == [Span(5_000, 9_000), Span(12_000, 15_000)]
    assert unheard([passage("a b c d e f g h i j", 5_000)], speech) == [Span(12_000, 15_000), Span(0, 2_000)]
    pauses = [Turn(0, 3_000, ""), Turn(4_000, 7_000, ""), Turn(8_000, 11_000, "")]
    assert unheard([], pauses) == [Span(0, 11_000)]
    assert unheard([passage("well", 3_300)], pauses) == [Span(4_100, 11_000), Span(0, 2_900)]


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ([], []),
        ([Turn(0, 12_000, "A")], [(0, 6_000), (8_000, 12_000)]),
        ([Turn(0, 1_000, "A"), Turn(11_000, 12_000, "B")], [(0, 2_000), (10_000, 12_000)]),
        ([Turn(7_000, 7_001, "A")], [(8_000, 8_001)]),  # within a second of a turn, to the millisecond
        ([Turn(6_999, 7_000, "A")], [(5_999, 6_000)]),
        ([Turn(0, 4_000, "A"), Turn(500, 3_000, "B")], [(0, 5_000)]),
        ([Turn(20_000, 30_000, "A")], []),
    ],
)
def test_speech_is_missed_only_near_turns(turns: list[Turn], expected: list[tuple[int, int]]) -> None:
    assert [(one.t0, one.t1) for one in spoken(SPEECH, turns)] == expected


@pytest.mark.parametrize(("logprob", "silent", "kept"), [(-0.4, 0.2, True), (-1.2, 0.2, False), (-0.4, 0.7, False)])
def test_what_is_only_guessed_where_nothing_was_written_is_left_out(logprob: float, silent: float, kept: bool) -> None:
    guess = replace(passage("I'm sorry", 0), avg_logprob=logprob, no_speech_prob=silent)
    assert sure([guess]) == ([guess] if kept else [])


def test_a_sentence_that_whisper_skips_is_written_once_it_is_begun(
    weights: Callable[[str], Path], data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights("whisper-base")
    first, second = (np.concatenate(list(audio.decode(data / "librispeech" / name))) for name in READERS)
    samples = np.concatenate([first, np.zeros(audio.RATE, np.float32), second])
    turns = [Turn(0, len(samples) // 16, "A")]
    recogniser = load("base", Options(threads=1))
    whole = [word.text for window in recogniser.transcribe(samples, 0, turns) for word in window.words]
    written, begun = whisper.Whisper._passages, list[Span]()

    def skipping(self: whisper.Whisper, encoded: Any, span: Span, *rest: Any, **chosen: Any) -> list[Passage]:
        passages = written(self, encoded, span, *rest, **chosen)
        if begun or len(passages) < 2:
            return passages
        begun.append(span)
        return passages[:1]

    monkeypatch.setattr(whisper.Whisper, "_passages", skipping)
    mended = [word.text for window in recogniser.transcribe(samples, 0, turns) for word in window.words]
    begun.clear()
    monkeypatch.setattr(whisper, "unheard", lambda *_: [])
    lost = [word.text for window in recogniser.transcribe(samples, 0, turns) for word in window.words]
    assert len(lost) < 0.7 * len(whole)
    assert len(mended) > 0.9 * len(whole)


def test_what_nobodys_turn_holds_is_not_heard_by_itself(
    weights: Callable[[str], Path], data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A gap between two turns, in which Whisper writes nothing, costs an encoding only if it lies near a turn."""
    weights("whisper-tiny.en")
    samples = np.concatenate(list(audio.decode(data / "librispeech" / READERS[0])))
    recogniser = load("tiny.en", Options(threads=1))
    encode, passages = whisper.Whisper._encode, whisper.Whisper._passages
    encoded: list[int] = []

    def counted(self: whisper.Whisper, part: whisper.Samples) -> Any:
        encoded.append(len(part))
        return encode(self, part)

    def silent_between(self: whisper.Whisper, heard: Any, span: Span, *rest: Any, **chosen: Any) -> list[Passage]:
        found = passages(self, heard, span, *rest, **chosen)
        kept = [replace(p, words=tuple(w for w in p.words if not 3_000 <= w.t0 < 9_000)) for p in found]
        return [one for one in kept if one.words]

    monkeypatch.setattr(whisper.Whisper, "_encode", counted)
    monkeypatch.setattr(whisper.Whisper, "_passages", silent_between)

    def encodings(turns: list[Turn]) -> int:
        encoded.clear()
        assert [word for window in recogniser.transcribe(samples, 0, turns) for word in window.words]
        return len(encoded)

    assert encodings([Turn(0, 12_000, "A")]) == 2
    assert encodings([Turn(0, 3_500, "A"), Turn(8_400, 12_000, "A")]) == 1
