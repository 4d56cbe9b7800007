"""How faster-whisper is told to decode a window, deterministic and with nothing dropped without a trace; its words."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from store import clock
from store.record import Span, Word
from tools.transcript.recogniser import Options
from tools.transcript.scripts import unspaced

if TYPE_CHECKING:
    from faster_whisper.transcribe import TranscriptionOptions


OPENING, CLOSING = "\"'“¿([{-", "\"'.。,，!！?？:：”)]}、"
"""Marks that belong to the word after them, and to the word before."""
DIGITS = 3
"""Of a word's probability: more would say nothing, and take three times the room in a library."""


def decoding(options: Options, tokenizer: Any, no_repeat: int) -> "TranscriptionOptions":
    """Spell out faster-whisper's options; its own silence rule is off because it drops text without a trace."""
    from faster_whisper.transcribe import TranscriptionOptions, get_suppressed_tokens

    return TranscriptionOptions(
        beam_size=options.beam_size,
        best_of=1,
        patience=1,
        length_penalty=1,
        repetition_penalty=1.1 if no_repeat else 1,
        no_repeat_ngram_size=no_repeat,
        log_prob_threshold=None,
        no_speech_threshold=None,
        compression_ratio_threshold=None,
        condition_on_previous_text=False,
        prompt_reset_on_temperature=0.5,
        temperatures=[0.0],
        initial_prompt=options.initial_prompt,
        prefix=None,
        suppress_blank=True,
        suppress_tokens=get_suppressed_tokens(tokenizer, [-1]),
        without_timestamps=False,
        max_initial_timestamp=1.0,
        word_timestamps=True,
        prepend_punctuations=OPENING,
        append_punctuations=CLOSING,
        multilingual=False,
        max_new_tokens=None,
        clip_timestamps=[0.0],
        hallucination_silence_threshold=None,
        hotwords=options.hotwords,
    )


def read_words(span: Span, heard: Iterable[Any]) -> tuple[Word, ...]:
    """Give faster-whisper's words in recording time; a piece without a blank before it belongs to the word before it.

    Each has start and end (seconds from the span's start), word and probability.
    """
    words: list[Word] = []
    for piece in heard:
        text = piece.word.strip()
        t0 = span.t0 + clock.start_ms(float(piece.start))
        t1 = max(t0 + 1, span.t0 + clock.end_ms(float(piece.end)))
        score = round(float(piece.probability), DIGITS)
        if words and text and not piece.word.startswith(" ") and not unspaced(text[0]):
            last = words[-1]
            words[-1] = Word(last.t0, max(last.t1, t1), last.text + text, min(last.score or 0.0, score))
        elif text:
            words.append(Word(t0, t1, text, score))
    return tuple(words)
