"""What Whisper skips: speech without words. It is written again untold, and what is still missing is heard by itself.

A hotword is to Whisper a text that came before, and it goes on from there: of 15 pieces of two readers each one word
that nobody said cost three whole sentences. So where somebody speaks and nothing is written, what is written untold is
put in. Untold it skips too, now and then most of a window; what was skipped is written as soon as it is heard alone.
"""

from collections.abc import Sequence
from dataclasses import replace

from store.record import Span, Turn, Word, union
from tools.transcript.doubts import Passage, near
from tools.transcript.joining import covered, middle, plausible, same_word

AROUND_MS = 300
_LEAST_MS = 1_500
_MOST = 2  # heard by themselves in one window
_SURE_LOGPROB, _SURE_VOICE = -0.8, 0.5  # stricter than Whisper's own limits; set beforehand, not tuned
_PAUSE_MS = 400  # about a word that is written nothing is missing
_EDGE_MS = 300
_BREATH_MS = 2_000


def spoken(heard: Sequence[Turn], turns: Sequence[Turn]) -> list[Turn]:
    """Give what is heard of speech near turns: words anywhere else are set aside, so none are missing there."""
    parts = [Turn(max(t.t0, by.t0), min(t.t1, by.t1), t.speaker) for t in heard for by in near(turns)]
    return [part for part in parts if part.t0 < part.t1]


def skipped(passages: Sequence[Passage], speech: Sequence[Turn]) -> list[Span]:
    """Give the stretches of speech, of a second and a half and more, in which nothing is written."""
    written = union(_wide(word) for passage in passages for word in passage.words)
    found: list[Span] = []
    for turn in speech:
        t0 = turn.t0
        for span in written:
            if span.t0 < turn.t1 and span.t1 > turn.t0:
                found.append(Span(t0, max(t0, span.t0)))
                t0 = max(t0, span.t1)
        found.append(Span(t0, max(t0, turn.t1)))
    return [span for span in found if span.duration >= _LEAST_MS]


def unheard(passages: Sequence[Passage], speech: Sequence[Turn]) -> list[Span]:
    """Give the longest stretches without words, few enough to be heard by themselves; pauses part none of them."""
    found: list[Span] = []
    for span in skipped(passages, speech):
        if found and span.t0 - found[-1].t1 < _BREATH_MS and not _written(passages, found[-1].t1, span.t0):
            span = Span(found.pop().t0, span.t1)
        found.append(span)
    return sorted(found, key=lambda span: -span.duration)[:_MOST]


def _written(passages: Sequence[Passage], t0: int, t1: int) -> bool:
    return any(t0 <= middle(word) < t1 for passage in passages for word in passage.words)


def sure(passages: Sequence[Passage]) -> list[Passage]:
    """Give the passages that are no guess: what is heard alone may be no speech, whatever the detector says."""
    return [one for one in passages if one.avg_logprob >= _SURE_LOGPROB and one.no_speech_prob < _SURE_VOICE]


def filled(told: Sequence[Passage], untold: Sequence[Passage], missing: Sequence[Span]) -> list[Passage]:
    """Give the passages that were written told, and those parts of the untold ones that they lack, in order."""
    known = [word for passage in told for word in passage.words]
    parts = [replace(passage, words=_lacking(passage, known, missing)) for passage in untold]
    return sorted([*told, *(part for part in parts if part.words)], key=lambda passage: passage.span)


def _lacking(passage: Passage, known: Sequence[Word], missing: Sequence[Span]) -> tuple[Word, ...]:
    """Give the words of a passage that lie in what is missing and are not written there already."""
    wide = [Span(span.t0 - _EDGE_MS, span.t1 + _EDGE_MS) for span in missing]
    inside = [word for word in passage.words if any(span.t0 <= middle(word) < span.t1 for span in wide)]
    return tuple(word for word in inside if not any(same_word(word, other) or covered(word, other) for other in known))


def _wide(word: Word) -> Span:
    span = plausible(word)
    return Span(span.t0 - _PAUSE_MS, span.t1 + _PAUSE_MS)
