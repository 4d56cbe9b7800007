"""Measure the second listen on the clips of scripts/make_names.py: names heard, and names heard that nobody said.

Each clip is asked for the name said in it (`name`), another name of its part (`absent`) and one that begins as the name
said does (`near`). First: written without being told. Hotword: in the text when told, believed as it stands. Second:
what the evidence decides. --readers asks real LibriSpeech readers, in the same noise, for names that they do not say.

    python -m scripts.measure_again CLIPS --readers .../librispeech
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Literal

import numpy as np

from scripts.make_names import Clip, Samples, mixed, pink
from store.record import Span
from tools import audio
from tools.transcript.evidence import Evidence, mentions
from tools.transcript.recogniser import Options
from tools.transcript.recognisers.whisper import Whisper

Asked = Literal["name", "absent", "near", "reader"]
_LONGEST_S = 15


@dataclass(frozen=True, slots=True)
class Row:
    """One term asked of one clip."""

    kind: Asked
    clip: str
    evidence: Evidence
    first: bool


def main() -> None:
    """Measure one part."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", type=Path)
    parser.add_argument("--readers", type=Path)
    parser.add_argument("--model", default="base")
    parser.add_argument("--limit", type=int, help="only so many clips")
    asked = parser.parse_args()
    heard = Whisper(asked.model, Options(language="en"))
    clips = [Clip(**row) for row in json.loads((asked.clips / "clips.json").read_text(encoding="utf-8"))][: asked.limit]
    rows: list[Row] = []
    for row in _rows(heard, asked.clips, clips, asked.readers):
        rows.append(row)
        one = row.evidence
        if one.heard or one.by_hotword or row.kind == "name":
            said = f"{row.kind:6} {row.clip} {one.term:14} first {row.first:1} hotword {one.by_hotword:1}"
            print(
                f"{said} second {one.heard:1} untold {one.untold:6.1f} told {one.told:6.1f} | {one.written}", flush=True
            )
    for kind in ("name", "absent", "near", "reader"):
        of = [row for row in rows if row.kind == kind]
        counts = [
            sum(found) for found in zip(*((r.first, r.evidence.by_hotword, r.evidence.heard) for r in of), strict=True)
        ]
        if of:
            print(f"{kind:6} N {len(of):3}  first {counts[0]:3}  hotword {counts[1]:3}  second {counts[2]:3}")


def _rows(heard: Whisper, folder: Path, clips: Sequence[Clip], readers: Path | None) -> Iterator[Row]:
    files = sorted(readers.glob("*/*.flac"))[: len(clips)] if readers else []
    rng = np.random.default_rng(3)
    for clip, path in zip_longest(clips, files):
        samples = np.concatenate(list(audio.decode(folder / clip.file)))
        terms: dict[Asked, str] = {"name": clip.name, "absent": clip.absent, "near": clip.near}
        yield from _asked(heard, samples, clip.file, terms)
        if path is None:
            continue
        spoken = np.concatenate(list(audio.decode(path)))[: _LONGEST_S * audio.RATE]
        noisy = mixed(spoken, pink(rng, len(spoken)), clip.snr or 0.0)
        yield from _asked(heard, noisy, path.name, {"reader": clip.name})


def _asked(heard: Whisper, samples: Samples, name: str, terms: dict[Asked, str]) -> Iterator[Row]:
    span = Span(0, len(samples) * 1000 // audio.RATE)
    again = heard.listen_again(samples, 0, span, list(terms.values()))
    windows = heard.transcribe(samples, 0, None)
    first = " ".join(word.text for window in windows for word in window.words)
    for kind, evidence in zip(terms, again.evidence, strict=True):
        yield Row(kind, name, evidence, mentions(first, evidence.term))


if __name__ == "__main__":
    main()
