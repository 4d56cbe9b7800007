"""Whisper on CTranslate2, through faster-whisper: every window is encoded once, for its words, language and emotion.

Decoding is deterministic: no sampling, a window that loops is decoded once more with repeats forbidden. The language is
read off the encoder's states turn by turn, and a window in two languages is cut between them, because Whisper would
write all of it in the first.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from store.errors import DataError, UsageError
from store.record import Span, Turn, Word
from tools.transcript.doubts import Passage, loops, sift
from tools.transcript.evidence import Asked, Evidence
from tools.transcript.joining import joined
from tools.transcript.named import Weights, find
from tools.transcript.recogniser import Options, Window
from tools.transcript.recognisers.again import Passed, Sound, states, weigh
from tools.transcript.recognisers.decoding import decoding, read_words
from tools.transcript.recognisers.languages import Guess, parted, told
from tools.transcript.recognisers.skipped import AROUND_MS, filled, skipped, spoken, sure, unheard
from tools.transcript.windows import LIMIT_MS, RATE, clip, reaching, windows

if TYPE_CHECKING:
    from ctranslate2 import StorageView
    from faster_whisper import WhisperModel
    from faster_whisper.tokenizer import Tokenizer

STATE_MS = 20
_MEL_MS = 10
_TELLING_MS, _SILENCE_MS = 10_000, 2_000  # of a turn, and the silence after it; 30 s tell little more
Samples = NDArray[np.float32]
_WAY = 5  # of cutting, joining and filling windows; another way writes other words, and is heard again
_SHORTEST_MS = 100
_LIKELY = 0.5
_COMPRESSED = 2.4


@dataclass(frozen=True, slots=True, eq=False)
class _Encoded:
    """A window's mel features (mels, frames + 1) and the encoder's output (1, 1500, dim)."""

    features: NDArray[np.float32]
    output: "StorageView"
    states: NDArray[np.float32]


class Whisper:
    """A Whisper model that `named.find` gives, int8 on the CPU."""

    def __init__(self, name: str, options: Options) -> None:
        found = find(name, trusted=options.trust_model)
        self.name, self.sha256 = found.name, found.sha256
        self.version = f"{version('faster-whisper')}+{_WAY}"
        self._options = options
        self._model = _loaded(found, options)
        known = self._model.supported_languages
        if options.language is not None and options.language not in known:
            raise UsageError(f"{name} does not hear the language {options.language!r}; it hears {', '.join(known)}")

    def transcribe(self, samples: Samples, start_ms: int, turns: Sequence[Turn] | None) -> Iterator[Window]:
        """Give the windows of samples (16 kHz mono, starting at start_ms) in order; silence is never decoded."""
        speech = voiced(samples, start_ms) if turns is None else turns
        spoken: Counter[str] = Counter()
        spans, end = windows(samples, start_ms, speech), start_ms + len(samples) * 1000 // RATE
        last: Word | None = None
        for core, span in zip(spans, reaching(spans, end), strict=True):
            if span.duration < _SHORTEST_MS:
                continue
            window_samples = clip(samples, start_ms, span)
            encoded = self._encode(window_samples)
            runs = self._runs(encoded, span, window_samples, speech, spoken)
            for part, language in runs:
                if part.t1 <= core.t0 or part.t0 >= core.t1:
                    continue
                part_samples = clip(samples, start_ms, part)
                heard = encoded if len(runs) == 1 else self._encode(part_samples)
                window = joined(self._decode(heard, part, part_samples, language, speech), core, last)
                last = window.words[-1] if window.words else last
                spoken[language] += sum(word.t1 - word.t0 for word in window.words)
                yield window

    def states(self, samples: Samples) -> NDArray[np.float32]:
        """Give the encoder's states of at most 30 s, float32 (frames, dim), one every STATE_MS."""
        return self._encode(samples).states

    def listen_again(self, passages: Sequence[tuple[Samples, Asked]]) -> list[Evidence]:
        """Hear samples (16 kHz mono, at most 30 s) again for a term each, in the places where it may have been said."""
        return weigh([self._passage(samples, asked) for samples, asked in passages])

    def _passage(self, samples: Samples, asked: Asked) -> Passed:
        if len(samples) * 1000 > LIMIT_MS * RATE:
            raise UsageError(f"{len(samples) / RATE:g} s cannot be heard at once; give at most 30 s")
        language = self._options.language or asked.language or "en"
        known = language if language in self._model.supported_languages else "en"
        return Passed(Sound(self._model, self._tokenizer(known), states(self._model, samples)), asked)

    def _tokenizer(self, language: str) -> "Tokenizer":
        from faster_whisper.tokenizer import Tokenizer

        return Tokenizer(
            self._model.hf_tokenizer, self._model.model.is_multilingual, task="transcribe", language=language
        )

    def _encode(self, samples: Samples, padded_ms: int = LIMIT_MS) -> _Encoded:
        """Encode samples with silence after them, up to so long in all."""
        from faster_whisper.audio import pad_or_trim

        features = self._model.feature_extractor(samples)
        output = self._model.encode(pad_or_trim(features[:, :-1], padded_ms // _MEL_MS))
        states = np.asarray(output)[0, : features.shape[1] // 2]
        return _Encoded(features, output, states)

    def _runs(
        self, encoded: _Encoded, span: Span, samples: Samples, speech: Sequence[Turn], spoken: Counter[str]
    ) -> list[tuple[Span, str]]:
        """Part a window, whose samples are given, where its turns change language."""
        if self._options.language or not self._model.model.is_multilingual:
            return [(span, self._options.language or "en")]
        whole = self._guess(encoded, spoken)
        inside = sorted((t for t in speech if t.t0 < span.t1 and t.t1 > span.t0), key=lambda turn: turn.t0)
        if len(inside) < 2:
            return [(span, whole)]
        turns = [Span(max(turn.t0, span.t0), min(turn.t1, span.t1)) for turn in inside]

        def within(turn: Span) -> Guess:
            first, end = ((at - span.t0) // STATE_MS for at in (turn.t0, turn.t1))
            return self._detect(encoded.states[None, first:end])

        def alone(turn: Span) -> Guess:
            padded = min(LIMIT_MS, max(_TELLING_MS, turn.duration + _SILENCE_MS))
            return self._detect(np.asarray(self._encode(clip(samples, span.t0, turn), padded).output))

        return parted(span, turns, told(turns, whole, within, alone)) or [(span, whole)]

    def _guess(self, encoded: _Encoded, spoken: Counter[str]) -> str:
        language, probability = self._detect(np.asarray(encoded.output))
        return spoken.most_common(1)[0][0] if probability < _LIKELY and spoken else language

    def _detect(self, states: NDArray[np.float32]) -> Guess:
        """Give the likeliest language of states (1, frames, dim), and its probability."""
        from ctranslate2 import StorageView

        view = StorageView.from_array(np.ascontiguousarray(states))
        token, probability = self._model.model.detect_language(view)[0][0]
        return token[2:-2], probability

    def _decode(self, encoded: _Encoded, span: Span, samples: Samples, language: str, speech: Sequence[Turn]) -> Window:
        passages = self._passages(encoded, span, language)
        if any(p.compression_ratio > _COMPRESSED or loops([word.text for word in p.words]) for p in passages):
            passages = self._passages(encoded, span, language, no_repeat=4)
        heard = cache(partial(voiced, samples, span.t0))
        wanted = spoken(heard(), speech)
        if self._told and (missing := skipped(passages, wanted)):
            passages = filled(passages, self._passages(encoded, span, language, untold=True), missing)
        for gap in unheard(passages, wanted):
            around = Span(max(span.t0, gap.t0 - AROUND_MS), min(span.t1, gap.t1 + AROUND_MS))
            alone = self._encode(clip(samples, span.t0, around))
            passages = filled(passages, sure(self._passages(alone, around, language, untold=True)), [gap])
        return _window(span, passages, language, speech, shares(heard), encoded)

    @property
    def _told(self) -> bool:
        """Whether it is told words beforehand."""
        return bool(self._options.hotwords or self._options.initial_prompt)

    def _passages(
        self, encoded: _Encoded, span: Span, language: str, no_repeat: int = 0, untold: bool = False
    ) -> list[Passage]:
        tokenizer = self._tokenizer(language)
        chosen = replace(self._options, hotwords=None, initial_prompt=None) if untold else self._options
        options = decoding(chosen, tokenizer, no_repeat)
        decoded = self._model.generate_segments(encoded.features, tokenizer, options, False, encoded.output)
        passages = []
        for segment in decoded:
            words = read_words(span, segment.words or ())
            if words:
                passages.append(Passage(words, segment.avg_logprob, segment.no_speech_prob, segment.compression_ratio))
        return passages


def _window(
    span: Span,
    passages: Sequence[Passage],
    language: str,
    speech: Sequence[Turn],
    share: Callable[[Span], float],
    encoded: _Encoded,
) -> Window:
    """Give what is written in a span, sifted."""
    kept, doubtful = sift(passages, speech, span.t1, share)
    return Window(
        span.t0,
        span.t1,
        tuple(word for passage in kept for word in passage.words),
        language,
        _mean(kept, [passage.avg_logprob for passage in kept]),
        _mean(kept, [passage.no_speech_prob for passage in kept]),
        _mean(kept, [passage.compression_ratio for passage in kept]),
        tuple(doubtful),
        encoded.states,
        STATE_MS,
    )


def _loaded(found: Weights, options: Options) -> "WhisperModel":
    from faster_whisper import WhisperModel

    try:
        return WhisperModel(
            str(found.folder), device="cpu", compute_type=options.compute_type, cpu_threads=options.threads,
            num_workers=options.workers,
        )  # fmt: skip
    except (RuntimeError, ValueError) as error:
        raise DataError(f"the model in {found.folder} cannot be read: {' '.join(str(error).split())}") from error


def voiced(samples: Samples, start_ms: int) -> list[Turn]:
    """Find where anybody speaks, as turns of nobody, with the Silero detector that faster-whisper carries."""
    from faster_whisper.vad import VadOptions, get_speech_timestamps

    found = get_speech_timestamps(samples, VadOptions(min_silence_duration_ms=500, speech_pad_ms=100))
    return [Turn(start_ms + s["start"] * 1000 // RATE, start_ms + s["end"] * 1000 // RATE, "") for s in found]


def voiced_share(samples: Samples, start_ms: int) -> Callable[[Span], float]:
    """Give what tells the share of a span in which somebody speaks; the samples are listened to once, when asked."""
    return shares(cache(partial(voiced, samples, start_ms)))


def shares(heard: Callable[[], Sequence[Turn]]) -> Callable[[Span], float]:
    """Give what tells the share of a span in which somebody is heard to speak."""

    def share(span: Span) -> float:
        inside = [Span(max(t.t0, span.t0), min(t.t1, span.t1)) for t in heard()]
        return sum(part.duration for part in inside) / max(1, span.duration)

    return share


def _mean(passages: Sequence[Passage], values: Sequence[float]) -> float | None:
    """Average values over the passages' durations."""
    return float(np.average(values, weights=[passage.span.duration for passage in passages])) if passages else None
