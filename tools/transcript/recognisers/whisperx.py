"""whisperX, for those who installed the extra `audio`: its batched decoding, and its alignment when a model is at hand.

It gets arrays and local folders, never paths or hub names: paths would need an ffmpeg program, and names a network.
whisperX leaves out the times of words it cannot align (figures, say); they are filled in between their neighbours.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from store import clock
from store.errors import UsageError
from store.record import Turn, Word
from tools.models import weights
from tools.transcript.doubts import Passage, sift
from tools.transcript.recogniser import Options, Window
from tools.transcript.recognisers.whisper import voiced, voiced_share
from tools.transcript.windows import RATE


class WhisperX:
    """whisperX over a Whisper model of `models list`; it keeps no encoder states, so it gives no emotion."""

    name = "whisperx"

    def __init__(self, model: str, options: Options) -> None:
        folder = weights(model)
        os.environ.setdefault("HF_HUB_OFFLINE", "1")  # a hub look-up without a network hangs for a minute
        try:
            import whisperx
        except ImportError as error:
            raise UsageError(
                f"whisperX cannot be loaded ({error}): install the extra `audio`, or use whisper-base"
            ) from error
        self.version = version("whisperx")
        self._options = options
        self._whisperx = whisperx
        asr = {"beam_size": options.beam_size, "initial_prompt": options.initial_prompt, "hotwords": options.hotwords}
        self._model = whisperx.load_model(
            str(folder),
            "cpu",
            compute_type=options.compute_type,
            asr_options=asr,
            language=options.language,
            threads=options.threads,
        )

    def transcribe(self, samples: NDArray[np.float32], start_ms: int, turns: Sequence[Turn] | None) -> Iterator[Window]:
        """Give one window for each passage that whisperX decodes; its own voice detector cuts them."""
        if not len(samples) or (turns is not None and not turns):
            return
        speech = voiced(samples, start_ms) if turns is None else turns
        result = self._model.transcribe(samples, batch_size=4, language=self._options.language)
        language = str(result["language"])
        if self._options.align_model:
            model, metadata = self._whisperx.load_align_model(language, "cpu", model_name=self._options.align_model)
            result = self._whisperx.align(result["segments"], model, metadata, samples, "cpu")
        end = start_ms + len(samples) * 1000 // RATE
        share = voiced_share(samples, start_ms)
        for passage in passages(result["segments"], start_ms):
            kept, doubtful = sift([passage], speech, end, share)
            words = tuple(word for part in kept for word in part.words)
            span = passage.span
            yield Window(span.t0, span.t1, words, language, passage.avg_logprob, set_aside=tuple(doubtful))


def passages(segments: Sequence[Mapping[str, Any]], start_ms: int) -> list[Passage]:
    """Read whisperX's segments: {start, end, text, avg_logprob?, words?: [{word, start?, end?, score?}]}.

    Words of a segment that was not aligned share its time by their length, without a score.
    """
    found = []
    for segment in segments:
        spoken = segment.get("words") or [{"word": word} for word in segment["text"].split()]
        words = _timed(spoken, float(segment["start"]), float(segment["end"]), start_ms)
        if words:
            found.append(Passage(words, float(segment.get("avg_logprob", 0.0)), 0.0, 0.0))
    return found


def _timed(spoken: Sequence[Mapping[str, Any]], start: float, end: float, start_ms: int) -> tuple[Word, ...]:
    named = [word for word in spoken if str(word["word"]).strip()]
    words: list[Word] = []
    at = start
    for aligned, group in groupby(named, key=lambda word: "start" in word and "end" in word):
        run = list(group)
        if aligned:
            words += (_word(word, float(word["start"]), float(word["end"]), start_ms) for word in run)
            at = float(run[-1]["end"])
        else:
            following = named[len(words) + len(run) :]
            words += _spread(run, at, float(following[0]["start"]) if following else end, start_ms)
    return tuple(words)


def _spread(run: Sequence[Mapping[str, Any]], t0: float, t1: float, start_ms: int) -> list[Word]:
    """Share [t0, t1) among words by their length."""
    lengths = np.cumsum([0, *(len(str(word["word"]).strip()) for word in run)])
    edges = t0 + max(0.0, t1 - t0) * lengths / lengths[-1]
    return [_word(word, float(a), float(b), start_ms) for word, a, b in zip(run, edges, edges[1:], strict=False)]


def _word(word: Mapping[str, Any], t0: float, t1: float, start_ms: int) -> Word:
    begin = start_ms + clock.start_ms(t0)
    score = word.get("score")
    end = max(begin + 1, start_ms + clock.end_ms(t1))
    return Word(begin, end, str(word["word"]).strip(), None if score is None else float(score))
