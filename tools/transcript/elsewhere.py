"""Words that are written down elsewhere, when the rest of a recording is heard: here nobody hears any.

The transcript of such a listening is not empty but missing, until what was written is there.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from store.record import Turn
from tools.transcript.recogniser import TranscriptRecogniser, Window


class Elsewhere:
    """Stands in the place of a recogniser and hears nothing."""

    name, version, sha256 = "elsewhere", "1", None

    def transcribe(self, samples: NDArray[np.float32], start_ms: int, turns: Sequence[Turn] | None) -> Iterator[Window]:
        """Give no window."""
        return iter(())


def written(recogniser: TranscriptRecogniser) -> bool:
    """Say whether words are written down elsewhere instead of by a recogniser."""
    return isinstance(recogniser, Elsewhere)
