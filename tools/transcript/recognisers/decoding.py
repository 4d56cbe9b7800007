"""How faster-whisper is told to decode a window: deterministic, and nothing dropped without a trace."""

from typing import TYPE_CHECKING, Any

from tools.transcript.recogniser import Options

if TYPE_CHECKING:
    from faster_whisper.transcribe import TranscriptionOptions


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
        prepend_punctuations="\"'“¿([{-",
        append_punctuations="\"'.。,，!！?？:：”)]}、",
        multilingual=False,
        max_new_tokens=None,
        clip_timestamps=[0.0],
        hallucination_silence_threshold=None,
        hotwords=options.hotwords,
    )
