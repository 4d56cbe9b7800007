"""At the end words and emotions go to the voices that all stretches together tell, and a cut parts no sound."""

from store.record import Emotion, Event, Segment, Turn, Word
from tools.listening.seams import joined_events, respoken_emotions, respoken_words

FINAL = [Turn(0, 1000, "Ada"), Turn(1000, 2000, "Ben")]


def test_words_go_to_the_final_voices_and_stay_in_their_language() -> None:
    words = (Word(100, 400, "good"), Word(500, 900, "morning."), Word(1100, 1400, "hello"))
    foreign = (Word(1500, 1800, "guten"), Word(1800, 1990, "Morgen."))
    heard = [
        Segment(100, 1400, "good morning. hello", "SPEAKER_00", words, "en"),
        Segment(1500, 1990, "guten Morgen.", "SPEAKER_00", foreign, "de"),
    ]
    told = [(s.speaker, s.language, s.text) for s in respoken_words(heard, FINAL)]
    assert told == [("Ada", "en", "good morning."), ("Ben", "en", "hello"), ("Ben", "de", "guten Morgen.")]


def test_an_emotion_is_of_the_voice_that_shares_most_of_its_time_or_of_nobody() -> None:
    rows = [Emotion(700, 1200, "anger", 0.9, "SPEAKER_00"), Emotion(5000, 6000, "fear", 0.8, "SPEAKER_00")]
    assert [row.speaker for row in respoken_emotions(rows, FINAL)] == ["Ada", None]


def test_one_sound_that_a_cut_parted_is_one_row() -> None:
    parted = [Event(0, 1000, "Siren", 0.6), Event(1400, 2000, "Siren", 0.9), Event(4000, 5000, "Siren", 0.7)]
    assert joined_events(parted) == [Event(0, 2000, "Siren", 0.9), Event(4000, 5000, "Siren", 0.7)]


def test_a_text_without_times_of_words_goes_whole_to_its_voice() -> None:
    rows = [Segment(1200, 1900, "by hand", "Ada"), Segment(100, 900, "heard", "Ben", (Word(100, 900, "heard"),), "en")]
    told = [(s.speaker, s.text) for s in respoken_words(rows, FINAL)]
    assert told == [("Ada", "heard"), ("Ben", "by hand")]
