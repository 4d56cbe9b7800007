"""Measure the words of a transcript recogniser: word error rate against a truth file, and speed.

The truth is {"segments": [{"start", "end", "speaker", "text"}]} in seconds. Its segments serve as the turns, so that
the figure is of the words alone; --vad listens without them. The normaliser is OpenAI's English one for Whisper, as
the package whisper_normalizer carries it (--normaliser basic for other languages); jiwer counts.

    python -m scripts.measure_words meeting.opus --truth truth.json --model whisper-base --beam 1 2 5
"""

import argparse
import json
import resource
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from store import clock
from store.record import Segment, Span, Turn
from tools.media import audio
from tools.transcript.attribution import attribute
from tools.transcript.recogniser import Options, Window, load


@dataclass(frozen=True, slots=True)
class Truth:
    """One reference segment."""

    turn: Turn
    text: str

    @property
    def span(self) -> Span:
        """The time it covers."""
        return Span(self.turn.t0, self.turn.t1)


def read_truth(path: Path) -> list[Truth]:
    """Read a truth file."""
    rows = json.loads(path.read_text(encoding="utf-8"))["segments"]
    return [
        Truth(Turn(clock.start_ms(row["start"]), clock.end_ms(row["end"]), row["speaker"]), row["text"]) for row in rows
    ]


def pairs(truth: Sequence[Truth], windows: Sequence[Window], overlapped: bool) -> tuple[list[str], list[str]]:
    """Give reference and hypothesis texts by reference segment, without those that another voice overlaps."""
    words = [word for window in windows for word in window.words]
    said = attribute(words, [row.turn for row in truth])
    refs, hyps = [], []
    for row in truth:
        alone = not any(row.span.overlaps(other.span) for other in truth if other is not row)
        if alone or overlapped:
            refs.append(row.text)
            hyps.append(" ".join(segment.text for segment in said if _inside(segment, row)))
    return refs, hyps


def main() -> None:
    """Measure one recording with each model and beam asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recording", type=Path)
    parser.add_argument("--truth", type=Path, required=True)
    parser.add_argument("--model", nargs="+", default=["whisper-base"])
    parser.add_argument("--beam", nargs="+", type=int, default=[Options().beam_size])
    parser.add_argument("--language")
    parser.add_argument("--vad", action="store_true", help="find speech without the truth's turns")
    parser.add_argument("--normaliser", choices=("english", "basic"), default="english")
    asked = parser.parse_args()
    truth, samples = read_truth(asked.truth), np.concatenate(list(audio.decode(asked.recording)))
    normal = normaliser(asked.normaliser)
    print("model            beam  WER alone  WER all  words  set aside  CPU s/2 per s  wall per s")
    for model in asked.model:
        for beam in asked.beam:
            recogniser = load(model, Options(beam_size=beam, language=asked.language))
            wall, cpu = time.monotonic(), _cpu()
            windows = list(recogniser.transcribe(samples, 0, None if asked.vad else [row.turn for row in truth]))
            wall, cpu, seconds = time.monotonic() - wall, _cpu() - cpu, len(samples) / 16_000
            alone, everything = (wer(*pairs(truth, windows, o), normal) for o in (False, True))
            count, aside = (sum(len(getattr(w, key)) for w in windows) for key in ("words", "set_aside"))
            print(
                f"{model:16} {beam:4}  {alone:9.3f}  {everything:7.3f}  {count:5}  {aside:9}"
                f"  {cpu / 2 / seconds:13.3f}  {wall / seconds:10.3f}",
                flush=True,
            )


def _inside(segment: Segment, row: Truth) -> bool:
    """A segment belongs to the reference turn that its words were placed in."""
    span = Span(segment.t0, segment.t1)
    near = span.overlaps(row.span) or span.gap(row.span) <= 1000
    middle = (segment.t0 + segment.t1) // 2
    return segment.speaker == row.turn.speaker and near and row.turn.t0 - 1000 <= middle <= row.turn.t1 + 1000


def wer(refs: list[str], hyps: list[str], normal: Callable[[str], str]) -> float:
    """Give the word error rate of hypotheses against references, both brought to a normal form."""
    import jiwer

    return float(jiwer.wer([normal(text) for text in refs], [normal(text) for text in hyps]))


def normaliser(name: str) -> Callable[[str], str]:
    """Give OpenAI's normaliser for Whisper: `english`, or `basic` for other languages."""
    if name == "basic":
        from whisper_normalizer.basic import BasicTextNormalizer

        basic: Callable[[str], str] = BasicTextNormalizer()
        return basic
    from whisper_normalizer.english import EnglishTextNormalizer

    english: Callable[[str], str] = EnglishTextNormalizer()
    return english


def _cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    main()
