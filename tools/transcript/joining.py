"""Words heard on both sides of a cut, each once: by the side on which its middle lies, and by what was written before.

What is heard after a cut begins before it. There the last word written before the cut is looked for, and the next one
goes on from it; so a word that one side places before the cut and the other after it is neither lost nor doubled.
What was written before the cut is never changed, so that it can be published before what follows is heard.
"""

from collections.abc import Sequence
from dataclasses import replace

from store.record import Segment, Span, Word
from tools.transcript.doubts import plain
from tools.transcript.recogniser import Window

_APART_MS = 400
"""So far apart may one word that was heard twice begin, or end."""
_PLACED_BY_MS = 1_000  # Whisper stretches a last word into what follows


def joined(window: Window, core: Span, last: Word | None) -> Window:
    """Give the part of a window that lies in `core`, going on from the last word that was written before it."""
    words = going_on(last, window.words, core.t0) if window.t0 < core.t0 else window.words
    kept = tuple(word for word in words if middle(word) < core.t1) if core.t1 < window.t1 else tuple(words)
    t0, t1 = max(window.t0, core.t0), max(min(window.t1, core.t1), window.t0)
    first, end = ((at - window.t0) // window.state_ms for at in (t0, t1))
    states = None if window.states is None else window.states[first : end if t1 < window.t1 else None]
    aside = tuple(one for one in window.set_aside if core.t0 <= (one.t0 + one.t1) // 2 < core.t1)
    return replace(window, t0=t0, t1=t1, words=kept, states=states, set_aside=aside)


def going_on(last: Word | None, heard: Sequence[Word], cut: int) -> list[Word]:
    """Give those of the words heard, some of them before the cut, that come after the last one written before it."""
    if last is None:
        return [word for word in heard if middle(word) >= cut]
    twins = [place for place, word in enumerate(heard) if same_word(word, last)]
    if twins:
        rest = heard[min(twins, key=lambda place: _apart(heard[place], last)) + 1 :]
    else:
        rest = [word for word in heard if middle(word) >= cut and not covered(word, last)]
    return [_after(word, last) for word in rest]


def last_word(segments: Sequence[Segment]) -> Word | None:
    """Give the last word of segments in order, None when there is none."""
    return segments[-1].words[-1] if segments and segments[-1].words else None


def plausible(word: Word) -> Span:
    """Give the time of a word, at most its first second."""
    return Span(word.t0, min(word.t1, word.t0 + _PLACED_BY_MS))


def middle(word: Word) -> int:
    """Give the middle of a word's plausible time."""
    span = plausible(word)
    return (span.t0 + span.t1) // 2


def same_word(word: Word, other: Word) -> bool:
    """Say whether two words are one that was heard twice; the first of a window may begin early, the last end late."""
    return plain(word.text) == plain(other.text) and _apart(word, other) <= _APART_MS


def covered(word: Word, by: Word) -> bool:
    """Say whether most of a word lies where another was written."""
    one, two = plausible(word), plausible(by)
    return 2 * (min(one.t1, two.t1) - max(one.t0, two.t0)) > min(one.duration, two.duration)


def _apart(word: Word, other: Word) -> int:
    return min(abs(word.t0 - other.t0), abs(word.t1 - other.t1))


def _after(word: Word, last: Word) -> Word:
    """Give a word that begins after the last one before it, which may be stretched beyond the cut."""
    t0 = max(word.t0, min(last.t1, middle(word)), last.t0 + 1)
    return replace(word, t0=t0, t1=max(word.t1, t0 + 1))
