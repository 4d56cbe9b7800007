"""Measure what hotwords cost: sentences of readers that are skipped once Whisper is told words that nobody says.

Pieces of two LibriSpeech readers each are heard untold and told lists of technical words of growing length. What is
written untold is the measure: a piece is cut short when a fifth of its words is gone, and a sentence is skipped where
four words in a row are. tuning is every other reader, test the others.

    python -m scripts.measure_hotwords .../data --part tuning --count 20
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from scripts.doubt_plants import read
from scripts.measure_doubts import Data
from scripts.measure_words import normaliser
from store.record import Turn
from tools.media import audio
from tools.transcript.recogniser import Options, load
from tools.transcript.recognisers.whisper import Samples

WORDS = [
    *("Kubernetes", "Postgres", "OAuth", "Terraform", "Grafana", "Kafka", "Redis", "idempotency", "backpressure"),
    *("tokenizer", "diarization", "embeddings", "quantisation", "watermark", "checkpointer", "ontology", "telemetry"),
    *("hypervisor", "middleware", "serialisation", "Ansible", "Jenkins", "Elasticsearch", "sharding", "mutex"),
    *("semaphore", "bytecode", "linter", "monorepo", "changelog"),
]
SKIPPED = 4


@dataclass(slots=True)
class Cost:
    """What was written under one list of hotwords, against what is written untold."""

    told: int
    untold_words: int = 0
    words: int = 0
    short: int = 0
    skipped: int = 0
    lost: int = 0
    added: int = 0
    brought: int = 0

    def count(self, untold: Sequence[str], written: Sequence[str]) -> None:
        """Add one piece."""
        import jiwer

        gone = []
        if untold and written:
            found = jiwer.process_words(" ".join(untold), " ".join(written)).alignments[0]
            gone = [one.ref_end_idx - one.ref_start_idx for one in found if one.type == "delete"]
            self.added += sum(one.hyp_end_idx - one.hyp_start_idx for one in found if one.type == "insert")
        elif untold:
            gone = [len(untold)]
        self.untold_words, self.words = self.untold_words + len(untold), self.words + len(written)
        self.short += len(written) < 0.8 * len(untold)
        self.skipped += sum(length >= SKIPPED for length in gone)
        self.lost += sum(gone)
        self.brought += sum(word in written for word in (each.casefold() for each in WORDS[: self.told]))

    def __str__(self) -> str:
        """Write it as a line."""
        return (f"{self.told:2} hotwords: {self.words:5} words of {self.untold_words}, lost {self.lost}, added "
                f"{self.added}, sentences skipped {self.skipped}, pieces cut short {self.short}, hotwords written that "
                f"nobody said {self.brought}")  # fmt: skip


def pieces(data: Data, count: int) -> list[Samples]:
    """Give pieces of two readers with a second between them."""
    clips = [paths[0] for paths in data.readers][: 2 * count]
    gap = np.zeros(audio.RATE, np.float32)
    return [np.concatenate([read(one), gap, read(two)]) for one, two in zip(clips[::2], clips[1::2], strict=False)]


def main() -> None:
    """Print a line for each length of the list."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--part", choices=("tuning", "test"), required=True)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--told", type=int, nargs="+", default=[1, 5, 30])
    asked = parser.parse_args()
    normal, made = normaliser("english"), pieces(Data(asked.data, asked.part), asked.count)
    heard: dict[int, list[list[str]]] = {}
    for told in (0, *asked.told):
        recogniser = load("base", Options(hotwords=", ".join(WORDS[:told]) or None, threads=1))
        heard[told] = []
        for samples in made:
            windows = recogniser.transcribe(samples, 0, [Turn(0, len(samples) * 1000 // audio.RATE, "A")])
            text = " ".join(word.text for window in windows for word in window.words)
            heard[told].append(normal(text).split())
        cost = Cost(told)
        for untold, written in zip(heard[0], heard[told], strict=True):
            cost.count(untold, written)
        print(cost, flush=True)


if __name__ == "__main__":
    main()
