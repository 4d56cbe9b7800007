"""Hear one span again for a term: texts with the term, scored on the encoder's states by Whisper's own decoder.

The texts are what it writes when told the term, that text's place of the term put into the untold text, and the term in
the two places that sound most like it. All are scored over the 30 padded seconds the encoder gives: cut to the span,
the same text loses sixty nats in noise, because the decoder never saw shorter ones.
"""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from store import record
from store.record import Span
from tools.transcript.doubts import Passage
from tools.transcript.evidence import Evidence, mentions, sound_alikes

if TYPE_CHECKING:
    from ctranslate2 import StorageView
    from faster_whisper import WhisperModel
    from faster_whisper.transcribe import Word

_FRAME_MS = 20
_LEAST_P = 1e-20


@dataclass(frozen=True, slots=True)
class _Text:
    """A text as tokens, and where in them the term lies."""

    tokens: list[int]
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class _Scored:
    """Log-probability of a text, and the frame at which each of its tokens begins."""

    logprob: float
    frames: NDArray[np.int64]


class Again:
    """One span of sound, at most 30 s, encoded once and asked for any number of terms."""

    def __init__(self, model: "WhisperModel", output: "StorageView", tokenizer: Any, span: Span, beam: int) -> None:
        self._model, self._output, self._tokenizer, self._span, self._beam = model, output, tokenizer, span, beam
        self._states = np.asarray(output)
        self._best: dict[str, list[int]] = {}
        untold = self._decoded(())
        self._avg_logprob, self._no_speech_prob = float(untold.scores[0]), float(untold.no_speech_prob)
        self._plain = self._tokens(untold)

    def evidence(self, term: str) -> Evidence:
        """Weigh a term against what is written without being told it."""
        text = self._tokenizer.decode(self._plain)
        if mentions(text, term):
            return self._there(term, text)
        told = [self._tokenizer.sot_prev, *self._tokenizer.encode(f" {term}")]
        brought = self._tokens(self._decoded(told))
        by_hotword = mentions(self._tokenizer.decode(brought), term)
        texts = self._texts(term, brought)
        if not texts:
            return Evidence(term, -np.inf, -np.inf, text, self._span.t0, self._span.t1)
        untold = self._scores((), [*(one.tokens for one in texts), self._plain])
        biased = self._scores(told, [*(one.tokens for one in texts), self._plain])
        found = []
        for one, with_term, with_told in zip(texts, untold, biased, strict=False):
            gain, gain_told = with_term.logprob - untold[-1].logprob, with_told.logprob - biased[-1].logprob
            span = self._placed(with_told, one.first, one.end)
            written = self._tokenizer.decode(one.tokens).strip()
            found.append((Evidence(term, gain, gain_told, written, span.t0, span.t1, by_hotword), one.tokens))
        best, self._best[term] = max(found, key=lambda each: each[0].rank)
        return best

    def words(self, terms: Sequence[str]) -> list["Word"]:
        """Give the words of the text with terms that were weighed, in seconds of the span.

        They are put into the untold text one by one. Written by Whisper when told them all, it would leave out what
        stands before them: a hotword is a text that came before, and it goes on from there.
        """
        from faster_whisper.transcribe import Word

        tokens = self._plain
        for term in terms:
            if changed := self._with(tokens, self._best.get(term, []), term):
                tokens = changed.tokens
        (aligned,) = self._model.find_alignment(self._tokenizer, [tokens], self._output, self._frames)
        return [Word(each["start"], each["end"], each["word"], each["probability"]) for each in aligned]

    def passage(self, words: tuple[record.Word, ...]) -> Passage:
        """Give words with the scores of the untold text."""
        text = " ".join(word.text for word in words).encode()
        return Passage(words, self._avg_logprob, self._no_speech_prob, len(text) / len(zlib.compress(text)))

    @property
    def _frames(self) -> int:
        return min(int(self._states.shape[1]), self._span.duration // _FRAME_MS)

    def _decoded(self, told: Sequence[int]) -> Any:
        """Give CTranslate2's result for the text that is most likely after a prompt."""
        prompt = [*told, *self._tokenizer.sot_sequence, self._tokenizer.no_timestamps]
        (decoded,) = self._model.model.generate(
            self._output,
            [prompt],
            beam_size=self._beam,
            max_length=224 + len(prompt),
            return_scores=True,
            return_no_speech_prob=True,
        )
        return decoded

    def _tokens(self, decoded: Any) -> list[int]:
        return [token for token in decoded.sequences_ids[0] if token < self._tokenizer.eot]

    def _texts(self, term: str, told: list[int]) -> list[_Text]:
        """Give the texts with the term that are worth weighing, the likeliest first."""
        words, edges = self._words(self._plain)
        heard, heard_edges = self._words(told)
        found = []
        if place := _place(heard, term):
            found.append(_Text(told, heard_edges[place[0]], heard_edges[place[1]]))
        if put := self._with(self._plain, told, term):
            found.append(put)
        sought = self._tokenizer.encode(f" {term}")
        for start, stop in sound_alikes(words, term):
            tokens = [*self._plain[: edges[start]], *sought, *self._plain[edges[stop] :]]
            found.append(_Text(tokens, edges[start], edges[start] + len(sought)))
        return found

    def _with(self, tokens: list[int], told: list[int], term: str) -> _Text | None:
        """Put the place of a term in one text into another, instead of what stands there; None without the term."""
        words, edges = self._words(tokens)
        heard, heard_edges = self._words(told)
        place = _place(heard, term)
        if place is None:
            return None
        start, stop, other = _instead(words, heard, place)
        piece = told[heard_edges[other[0]] : heard_edges[other[1]]]
        offset = edges[start] - heard_edges[other[0]]
        first, end = heard_edges[place[0]] + offset, heard_edges[place[1]] + offset
        return _Text([*tokens[: edges[start]], *piece, *tokens[edges[stop] :]], first, end)

    def _words(self, tokens: list[int]) -> tuple[list[str], list[int]]:
        """Part tokens into words, with the token at which each begins and the end."""
        words, parts = self._tokenizer.split_to_word_tokens(tokens)
        return list(words), [0, *np.cumsum([len(part) for part in parts]).tolist()]

    def _scores(self, told: Sequence[int], texts: Sequence[list[int]]) -> list[_Scored]:
        """Give the log-probability of each text after a prompt."""
        from ctranslate2 import StorageView

        states = StorageView.from_array(np.ascontiguousarray(np.repeat(self._states, len(texts), axis=0)))
        prompt = [*told, *self._tokenizer.sot_sequence]
        scored = self._model.model.align(states, prompt, list(texts), self._frames)
        return [_scored(one.text_token_probs, one.alignments) for one in scored]

    def _placed(self, scored: _Scored, first: int, end: int) -> Span:
        frames = scored.frames
        t0, t1 = (int(frames[min(at, len(frames) - 1)]) * _FRAME_MS + self._span.t0 for at in (first, end))
        return Span(t0, max(t1, t0 + 1))

    def _there(self, term: str, text: str) -> Evidence:
        words, edges = self._words(self._plain)
        place = _place(words, term) or (0, len(words))
        span = self._placed(self._scores((), [self._plain])[0], edges[place[0]], edges[place[1]])
        return Evidence(term, 0.0, 0.0, text.strip(), span.t0, span.t1, True)


def _place(words: Sequence[str], term: str) -> tuple[int, int] | None:
    """Give the fewest words in a row that hold a term, as (first, last + 1)."""
    most = len(term.split()) + 2
    for length in range(1, most + 1):
        for first in range(len(words) - length + 1):
            if mentions("".join(words[first : first + length]), term):
                return first, first + length
    return None


def _instead(words: Sequence[str], heard: Sequence[str], place: tuple[int, int]) -> tuple[int, int, tuple[int, int]]:
    """Give what stands in `words` instead of a place in `heard` (first, last + 1), and the stretch it replaces."""
    start, stop, other = 0, len(words), (0, len(heard))
    for tag, a0, a1, b0, b1 in SequenceMatcher(None, words, heard, autojunk=False).get_opcodes():
        if tag != "equal" and b0 < place[1] and b1 > place[0]:
            start, stop, other = a0, a1, (b0, b1)
    return start, stop, other


def _scored(probabilities: Sequence[float], alignments: Sequence[tuple[int, int]]) -> _Scored:
    logprob = float(np.log(np.maximum(probabilities, _LEAST_P)).sum())
    pairs = np.array(alignments, np.int64).reshape(-1, 2)
    begins = np.flatnonzero(np.diff(pairs[:, 0], prepend=-1))
    return _Scored(logprob, pairs[begins, 1])
