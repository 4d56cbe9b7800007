"""How each voice of a listening sounds: the mean of its vectors in stretches where it speaks alone.

The vectors are what `onnx` or `pyannote` remembers of a stretch; what another remembers means nothing here.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from store.record import Span, Turn
from store.voiceprints import Voiceprint
from tools.speaker.recogniser import Voices
from tools.speaker.recognisers.networks import FRAME, LEAD
from tools.timeline import Timeline, foremost

Vector = NDArray[np.float32]
ALONE = 0.8  # of the time a vector was heard in, and of all voices' turns then, is its voice's
HALF = 127  # of 255: a probability
PIECES = {"first", "activity", "own", "owners", "vectors", "seconds"}
WHOLE = {"times", "voice", "vectors"}


def voiceprints(heard: Sequence[Voices], turns: Sequence[Turn]) -> dict[str, Voiceprint]:
    """Give a voiceprint for each voice of the turns that speaks alone somewhere; none of other recognisers' voices."""
    timeline = Timeline(turns)
    sums: dict[str, Vector] = {}
    seconds: defaultdict[str, float] = defaultdict(float)
    for voices in heard:
        kept = set(voices.arrays)
        units = _units(voices) if kept >= PIECES else _voices(voices) if kept >= WHOLE else ()
        for spans, vector, length in units:
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


def _units(voices: Voices) -> Iterator[tuple[list[Span], Vector, float]]:
    """Give each vector of a stretch with the times it was heard in, and its seconds of speech."""
    first, own, active = (voices.arrays[name] for name in ("first", "own", "activity"))
    vectors, seconds = voices.arrays["vectors"].astype(np.float32), voices.arrays["seconds"]
    owners = voices.arrays["owners"][:, :3].tolist()
    for (window, number, local), vector, length in zip(owners, vectors, seconds, strict=True):
        frames = np.flatnonzero((own[window, :, local] == number) & (active[window, :, local] > HALF))
        runs = np.split(frames, np.flatnonzero(np.diff(frames) > 1) + 1) if len(frames) else []
        spans = [_span(int(first[window]) + int(run[0]), int(first[window]) + int(run[-1]) + 1) for run in runs]
        yield spans, vector, float(length)


def _voices(voices: Voices) -> Iterator[tuple[list[Span], Vector, float]]:
    """Give the vector of each voice of a stretch with the times it was heard in, and its seconds of speech."""
    times, owner = voices.arrays["times"], voices.arrays["voice"]
    for voice, vector in enumerate(voices.arrays["vectors"]):
        spans = [Span(t0, t1) for t0, t1 in times[owner == voice].tolist()]
        yield spans, vector, sum(span.duration for span in spans) / 1000


def _span(first: int, after: int) -> Span:
    """Give the milliseconds of frames."""
    return Span((first * FRAME + LEAD) // 16, (after * FRAME + LEAD) // 16)
