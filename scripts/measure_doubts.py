"""Measure what is written where nobody speaks, and in which language a segment is said to be.

noise: false turns are laid over five seconds of each sound of ESC-10, of silence and of faint noise; words kept are
invented. languages: English readers (LibriSpeech) and German actors (EMO-DB) by turns of their own, two to four turns a
piece, so that most windows hold both; a segment's language is right when it is that of the turn it lies in.

    python -m scripts.measure_doubts .../esc10 .../librispeech .../emodb --count 20
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from store.record import Turn
from tools import audio
from tools.transcript.attribution import attribute
from tools.transcript.recogniser import Options, TranscriptRecogniser, load
from tools.voices import clip

Samples = NDArray[np.float32]
_GAP_S = 0.5
_MOST_S = 8


def main() -> None:
    """Measure both."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("esc10", "librispeech", "emodb"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--model", default="base")
    parser.add_argument("--count", type=int, default=20, help="pieces of mixed languages")
    asked = parser.parse_args()
    heard = load(asked.model, Options())
    _noise(heard, asked.esc10)
    _languages(heard, asked.librispeech, asked.emodb, asked.count)


def _noise(heard: TranscriptRecogniser, esc10: Path) -> None:
    told, shown = Counter[str](), []
    for name, samples in _sounds(esc10):
        turns = [Turn(0, len(samples) * 1000 // audio.RATE, "A")]
        windows = list(heard.transcribe(samples, 0, turns))
        kept = [word.text for window in windows for word in window.words]
        told["clips"] += 1
        told["clips with invented words"] += bool(kept)
        told["invented words"] += len(kept)
        told["phrases set aside"] += sum(len(window.set_aside) for window in windows)
        shown += [f"  {name}: {' '.join(kept)[:80]}"] if kept else []
    print("noise:", ", ".join(f"{count} {what}" for what, count in told.items()), *shown, sep="\n")


def _sounds(esc10: Path) -> Iterator[tuple[str, Samples]]:
    rng = np.random.default_rng(0)
    for level in (0.0, 0.003, 0.01, 0.03):
        yield f"noise {level}", (rng.standard_normal(5 * audio.RATE) * level).astype(np.float32)
    for folder in sorted(each for each in esc10.iterdir() if each.is_dir()):
        for path in sorted(folder.iterdir())[::2]:
            yield f"{folder.name}/{path.name}", _read(path)


def _languages(heard: TranscriptRecogniser, readers: Path, actors: Path, count: int) -> None:
    english, german = sorted(readers.glob("*/*.flac")), sorted(actors.glob("*.flac"))
    rng = np.random.default_rng(0)
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
        spoken = _read(path)[: _MOST_S * audio.RATE]
        gap = np.zeros(int(_GAP_S * audio.RATE * rng.uniform(0.5, 2)), np.float32)
        turns.append(Turn(at * 1000 // audio.RATE, (at + len(spoken)) * 1000 // audio.RATE, language))
        parts += [spoken, gap]
        at += len(spoken) + len(gap)
    return np.concatenate(parts), turns


def _read(path: Path) -> Samples:
    return np.concatenate(list(audio.decode(path)))


if __name__ == "__main__":
    main()
