"""Measure what is written where nobody speaks, what that costs those who do, and in which language a segment is said.

sounds: false turns are laid over five seconds of each sound of ESC-10, of silence and of faint noise; words kept are
invented. readers: words of LibriSpeech, clean and with a sound at 10 dB under them, and of AMI, that are set aside.
languages: English readers and German actors (EMO-DB) by turns of their own, two to four turns a piece, so that most
windows hold both; a segment's language is right when it is that of the turn it lies in. English: readers and meetings
alone. planted: see `doubt_plants`. heard: see `heard_plants`; with a made recording also its clocks and seams. tuning
is every other sound, reader, actor and meeting, test the others; of the sounds in test, those cut from a recording that
is in tuning are left out.

    python -m scripts.measure_doubts .../data --part test --count 20
    python -m scripts.measure_doubts .../data --part test --only planted --only heard --recording made.flac
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from scripts import doubt_plants, heard_plants
from scripts.doubt_plants import read
from store.record import Turn
from tools.imports.rttm import read as read_rttm
from tools.media import audio
from tools.transcript.attribution import attribute
from tools.transcript.recogniser import Options, TranscriptRecogniser, Window, load
from tools.voicing.voices import clip

Samples = NDArray[np.float32]
Part = Literal["tuning", "test"]
KINDS = ("sounds", "readers", "languages", "planted", "heard")
_GAP_S = 0.5
_MOST_S = 8
_SNR = 10.0  # as power: 10 dB


@dataclass(frozen=True, slots=True)
class Data:
    """The recordings of one part."""

    folder: Path
    part: Part

    @property
    def sounds(self) -> list[Path]:
        """Give the clips of ESC-10."""
        found = []
        for folder in sorted(each for each in (self.folder / "esc10").iterdir() if each.is_dir()):
            clips = sorted(folder.iterdir())
            known = {_source(path) for path in clips[::2]}
            found += clips[::2] if self.part == "tuning" else [p for p in clips[1::2] if _source(p) not in known]
        return found

    @property
    def readers(self) -> list[list[Path]]:
        """Give the utterances of each reader of LibriSpeech."""
        return [sorted(folder.glob("*.flac")) for folder in self._half((self.folder / "librispeech").glob("*/"))]

    @property
    def meetings(self) -> list[Path]:
        """Give the excerpts of AMI."""
        return self._half((self.folder / "ami").glob("*.flac"))

    @property
    def german(self) -> list[Path]:
        """Give the utterances of EMO-DB by half of its actors."""
        clips = sorted((self.folder / "emodb").glob("*.flac"))
        actors = {path.name for path in self._half({Path(clip.name[:2]) for clip in clips})}
        return [path for path in clips if path.name[:2] in actors]

    @property
    def debates(self) -> list[Path]:
        """Give the turns of voxconverse."""
        return self._half((self.folder / "voxconverse").glob("*.rttm"))

    def _half(self, found: Iterable[Path]) -> list[Path]:
        return sorted(found)[self.part == "test" :: 2]


def main() -> None:
    """Measure all of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--part", choices=("tuning", "test"), required=True)
    parser.add_argument("--model", default="base")
    parser.add_argument("--count", type=int, default=20, help="pieces of mixed languages")
    parser.add_argument("--readers", type=int, default=30, help="readers heard")
    parser.add_argument("--recording", type=Path, help="from scripts.make_recording with --words")
    parser.add_argument("--every", type=int, default=60, help="seconds of its stretches")
    parser.add_argument("--only", choices=KINDS, action="append")
    asked = parser.parse_args()
    heard, data = load(asked.model, Options()), Data(asked.data, asked.part)
    wanted, first = asked.only or KINDS, [paths[0] for paths in data.readers[: asked.readers]]
    if "sounds" in wanted:
        _sounds(heard, data)
    if "readers" in wanted:
        _readers(heard, data, asked.readers)
    if "languages" in wanted:
        _languages(heard, data, asked.count)
    if "planted" in wanted:
        doubt_plants.measure(first, data.sounds, data.debates, heard)
    if "heard" in wanted:
        heard_plants.measure(first, _clips(data), asked.recording, asked.every, heard)


