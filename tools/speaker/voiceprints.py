"""How each voice of a listening sounds: the mean of its vectors in stretches where it speaks alone.

The vectors are what `onnx` remembers of a stretch; what another recogniser remembers means nothing here.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from store.record import Span, Turn
from store.voiceprints import Voiceprint
from tools.speaker.recogniser import Voices
from tools.speaker.recognisers.earlier import as_passages
from tools.speaker.recognisers.networks import FRAME, LEAD
from tools.timeline import Timeline, foremost

Vector = NDArray[np.float32]
ALONE = 0.8  # of the time a vector was heard in, and of all voices' turns then, is its voice's
HALF = 127  # of 255: a probability
KNOWN = {"first", "activity", "own", "vectors", "seconds"}


def voiceprints(heard: Sequence[Voices], turns: Sequence[Turn]) -> dict[str, Voiceprint]:
    """Give a voiceprint for each voice of the turns that speaks alone somewhere; none of other recognisers' voices."""
    timeline = Timeline(turns)
    sums: dict[str, Vector] = {}
    seconds: defaultdict[str, float] = defaultdict(float)
    for voices in heard:
        if not set(voices.arrays) >= KNOWN:
            continue
        for spans, vector, length in _passages(voices):
            shared = sum((timeline.shared(span) for span in spans), Counter[str]())
            voice = foremost(shared)
            heard_ms = sum(span.duration for span in spans)
            if voice is not None and shared[voice] >= ALONE * max(heard_ms, shared.total()):
                weighed = vector * length
                sums[voice] = sums[voice] + weighed if voice in sums else weighed
                seconds[voice] += length
    models = {f"{voices.recogniser} {voices.version}" for voices in heard}
    model = ", ".join(sorted(models))
    return {
        voice: Voiceprint(model, round(seconds[voice], 2), total / norm)
        for voice, total in sums.items()
        if (norm := np.float32(np.linalg.norm(total))) > 0
    }


def _passages(voices: Voices) -> Iterator[tuple[list[Span], Vector, float]]:
    """Give each vector of a stretch with the times where its voice alone is heard, and its seconds of speech."""
    voices = as_passages(voices)
    first, own, active = (voices.arrays[name] for name in ("first", "own", "activity"))
    vectors, seconds = voices.arrays["vectors"].astype(np.float32), voices.arrays["seconds"]
    speaking = active > HALF
    window, frame, local = np.nonzero((own >= 0) & speaking & (speaking.sum(2, keepdims=True) == 1))
    held = np.unique(np.stack([own[window, frame, local].astype(np.int64), first[window] + frame], axis=1), axis=0)
    edges = np.searchsorted(held[:, 0], np.arange(len(seconds) + 1))
    for number, (vector, length) in enumerate(zip(vectors, seconds, strict=True)):
        frames = held[edges[number] : edges[number + 1], 1]
        runs = np.split(frames, np.flatnonzero(np.diff(frames) > 1) + 1) if len(frames) else []
        yield [_span(int(run[0]), int(run[-1]) + 1) for run in runs], vector, float(length)


def _span(first: int, after: int) -> Span:
    """Give the milliseconds of frames."""
    return Span((first * FRAME + LEAD) // 16, (after * FRAME + LEAD) // 16)
