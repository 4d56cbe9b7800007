"""Hear passages again for a term: what Whisper's own decoder gives for it there, and what it gives for decoys.

All passages are glanced at; the few that promise most are weighed. The sound is padded with a little silence
instead of to the 30 s Whisper is used to: told by it that nothing follows, the decoder scores texts alike (a sentence
in noise -8.2 nats for -7.4; without any silence -49), and a passage costs a fifth. What a text is worth in silence is
what it is worth as a text: taken off, a real word has no advantage over made-up ones.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from heapq import nlargest
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tools.transcript.evidence import Asked, Evidence, alike
from tools.transcript.likeness import likeness

if TYPE_CHECKING:
    from faster_whisper import WhisperModel

WEIGHED = 6
"""How many of the passages are weighed, the others are glanced at."""
_BEAM, _TOLD_BEAM = 10, 5
_MORE_TOKENS = 8
_LEAST_P = 1e-20
_SILENCE_S = 2.5
_RATE, _FEATURES_A_SECOND, _MOST_FEATURES = 16_000, 100, 3_000


class Sound:
    """Encoder states (1, frames, dim) of samples (16 kHz mono, at most 27 s), good for any number of texts."""

    def __init__(self, model: "WhisperModel", tokenizer: Any, states: NDArray[np.float32]) -> None:
        self._model, self._tokenizer, self._states = model, tokenizer, states

    def silent(self) -> "Sound":
        """Give what is scored the same where nothing is said."""
        return Sound(self._model, self._tokenizer, _silence(self._model))

    def scores(self, texts: Sequence[str]) -> NDArray[np.float64]:
        """Give the log-probability of each text."""
        tokens = [self._tokenizer.encode(f" {text}") for text in texts]
        scored = self._model.model.align(self._view(len(texts)), self._prompt(()), tokens, self._states.shape[1])
        return np.array([np.log(np.maximum(one.text_token_probs, _LEAST_P)).sum() for one in scored])

    def texts(self, like: str, count: int, told: Sequence[str] = ()) -> list[str]:
        """Give the likeliest texts, hardly longer than one that they are like, after names told in no order."""
        prompt = [*self._prompt(told), self._tokenizer.no_timestamps]
        longest = len(prompt) + len(self._tokenizer.encode(f" {like}")) + _MORE_TOKENS
        (found,) = self._model.model.generate(
            self._view(1), [prompt], beam_size=count, num_hypotheses=count, max_length=longest
        )
        return [self._tokenizer.decode(tokens) for tokens in found.sequences_ids]

    def _view(self, count: int) -> Any:
        from ctranslate2 import StorageView

        return StorageView.from_array(np.ascontiguousarray(np.repeat(self._states, count, axis=0)))

    def _prompt(self, told: Sequence[str]) -> list[int]:
        start = list(self._tokenizer.sot_sequence)
        if not told:
            return start
        names = ", ".join(sorted(told, key=lambda name: zlib.crc32(name.encode())))
        return [self._tokenizer.sot_prev, *self._tokenizer.encode(f" {names}."), *start]


@dataclass(frozen=True, slots=True)
class Passed:
    """What is heard, and what it is asked."""

    sound: Sound
    asked: Asked


def weigh(passages: Sequence[Passed]) -> list[Evidence]:
    """Weigh the term of each passage: all at a glance, and those that promise most."""
    glances = [_glanced(passage) for passage in passages]
    chosen = set(nlargest(WEIGHED, range(len(glances)), key=lambda n: glances[n].promise))
    return [
        _weighed(passage, seen) if n in chosen else seen
        for n, (passage, seen) in enumerate(zip(passages, glances, strict=True))
    ]


def _glanced(passage: Passed) -> Evidence:
    """Find the place that bears a term best."""
    sound, asked = passage.sound, passage.asked
    written, *placed = sound.scores([asked.text, *(asked.instead(asked.term, place) for place in asked.places)])
    best = int(np.argmax(placed))
    place, gain = asked.places[best], float(placed[best] - written)
    without, with_term = sound.silent().scores([asked.text, asked.instead(asked.term, place)])
    spelt = likeness(asked.written(place), asked.term)
    return Evidence(asked.term, place, gain, gain - float(with_term - without), spelt=spelt)


def _weighed(passage: Passed, seen: Evidence) -> Evidence:
    """Hold a term against decoys; without any there is no more to say than at a glance."""
    sound, asked, place = passage.sound, passage.asked, seen.place
    decoys = asked.decoys(place)
    if not decoys:
        return seen
    names = (asked.term, *decoys)
    texts = [asked.instead(name, place) for name in names]
    borne = sound.scores(texts) - sound.silent().scores(texts)
    return replace(
        seen,
        borne=float(borne[0] - borne[1:].max()),
        alike=alike(sound.texts(asked.text, _BEAM), asked.term),
        told=asked.told(sound.texts(asked.text, _TOLD_BEAM, names), place),
    )


@lru_cache(maxsize=2)
def _silence(model: "WhisperModel") -> NDArray[np.float32]:
    return states(model, np.zeros(_RATE, np.float32))


def states(model: "WhisperModel", samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give the encoder's states (1, frames, dim) of samples and of a little silence after them."""
    from faster_whisper.audio import pad_or_trim

    features = model.feature_extractor(samples)[:, :-1]
    length = int(np.ceil((len(samples) / _RATE + _SILENCE_S) * _FEATURES_A_SECOND))
    return np.asarray(model.encode(pad_or_trim(features, min(length, _MOST_FEATURES))))
