"""Where the words of a text lie in the sound: as a wav2vec2 hears its letters, or as Whisper attended to it.

Both take whisperX's segments, {start, end, text}, and give them with words, {word, start, end, score}.
"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from store.clock import end_ms, start_ms
from store.errors import DataError
from store.record import Span, Word
from tools.provision.extra import narrated
from tools.transcript.recognisers.decoding import CLOSING, OPENING, read_words
from tools.transcript.windows import RATE

Samples = NDArray[np.float32]
Segments = Sequence[Mapping[str, Any]]
Align = Callable[[Segments, str, Samples], Segments]
LONGEST = 1.5
"""Seconds that a word lasts at most."""


def wav2vec2(folder: Path, device: str) -> Align:
    """Give what finds the times of words with a wav2vec2; DataError when its folder holds another network."""
    from nltk.tokenize.punkt import PunktSentenceTokenizer
    from whisperx import alignment

    read = alignment.nltk_load

    def sentences(resource: str) -> Any:
        try:
            return read(resource)
        except LookupError:  # else its data would be fetched; sentences are made anew by attribution
            return PunktSentenceTokenizer()

    alignment.nltk_load = sentences
    try:
        with narrated():
            network, told = alignment.load_align_model("en", device, str(folder), model_cache_only=True)
    except (ValueError, OSError) as error:
        raise DataError(f"{folder} cannot be loaded as a wav2vec2 that writes letters") from error

    def align(segments: Segments, language: str, samples: Samples) -> Segments:
        aligned = alignment.align(segments, network, {**told, "language": language}, samples, device)
        found: Segments = aligned["segments"]
        return found

    return align


def attention(model: Any) -> Align:
    """Give what finds the times of words by the attention of the Whisper that wrote them, a segment at a time.

    `model` is a faster_whisper.WhisperModel. Each segment is encoded once more, since whisperX keeps no states.
    """
    from faster_whisper.audio import pad_or_trim
    from faster_whisper.tokenizer import Tokenizer
    from faster_whisper.transcribe import Word as Piece
    from faster_whisper.transcribe import merge_punctuations

    def timed(segment: Mapping[str, Any], tokenizer: Any, samples: Samples) -> Mapping[str, Any]:
        start, end = float(segment["start"]), float(segment["end"])
        features = model.feature_extractor(samples[int(start * RATE) : int(end * RATE)])
        states = model.encode(pad_or_trim(features, model.feature_extractor.nb_max_frames))
        tokens = tokenizer.encode(" " + str(segment["text"]).strip())
        (words,) = model.find_alignment(tokenizer, [tokens], states, features.shape[-1]) or [[]]
        merge_punctuations(words, OPENING, CLOSING)
        pieces = (Piece(word["start"], word["end"], word["word"], word["probability"]) for word in words)
        return {
            **segment,
            "words": [placed(word, end) for word in read_words(Span(start_ms(start), end_ms(end)), pieces)],
        }

    def align(segments: Segments, language: str, samples: Samples) -> Segments:
        tokenizer = Tokenizer(model.hf_tokenizer, model.model.is_multilingual, task="transcribe", language=language)
        return [timed(segment, tokenizer, samples) for segment in segments]

    return align


def placed(word: Word, end: float) -> Mapping[str, Any]:
    """Give a word its place within a segment that ends so; the silence before a word is not part of it."""
    last = min(word.t1 / 1000, end)
    return {"word": word.text, "start": max(min(word.t0 / 1000, end), last - LONGEST), "end": last, "score": word.score}
