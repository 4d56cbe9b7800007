"""How each voice of a listening sounds: the mean of its vectors in stretches where it speaks alone.

The vectors are what `onnx` remembers of a stretch; what another recogniser remembers means nothing here.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from store.record import Span, Turn
from store.voiceprints import Voiceprint
from tools.speaker.recogniser import Voices
from tools.speaker.recognisers.networks import FRAME, LEAD
from tools.timeline import Timeline, foremost

Vector = NDArray[np.float32]
ALONE = 0.8  # of a vector's stretch, that is its voice's and of all voices' time in it
KNOWN = {"first", "own", "owners", "vectors", "seconds"}


def voiceprints(heard: Sequence[Voices], turns: Sequence[Turn]) -> dict[str, Voiceprint]:
    """Give a voiceprint for each voice of the turns that speaks alone somewhere; none of other recognisers' voices."""
    timeline = Timeline(turns)
    sums: defaultdict[str, Vector] = defaultdict(lambda: np.zeros(0, np.float32))
    seconds: defaultdict[str, float] = defaultdict(float)
    for voices in heard:
        if not set(voices.arrays) >= KNOWN:
            continue
        for span, vector, length in _units(voices):
            shared = timeline.shared(span)
            voice = foremost(shared)
            if voice is not None and shared[voice] >= ALONE * max(span.duration, shared.total()):
                weighed = vector * length
                sums[voice] = sums[voice] + weighed if len(sums[voice]) else weighed
                seconds[voice] += length
    models = {f"{voices.recogniser} {voices.version}" for voices in heard}
    model = ", ".join(sorted(models))
    return {
        voice: Voiceprint(model, round(seconds[voice], 2), total / norm)
        for voice, total in sums.items()
        if (norm := np.float32(np.linalg.norm(total))) > 0
    }


def _units(voices: Voices) -> Iterator[tuple[Span, Vector, float]]:
    """Give each vector of a stretch with the time it was heard in, and its seconds of speech."""
    first, own = voices.arrays["first"], voices.arrays["own"]
    vectors, seconds = voices.arrays["vectors"].astype(np.float32), voices.arrays["seconds"]
    for (window, number, local), vector, length in zip(voices.arrays["owners"].tolist(), vectors, seconds, strict=True):
        frames = np.flatnonzero(own[window, :, local] == number)
        if len(frames):
            t0, t1 = (((int(first[window]) + int(frame)) * FRAME + LEAD) // 16 for frame in (frames[0], frames[-1] + 1))
            yield Span(t0, t1), vector, float(length)
