"""Which written words are no evidence: where nobody speaks, past the end, in a loop, or known phantoms over silence.

Whisper must write something. Each rule sets words aside with its reason; a known phantom phrase alone is no reason,
because people do say "thanks for watching". Every passage must hold a voice by the voice activity detector, since a dog
that barks is written "No, no!" with scores as good as those of people; where the scores are poor, more of it must.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from store.asides import Reason, SetAside
from store.record import Span, Turn, Word, union

NEAR_TURN_MS = 1_000
_CLAMP_MS = 1_000
_COMPRESSED = 2.4  # Whisper's own limit, above which text repeats itself
_SILENT = 0.6  # Whisper's own no_speech_prob and avg_logprob limits
_UNSURE = -1.0
_FAINT = 0.35  # mean word probability under which more of the passage must be voiced
# Of a passage of readers 0.7 and more is voiced, with a sound at 10 dB under them too; of barks and engines under 0.1.
_VOICED = 0.25
_VOICED_IN_DOUBT = 0.5
_LOOP_TIMES = 4
_LOOP_WORDS = 8
_LONGEST_LOOP = 12


@dataclass(frozen=True, slots=True)
class Passage:
    """A stretch of words that was decoded at once, with Whisper's scores."""

    words: tuple[Word, ...]
    avg_logprob: float
    no_speech_prob: float
    compression_ratio: float

    @property
    def span(self) -> Span:
        """From the first word's start to the last word's end."""
        return Span(self.words[0].t0, self.words[-1].t1)

    @property
    def text(self) -> str:
        """The words, separated by blanks."""
        return " ".join(word.text for word in self.words)


def sift(
    passages: Sequence[Passage], speech: Sequence[Turn], end: int, voiced: Callable[[Span], float]
) -> tuple[list[Passage], list[SetAside]]:
    """Part passages into those to keep and the texts set aside.

    end is the last millisecond of the samples; voiced gives the share of a span in which a voice is heard. Words that
    end past `end` by under a second are cut to it.
    """
    doubtful: list[SetAside] = []
    regions = near(speech)
    kept = []
    for passage in passages:
        inside, beyond = _within(passage, end)
        doubtful += beyond
        if not inside.words:
            continue
        reason = _reason(inside, regions, voiced)
        if reason is None:
            kept.append(inside)
        else:
            doubtful.append(_aside(inside.words, reason))
    kept, repeated = _without_loops(kept)
    return kept, sorted([*doubtful, *repeated], key=lambda doubt: doubt.t0)


def near(turns: Sequence[Turn]) -> list[Span]:
    """Give where words belong to turns: within a second of one, as disjoint spans in order."""
    return union(Span(turn.t0 - NEAR_TURN_MS, turn.t1 + NEAR_TURN_MS) for turn in turns)


def loops(texts: Sequence[str]) -> list[range]:
    """Give the stretches of a word sequence that only repeat what stands before them.

    A phrase of up to twelve words counts when it is said four times or more in a row, eight words in all.
    """
    words = [plain(text) for text in texts]
    found: list[range] = []
    at = 0
    while at < len(words):
        length, times = max(((n, _times(words, at, n)) for n in range(1, _LONGEST_LOOP + 1)), key=_weight)
        if _weight((length, times)):
            found.append(range(at + length, at + length * times))
        at += length * times if _weight((length, times)) else 1
    return found


def plain(text: str) -> str:
    """Give text casefolded, without punctuation or blanks at the ends."""
    kept = (c if c.isalnum() else " " for c in unicodedata.normalize("NFKC", text).casefold())
    return re.sub(r"\s+", " ", "".join(kept)).strip()


@cache
def phantoms() -> frozenset[str]:
    """Give the known phantom phrases, plain and without figures."""
    lines = Path(__file__).with_name("phantoms.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(_unnumbered(line) for line in lines if line and not line.startswith("#"))


def _reason(passage: Passage, regions: Sequence[Span], voiced: Callable[[Span], float]) -> Reason | None:
    if not any(_span(word).overlaps(region) for word in passage.words for region in regions):
        return "outside_speech"
    if passage.no_speech_prob > _SILENT and passage.avg_logprob < _UNSURE:
        return "no_speech"
    scores = [word.score for word in passage.words if word.score is not None]
    faint = bool(scores) and sum(scores) / len(scores) < _FAINT
    suspect = faint or passage.no_speech_prob > _SILENT or _unnumbered(passage.text) in phantoms()
    if voiced(passage.span) < (_VOICED_IN_DOUBT if suspect else _VOICED):
        return "no_speech"
    if passage.compression_ratio > _COMPRESSED and not loops([word.text for word in passage.words]):
        return "loop"
    return None


def _unnumbered(text: str) -> str:
    return plain(re.sub(r"\d+", " ", text))


def _within(passage: Passage, end: int) -> tuple[Passage, list[SetAside]]:
    beyond = tuple(word for word in passage.words if word.t0 >= end + _CLAMP_MS)
    inside = tuple(_clamped(word, end) for word in passage.words if word.t0 < end + _CLAMP_MS)
    return replace(passage, words=inside), [_aside(beyond, "past_end")] if beyond else []


def _clamped(word: Word, end: int) -> Word:
    t0 = min(word.t0, end - 1)
    return replace(word, t0=t0, t1=max(t0 + 1, min(word.t1, end)))


def _without_loops(passages: Sequence[Passage]) -> tuple[list[Passage], list[SetAside]]:
    words = [word for passage in passages for word in passage.words]
    found = loops([word.text for word in words])
    repeated = {id(words[i]) for stretch in found for i in stretch}
    kept = [replace(p, words=tuple(w for w in p.words if id(w) not in repeated)) for p in passages]
    asides = [_aside([words[i] for i in stretch], "loop") for stretch in found]
    return [passage for passage in kept if passage.words], asides


def _times(words: Sequence[str], at: int, length: int) -> int:
    phrase = words[at : at + length]
    times = 1
    while len(phrase) == length and words[at + times * length : at + (times + 1) * length] == phrase:
        times += 1
    return times


def _weight(loop: tuple[int, int]) -> int:
    """Words that a loop holds, 0 when it is none; the first of equals, so the shortest phrase, wins."""
    length, times = loop
    return length * times if times >= _LOOP_TIMES and length * times >= _LOOP_WORDS else 0


def _span(word: Word) -> Span:
    return Span(word.t0, word.t1)


def _aside(words: Sequence[Word], reason: Reason) -> SetAside:
    return SetAside(words[0].t0, words[-1].t1, " ".join(word.text for word in words), reason)
