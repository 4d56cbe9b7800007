"""Words and turns from different files may run on different clocks: a transcript that starts two seconds late, a player
that ran half a percent fast. Voices come from the audio, so the words are moved onto the turns; but only where one
clock fits clearly best. Where the words lie badly and no clock is sure, they stay and a line says so.
"""

from collections.abc import Sequence
from dataclasses import replace

from store.record import Segment, Span, Turn, Word
from tools.transcript.drift import Drift, drift

LEAST_MS = 250  # less than the edges of words and turns differ by anyway


def on_one_clock(said: Sequence[Segment], turns: Sequence[Turn]) -> tuple[list[Segment], list[str]]:
    """Give the segments on the clock of the turns, and a line where they were moved or may need to be."""
    words = [Span(word.t0, word.t1) for segment in said for word in segment.words]
    spoken = words if all(segment.words for segment in said) else [Span(segment.t0, segment.t1) for segment in said]
    found = drift(spoken, [Span(turn.t0, turn.t1) for turn in turns])
    if found is None:
        return list(said), []
    if found.doubtful:
        return list(said), ["the words do not lie well on the turns, and no other clock fits clearly: times may be off"]
    whole = Span(min(span.t0 for span in spoken), max(span.t1 for span in spoken))
    if not found.sure or found.shift_ms(whole) < LEAST_MS:
        return list(said), []
    return [_moved(segment, found) for segment in said], [_told(found)]


def _told(found: Drift) -> str:
    late = f"{abs(found.offset_ms) / 1000:.1f} s {'early' if found.offset_ms > 0 else 'late'}"
    speed = f"{abs(found.ppm) / 10_000:.2f} % {'fast' if found.ppm > 0 else 'slow'}"
    how = [late] * (abs(found.offset_ms) >= 50) + [speed] * (abs(found.ppm) >= 50)
    return f"the words ran {' and '.join(how)} against the turns and were moved onto them"


def _moved(segment: Segment, found: Drift) -> Segment:
    t0 = max(0, found.moved(segment.t0))
    words = tuple(_word(word, found) for word in segment.words)
    return replace(segment, t0=t0, t1=max(t0 + 1, found.moved(segment.t1)), words=words)


def _word(word: Word, found: Drift) -> Word:
    t0 = max(0, found.moved(word.t0))
    return replace(word, t0=t0, t1=max(t0 + 1, found.moved(word.t1)))
