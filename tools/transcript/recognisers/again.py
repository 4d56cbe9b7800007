"""Hear one passage again for a term: its words with the term in a place, scored by Whisper's own decoder.

The sound is padded with a little silence instead of to the 30 s Whisper is used to: told by it that nothing follows,
the decoder scores texts alike (a sentence in noise -8.2 nats for -7.4; without any silence -49), and a passage costs a
fifth. What a text is worth in silence is what it is worth as a text: taken off, a real word has no advantage over
made-up ones, but one that was misheard is rarely found either.
"""

import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tools.transcript.evidence import LEAST_GAIN, Asked, Evidence

if TYPE_CHECKING:
    from faster_whisper import WhisperModel

_LEAST_P = 1e-20
_SILENCE_S = 2.5
_RATE, _FEATURES_A_SECOND, _MOST_FEATURES = 16_000, 100, 3_000


def weigh(model: "WhisperModel", tokenizer: Any, samples: NDArray[np.float32], asked: Asked) -> Evidence:
    """Weigh a term where it may be said in samples (16 kHz mono, at most 27 s), and decoys where it may well be."""
    sound = Sound(model, tokenizer, _states(model, samples))
    written, *placed = sound.scores([asked.text, *(asked.instead(asked.term, place) for place in asked.places)])
    best = int(np.argmax(placed))
    place, gain = asked.places[best], placed[best] - written
    decoys = asked.decoys(place) if gain >= LEAST_GAIN else ()
    if not decoys:
        return Evidence(asked.term, place, gain)
    names = (asked.term, *decoys)
    texts = [asked.instead(name, place) for name in names]
    silence = Sound(model, tokenizer, _silence(model))
    borne = np.subtract(sound.scores(texts), silence.scores(texts))
    evidence = Evidence(asked.term, place, gain, _margin(borne))
    return replace(evidence, told=_margin(sound.scores(texts, names))) if evidence.likely else evidence


def _margin(scores: Sequence[float] | NDArray[np.float64]) -> float:
    """Give what the first has more than the best of the others."""
    return float(scores[0] - max(scores[1:]))


@lru_cache(maxsize=2)
def _silence(model: "WhisperModel") -> NDArray[np.float32]:
    return _states(model, np.zeros(_RATE, np.float32))


def _states(model: "WhisperModel", samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give the encoder's states (1, frames, dim) of samples and of a little silence after them."""
    from faster_whisper.audio import pad_or_trim

    features = model.feature_extractor(samples)[:, :-1]
    length = int(np.ceil((len(samples) / _RATE + _SILENCE_S) * _FEATURES_A_SECOND))
    return np.asarray(model.encode(pad_or_trim(features, min(length, _MOST_FEATURES))))


class Sound:
    """A passage's encoder states (1, frames, dim), good for any number of texts."""

    def __init__(self, model: "WhisperModel", tokenizer: Any, states: NDArray[np.float32]) -> None:
        self._model, self._tokenizer, self._states = model, tokenizer, states

    def scores(self, texts: Sequence[str], told: Sequence[str] = ()) -> list[float]:
        """Give the log-probability of each text, after names that were told in an order that says nothing."""
        from ctranslate2 import StorageView

        states = StorageView.from_array(np.ascontiguousarray(np.repeat(self._states, len(texts), axis=0)))
        tokens = [self._tokenizer.encode(f" {text}") for text in texts]
        scored = self._model.model.align(states, self._prompt(told), tokens, self._states.shape[1])
        return [float(np.log(np.maximum(one.text_token_probs, _LEAST_P)).sum()) for one in scored]

    def _prompt(self, told: Sequence[str]) -> list[int]:
        start = list(self._tokenizer.sot_sequence)
        if not told:
            return start
        names = ", ".join(sorted(told, key=lambda name: zlib.crc32(name.encode())))
        return [self._tokenizer.sot_prev, *self._tokenizer.encode(f" {names}."), *start]
