"""whisperX, for those who installed the extra `audio`: its voice detector, its batched decoding, and its alignment.

It gets arrays and local folders, never paths or hub names: paths would need an ffmpeg program, and names a network.
whisperX leaves out the times of words it cannot align (figures, say); they are filled in between their neighbours.
Without an aligner Whisper's own attention says where its words are.
Who said a word is decided by attribution as for any recogniser, because words must find their turns anew at the end of
a recording, when all voices are known.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from itertools import groupby
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from store import clock
from store.record import Turn, Word
from tools.provision import brought
from tools.provision.extra import extra, narrated
from tools.provision.manifest import together
from tools.transcript.doubts import Passage, sift
from tools.transcript.named import find
from tools.transcript.recogniser import Options, Window
from tools.transcript.recognisers.alignment import Segments, attention, wav2vec2
from tools.transcript.recognisers.whisper import voiced, voiced_share
from tools.transcript.windows import RATE

BATCH = 4
_WAY = 3  # of handing sound over and reading words back
Samples = NDArray[np.float32]


class WhisperX:
    """whisperX over a Whisper that `named.find` gives; it keeps no encoder states, so none can be shared.

    On the GPU where there is one. One passage of hands at a time: whisperX keeps its tokenizer between calls.
    """

    name = "whisperx"

    def __init__(self, model: str, options: Options) -> None:
        found = find(model, trusted=options.trust_model)
        aligning = options.align_model and brought.find(
            options.align_model, brought.KINDS["align"], trusted=options.trust_model
        )
        with extra("whisperX", "--transcriber faster-whisper"):
            import torch
            from whisperx import asr
        device = "cuda" if torch.cuda.is_available() else "cpu"
        self.version = f"{version('whisperx')}+{_WAY} {found.name}"
        self.sha256 = together({"words": found.sha256, "times": aligning.sha256}) if aligning else found.sha256
        self._language, self._lock = options.language, Lock()
        told = {"beam_size": options.beam_size, "initial_prompt": options.initial_prompt, "hotwords": options.hotwords}
        with narrated():
            self._model = asr.load_model(
                str(found.folder), device, language=options.language, asr_options=told,
                compute_type="float16" if device == "cuda" else options.compute_type,
                threads=options.threads * options.workers,
            )  # fmt: skip
        self._align = wav2vec2(aligning.folder, device) if aligning else attention(self._model.model)

    def transcribe(self, samples: Samples, start_ms: int, turns: Sequence[Turn] | None) -> Iterator[Window]:
        """Give one window for each passage that whisperX decodes; its own voice detector cuts them."""
        if not len(samples) or (turns is not None and not turns):
            return
        speech = voiced(samples, start_ms) if turns is None else turns
        language, segments = self._heard(samples)
        end = start_ms + len(samples) * 1000 // RATE
        share = voiced_share(samples, start_ms)
        for passage in passages(segments, start_ms):
            kept, doubtful = sift([passage], speech, end, share)
            words = tuple(word for part in kept for word in part.words)
            span = passage.span
            yield Window(span.t0, span.t1, words, language, passage.avg_logprob, set_aside=tuple(doubtful))

    def _heard(self, samples: Samples) -> tuple[str, Segments]:
        with self._lock, narrated():
            result = self._model.transcribe(samples, batch_size=BATCH, language=self._language)
            language, segments = str(result["language"]), result["segments"]
            return language, self._align(segments, language, samples) if segments else segments


def passages(segments: Segments, start_ms: int) -> list[Passage]:
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