def _sounds(heard: TranscriptRecogniser, data: Data) -> None:
    told, shown = Counter[str](), []
    for name, samples in _clips(data):
        windows = list(heard.transcribe(samples, 0, _whole(samples)))
        kept = [word.text for window in windows for word in window.words]
        told["clips"] += 1
        told["clips with invented words"] += bool(kept)
        told["clips with words set aside"] += any(window.set_aside for window in windows)
        told["invented words"] += len(kept)
        told["words set aside"] += _aside(windows)
        shown += [f"  {name}: {' '.join(kept)[:80]}"] if kept else []
    print("sounds:", ", ".join(f"{count} {what}" for what, count in told.items()), *shown, sep="\n")


def _clips(data: Data) -> Iterator[tuple[str, Samples]]:
    rng = np.random.default_rng(data.part == "test")
    for level in (0.0, 0.003, 0.01, 0.03):
        yield f"noise {level}", (rng.standard_normal(5 * audio.RATE) * level).astype(np.float32)
    for path in data.sounds:
        yield f"{path.parent.name}/{path.name}", read(path)


def _readers(heard: TranscriptRecogniser, data: Data, count: int) -> None:
    sounds, clips = data.sounds, [paths[0] for paths in data.readers[:count]]
    kinds = {
        "clean": ((read(path), None) for path in clips),
        "10 dB": ((_over(read(path), read(sounds[i * 7 % len(sounds)])), None) for i, path in enumerate(clips)),
        "AMI": ((read(path), _turns(path)) for path in data.meetings),
    }
    for kind, recordings in kinds.items():
        kept = lost = others = 0
        texts, languages = [], Counter[str]()
        for samples, turns in recordings:
            for window in heard.transcribe(samples, 0, turns or _whole(samples)):
                kept, lost = kept + len(window.words), lost + _aside([window])
                texts += [f"  {one.reason}: {one.text[:80]}" for one in window.set_aside]
                languages[window.language or "none"] += 1
                others += window.language != "en"
        print(f"{kind}: {kept + lost} words, {lost} set aside ({lost / max(1, kept + lost):.2%}); windows by language "
              f"{dict(languages)}", *texts, sep="\n")  # fmt: skip


def _languages(heard: TranscriptRecogniser, data: Data, count: int) -> None:
    english, german = [path for paths in data.readers for path in paths], data.german
    rng = np.random.default_rng(data.part == "test")
    found: Counter[tuple[str, str]] = Counter()
    for piece in range(count):
        said = [("en", english[piece * 3 % len(english)]), ("de", german[int(rng.integers(len(german)))])] * 2
        samples, turns = _together(said[: 2 + piece % 3], rng)
        for window in heard.transcribe(samples, 0, turns):
            for segment in attribute(window.words, clip(turns, window.t0, window.t1)):
                found[segment.speaker or "none", window.language or "none"] += 1
    right = sum(number for (true, given), number in found.items() if true == given)
    print(f"languages: {count} pieces, {sum(found.values())} segments, right {right / max(1, sum(found.values())):.3f}")
    print("\n".join(f"  {true} as {given}: {number}" for (true, given), number in sorted(found.items())))


def _together(said: Sequence[tuple[str, Path]], rng: np.random.Generator) -> tuple[Samples, list[Turn]]:
    parts, turns, at = [], [], 0
    for language, path in said:
        spoken = read(path)[: _MOST_S * audio.RATE]
        gap = np.zeros(int(_GAP_S * audio.RATE * rng.uniform(0.5, 2)), np.float32)
        turns.append(Turn(at * 1000 // audio.RATE, (at + len(spoken)) * 1000 // audio.RATE, language))
        parts += [spoken, gap]
        at += len(spoken) + len(gap)
    return np.concatenate(parts), turns


def _over(spoken: Samples, sound: Samples) -> Samples:
    """Lay a sound under speech, again and again, at 10 dB."""
    noise = np.resize(sound, len(spoken))
    level = np.sqrt(np.square(spoken).mean() / max(1e-12, float(np.square(noise).mean())) / _SNR)
    mixed: Samples = (spoken + noise * level).astype(np.float32)
    return mixed


def _turns(path: Path) -> list[Turn]:
    rows = [placed.row for placed in read_rttm(path.with_suffix(".rttm").read_text(encoding="utf-8")).rows]
    return [row for row in rows if isinstance(row, Turn)]


def _whole(samples: Samples) -> list[Turn]:
    return [Turn(0, len(samples) * 1000 // audio.RATE, "A")]


def _aside(windows: Sequence[Window]) -> int:
    return sum(len(one.text.split()) for window in windows for one in window.set_aside)


def _source(path: Path) -> str:
    return path.name.split("-")[1]


if __name__ == "__main__":
    main()
