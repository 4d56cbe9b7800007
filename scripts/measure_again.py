"""Measure the second listen on the clips of scripts/make_names.py: names heard, and names heard that nobody said.

Each clip is asked for the name said in it (`name`), another name of its part (`absent`) and one that begins as the name
said does (`near`). First: written without being told. Second: what the evidence decides, where the clip's own words
tell the places and all clips' words the decoys. --readers asks real LibriSpeech readers, in the same noise, for names
that they do not say.

    python -m scripts.measure_again CLIPS --readers .../librispeech
"""

import argparse
import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Literal

import numpy as np

from scripts.make_names import Clip, Samples, mixed, pink
from tools.again.likely import Written, passage
from tools.again.listening import asked_of
from tools.media import audio
from tools.transcript.evidence import Evidence, mentions
from tools.transcript.recogniser import Options
from tools.transcript.recognisers.whisper import Whisper
from tools.transcript.windows import clip as cut

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
        if one.heard or row.kind == "name":
            said = f"{row.kind:6} {row.clip} {one.term:14} first {row.first:1} second {one.heard:1}"
            print(f"{said} score {one.score:6.1f} borne {one.borne:6.1f} alike {one.alike:4.2f}", flush=True)
    for kind in ("name", "absent", "near", "reader"):
        of = [row for row in rows if row.kind == kind]
        if of:
            first, second = sum(row.first for row in of), sum(row.first or row.evidence.heard for row in of)
            print(f"{kind:6} N {len(of):3}  first {first:3}  either {second:3}")


def _rows(heard: Whisper, folder: Path, clips: Sequence[Clip], readers: Path | None) -> Iterator[Row]:
    files = sorted(readers.glob("*/*.flac"))[: len(clips)] if readers else []
    rng = np.random.default_rng(3)
    vocabulary = {word for clip in clips for word in clip.text.replace(clip.name, "").split()}
    for clip, path in zip_longest(clips, files):
        samples = np.concatenate(list(audio.decode(folder / clip.file)))
        terms: dict[Asked, str] = {"name": clip.name, "absent": clip.absent, "near": clip.near}
        yield from _asked(heard, samples, clip.file, terms, vocabulary)
        if path is None:
            continue
        spoken = np.concatenate(list(audio.decode(path)))[: _LONGEST_S * audio.RATE]
        noisy = mixed(spoken, pink(rng, len(spoken)), clip.snr or 0.0)
        yield from _asked(heard, noisy, path.name, {"reader": clip.name}, vocabulary)


def _asked(
    heard: Whisper, samples: Samples, name: str, terms: dict[Asked, str], vocabulary: Collection[str]
) -> Iterator[Row]:
    words = tuple(word for window in heard.transcribe(samples, 0, None) for word in window.words)
    text = " ".join(word.text for word in words)
    for kind, term in terms.items():
        if not words:
            yield Row(kind, name, Evidence(term, (0, 0)), False)
            continue
        likely = passage(Written(1, 1, words, True, text, None, "en"), term)
        around = cut(samples, 0, likely.span)
        (evidence,) = heard.listen_again([(around, asked_of(likely, vocabulary))])
        yield Row(kind, name, evidence, mentions(text, term))


if __name__ == "__main__":
    main()
