"""What a transcript recogniser gives: words in windows, each with the doubts about it, nothing dropped in silence.

A recogniser hears several turns in one window, because Whisper pads every clip to 30 s and one clip a turn costs
three times as much. Who said a word is decided later, by attribution. Loading a backend is the only heavy step.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from store.asides import Reason as Reason
from store.asides import SetAside as SetAside
from store.record import Turn, Word
from tools.transcript.evidence import Asked, Evidence

STATE_DIMS: dict[str, int | None] = {"whisper-base": 512, "whisper-tiny.en": 384, "whisperx": None, "api": None}


@dataclass(frozen=True, slots=True)
class Options:
    """How to listen; language None means it is found for each window.

    align_model is a wav2vec2's folder or hub name, for whisperx alone.
    `workers` windows can be heard at once by as many callers, each on `threads` threads.
    trust_model is the user's word for a folder of weights that the manifest does not know.
    """

    language: str | None = None
    beam_size: int = 5
    initial_prompt: str | None = None
    hotwords: str | None = None
    compute_type: str = "int8"
    threads: int = 2
    workers: int = 1
    align_model: str | None = None
    trust_model: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """What was heard in [t0, t1).

    states holds the encoder's frames as float32 (frames, dim), one every `state_ms`, or None when the backend has none;
    frame i lies at t0 + i * state_ms. The three scores are Whisper's own, averaged over the kept seconds.
    """

    t0: int
    t1: int
    words: tuple[Word, ...]
    language: str | None = None
    avg_logprob: float | None = None
    no_speech_prob: float | None = None
    compression_ratio: float | None = None
    set_aside: tuple[SetAside, ...] = ()
    states: NDArray[np.float32] | None = None
    state_ms: int = 20


class TranscriptRecogniser(Protocol):
    """Hears words; `name` and `version` identify the stream it makes."""

    name: str
    version: str

    @property
    def sha256(self) -> str | None:
        """The hash of its weights, None when it has none."""
        ...

    def transcribe(self, samples: NDArray[np.float32], start_ms: int, turns: Sequence[Turn] | None) -> Iterator[Window]:
        """Give the windows of samples (16 kHz mono, starting at start_ms) in order.

        Only speech is heard: the union of the turns, or what a voice activity detector finds when turns is None.
        """
        ...


@runtime_checkable
class SecondListener(Protocol):
    """A recogniser that can hear passages again for a term it may have missed."""

    def listen_again(self, passages: Sequence[tuple[NDArray[np.float32], Asked]]) -> list[Evidence]:
        """Weigh terms in samples (16 kHz mono) that hold the words they are asked with; UsageError above 30 s."""
        ...


def load(name: str, options: Options | None = None) -> TranscriptRecogniser:
    """Load a recogniser: whisperx:MODEL, api:MODEL, or Whisper by what `named.find` takes for a model, with its errors.

    The model of the first two may be left out; UsageError without an endpoint, MissingPackage without whisperX. The
    words of llm are written down elsewhere.
    """
    chosen = options or Options()
    if name == "llm":
        from tools.transcript.elsewhere import Elsewhere

        return Elsewhere()
    if name.startswith("api:"):
        from tools.endpoints.configured import configured
        from tools.transcript.recognisers.api import SILENT_S, Api

        model = name.removeprefix("api:") or None
        return Api(configured("--transcriber api", os.environ, model=model, timeout=SILENT_S), chosen)
    if name.partition(":")[0] == "whisperx":
        from tools.transcript.recognisers.whisperx import WhisperX

        return WhisperX(name.partition(":")[2] or "base", chosen)
    from tools.transcript.recognisers.whisper import Whisper

    return Whisper(name, chosen)
