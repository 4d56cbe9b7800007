"""An endpoint's `/audio/transcriptions`: words with times where it gives them, segments, or text alone.

Windows are cut as Whisper's are, but up to ten minutes long, because each is a request; silence is never sent. Text
without times lies in its window by its length. What comes back is sifted as our own words are.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from store.clock import end_ms, start_ms
from store.record import Span, Turn, Word, union
from tools.endpoint import Endpoint
from tools.endpoints.completion import Fault
from tools.media.encoder import encoded
from tools.sanitize import one_line
from tools.transcript.doubts import Passage, sift
from tools.transcript.interview.table import Said
from tools.transcript.interview.words import timed_words
from tools.transcript.recogniser import Options, Window
from tools.transcript.recognisers.whisper import Samples, voiced, voiced_share
from tools.transcript.windows import clip, windows

LIMIT_MS = 600_000
SILENT_S = 180.0
"""How long an endpoint may say nothing while it writes down ten minutes."""
_SHORTEST_MS = 100
_FORMS: tuple[dict[str, Any], ...] = (
    {"response_format": "verbose_json", "timestamp_granularities": ["word", "segment"]},
    {"response_format": "verbose_json"},
    {"response_format": "json"},
)


class Api:
    """A transcription endpoint; `version` is its model."""

    name, sha256 = "api", None

    def __init__(self, endpoint: Endpoint, options: Options) -> None:
        self._endpoint, self._options = endpoint, options
        self.version = endpoint.model
        self._form = 0

    def transcribe(self, samples: Samples, start_ms: int, turns: Sequence[Turn] | None) -> Iterator[Window]:
        """Give the windows of samples (16 kHz mono, starting at start_ms) in order; EndpointError says what failed."""
        speech = voiced(samples, start_ms) if turns is None else turns
        for span in windows(samples, start_ms, speech, LIMIT_MS):
            if span.duration < _SHORTEST_MS:
                continue
            part = clip(samples, start_ms, span)
            answer = self._asked(encoded(part, "wav"))
            share = voiced_share(part, span.t0)
            kept, doubtful = sift(passages(answer, span, speech), speech, span.t1, share)
            words = tuple(word for passage in kept for word in passage.words)
            language = _language(answer) or self._options.language
            score = sum(passage.avg_logprob for passage in kept) / len(kept) if kept else None
            yield Window(span.t0, span.t1, words, language, score, set_aside=tuple(doubtful))

    def _asked(self, audio: bytes) -> Mapping[str, Any]:
        prompt = " ".join(filter(None, (self._options.initial_prompt, self._options.hotwords)))
        told = {"language": self._options.language, "prompt": prompt, "temperature": 0}
        given = {name: value for name, value in told.items() if value not in (None, "")}
        while True:
            form = self._form
            try:
                return self._endpoint.write_down(audio, "audio.wav", given | _FORMS[form])
            except Fault as fault:
                if fault.cause != "request" or form + 1 == len(_FORMS):
                    raise
                self._form = form + 1  # windows are asked for side by side


def passages(answer: Mapping[str, Any], span: Span, speech: Sequence[Turn]) -> list[Passage]:
    """Read an answer about a span of a recording: its words in its segments, else its segments, else its text."""
    words = _words(_entries(answer.get("words")), span)
    segments = [one for one in _entries(answer.get("segments")) if _timed(one)]
    if not segments:
        said = words or _spread(str(answer.get("text") or ""), span, speech)
        return [Passage(said, 0.0, 0.0, 0.0)] if said else []
    found = []
    starts = [start_ms(one["start"]) + span.t0 for one in segments]
    for one, (begin, following) in zip(segments, pairwise([*starts, 1 << 60]), strict=True):
        own = tuple(word for word in words if begin <= (word.t0 + word.t1) // 2 < following)
        end = max(begin + 1, end_ms(one["end"]) + span.t0)
        said = own if words else timed_words(Said(begin, end, "", one_line(str(one.get("text") or ""))))
        if said:
            scores = (_number(one, key) for key in ("avg_logprob", "no_speech_prob", "compression_ratio"))
            found.append(Passage(said, *scores))
    early = tuple(word for word in words if (word.t0 + word.t1) // 2 < starts[0])
    return [Passage(early, 0.0, 0.0, 0.0), *found] if early else found


def _words(entries: Sequence[Mapping[str, Any]], span: Span) -> tuple[Word, ...]:
    found = []
    for one in entries:
        text = one_line(str(one.get("word") or ""))
        if text and _timed(one):
            t0 = span.t0 + start_ms(one["start"])
            found.append(Word(t0, max(t0 + 1, span.t0 + end_ms(one["end"])), text))
    return tuple(found)


def _spread(text: str, span: Span, speech: Sequence[Turn]) -> tuple[Word, ...]:
    """Share the time in which somebody speaks in a span among words by their length."""
    inside = union(Span(max(turn.t0, span.t0), min(turn.t1, span.t1)) for turn in speech) or [span]
    whole = sum(one.duration for one in inside)
    said = timed_words(Said(0, whole, "", one_line(text))) if text.strip() else ()
    return tuple(Word(_at(word.t0, inside), _at(word.t1 - 1, inside) + 1, word.text) for word in said)


def _at(spoken_ms: int, inside: Sequence[Span]) -> int:
    """Give when so many milliseconds have been spoken."""
    for span in inside:
        if spoken_ms < span.duration:
            return span.t0 + spoken_ms
        spoken_ms -= span.duration
    return inside[-1].t1


def _entries(value: object) -> list[Mapping[str, Any]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def _timed(one: Mapping[str, Any]) -> bool:
    return all(type(one.get(key)) in (int, float) and 0 <= one[key] < 1e6 for key in ("start", "end"))


def _number(one: Mapping[str, Any], key: str) -> float:
    value = one.get(key)
    return float(value) if isinstance(value, int | float) else 0.0


def _language(answer: Mapping[str, Any]) -> str | None:
    """Give the language's code; some endpoints write its English name, which no other stream knows."""
    said = answer.get("language")
    return said if isinstance(said, str) and len(said) in (2, 3) else None
