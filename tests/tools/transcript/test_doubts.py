"""What Whisper invents is set aside with its reason; what people say is kept."""

import pytest

from store.record import Span, Turn, Word
from tools.transcript.doubts import Passage, loops, phantoms, plain, sift

TURN = [Turn(0, 20_000, "A")]


def passage(text: str, t0: int = 0, score: float = 0.9, no_speech: float = 0.1, ratio: float = 1.5) -> Passage:
    """Words of 300 ms, one after the other."""
    words = tuple(Word(t0 + i * 300, t0 + i * 300 + 300, word, score) for i, word in enumerate(text.split()))
    return Passage(words, -0.3, no_speech, ratio)


def silent(span: Span) -> float:
    return 0.0


def speaking(span: Span) -> float:
    return 1.0


def barely(span: Span) -> float:
    return 0.3


def test_plain_speech_is_kept_where_any_voice_is_heard() -> None:
    kept, aside = sift([passage("we start on Monday")], TURN, 20_000, barely)
    assert [p.text for p in kept] == ["we start on Monday"]
    assert aside == []


def test_words_with_good_scores_are_no_evidence_where_no_voice_is_heard() -> None:
    kept, aside = sift([passage("No, no!")], TURN, 20_000, silent)
    assert (kept, [doubt.reason for doubt in aside]) == ([], ["no_speech"])


@pytest.mark.parametrize(
    "text",
    ["Thanks for watching!", "ご視聴ありがとうございました", "시청해주셔서 감사합니다", "Untertitelung des ZDF, 2020"],
)
def test_c15_a_phantom_over_silence_is_set_aside_and_counted(text: str) -> None:
    kept, aside = sift([passage(text)], TURN, 20_000, silent)
    assert kept == []
    assert [(doubt.text, doubt.reason) for doubt in aside] == [(text, "no_speech")]


@pytest.mark.parametrize(
    "text",
    [
        "Untertitelung des ZDF, 2014",
        "Sous-titres par Amara.org",
        "¡Suscríbete!",
        "字幕由 Amara.org 社群提供",
        "다음 영상에서 만나요",
        "チャンネル登録よろしくお願いします",
    ],
)
def test_c15_a_phantom_needs_more_voice_than_other_words(text: str) -> None:
    assert sift([passage(text)], TURN, 20_000, barely)[0] == []
    assert sift([passage(text)], TURN, 20_000, speaking)[1] == []


def test_c15_thanks_for_watching_is_kept_when_somebody_says_it() -> None:
    kept, aside = sift([passage("Thanks for watching!")], TURN, 20_000, speaking)
    assert len(kept) == 1
    assert aside == []


def test_words_where_nobody_has_a_turn_are_set_aside() -> None:
    kept, aside = sift([passage("hello there", 22_500)], TURN, 30_000, speaking)
    assert (kept, [doubt.reason for doubt in aside]) == ([], ["outside_speech"])


def test_faint_words_need_a_voice() -> None:
    faint = passage("mumble mumble", score=0.2)
    assert sift([faint], TURN, 20_000, speaking)[0] == [faint]
    assert sift([faint], TURN, 20_000, barely)[1][0].reason == "no_speech"


def test_c16_a_loop_keeps_its_first_round() -> None:
    kept, aside = sift([passage("and so on " + "I don't know. " * 20)], TURN, 60_000, speaking)
    assert [p.text for p in kept] == ["and so on I don't know."]
    assert [doubt.reason for doubt in aside] == ["loop"]
    assert len(aside[0].text.split()) == 57


def test_c16_identical_segments_are_one_loop() -> None:
    kept, aside = sift([passage("Yes, of course.", i * 900) for i in range(6)], TURN, 20_000, speaking)
    assert [p.text for p in kept] == ["Yes, of course."]
    assert len(aside[0].text.split()) == 15


def test_text_that_compresses_too_well_is_a_loop() -> None:
    assert sift([passage("a b c d", ratio=2.6)], TURN, 20_000, speaking)[1][0].reason == "loop"


@pytest.mark.parametrize(
    ("text", "repeated"),
    [
        ("no no no no", 0),
        ("no " * 12, 11),
        ("very very good and very very bad", 0),
        ("one two three one two three", 0),
        ("go on " * 4, 6),
        ("we will rock you we will rock you", 0),
    ],
)
def test_people_may_repeat_themselves_a_little(text: str, repeated: int) -> None:
    assert sum(len(stretch) for stretch in loops(text.split())) == repeated


def test_c17_a_word_just_past_the_end_is_cut_and_a_far_one_set_aside() -> None:
    late = Passage((Word(19_700, 20_020, "goodbye", 0.9), Word(23_000, 23_400, "everyone", 0.9)), -0.3, 0.1, 1.5)
    kept, aside = sift([late], TURN, 20_000, speaking)
    assert [(word.t0, word.t1) for word in kept[0].words] == [(19_700, 20_000)]
    assert [(doubt.text, doubt.reason) for doubt in aside] == [("everyone", "past_end")]


def test_phantoms_are_compared_without_case_and_punctuation() -> None:
    assert plain("  Thanks,   for WATCHING! ") in phantoms()
    assert "" not in phantoms()
