"""Make the clips that the second listen is measured on: rare names spoken in sentences, in noise of 0 to 10 dB.

tests/data/names/{tuning,test}.toml hold the names and sentences; no name, sentence or background reader is in both.
Four voices speak them (flite's slt, awb and rms, and a Piper voice), babble of LibriSpeech readers or pink noise lies
over it. Each clip is also asked for two names that it does not hold: another one of its part, and one that begins as
the one said does (the first half of it, the second half of the next one).
Not part of the tests: flite and Piper are tools of whoever measures, and the clips are not kept in the repository.

    python -m scripts.make_names test OUT --piper "piper -m en_US-joe-medium.onnx" --readers .../librispeech
"""

import argparse
import json
import shlex
import subprocess
import tomllib
import wave
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tools.media import audio

Samples = NDArray[np.float32]
NAMES = Path(__file__).parent.parent / "tests" / "data" / "names"
VOICES = ("joe", "slt", "awb", "rms")
RATE = 16_000
_SEEDS = {"tuning": 1, "test": 2}


@dataclass(frozen=True, slots=True)
class Clip:
    """A clip, the name said in it and two that are not, and how it was made; snr is None without noise."""

    file: str
    text: str
    name: str
    absent: str
    near: str
    voice: str
    noise: str
    snr: float | None


def main() -> None:
    """Make one part."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=tuple(_SEEDS))
    parser.add_argument("out", type=Path)
    parser.add_argument("--piper", required=True, help="the command that speaks standard input into --output_file")
    parser.add_argument("--readers", type=Path, required=True, help="the folder of LibriSpeech readers")
    asked = parser.parse_args()
    rng = np.random.default_rng(_SEEDS[asked.part])
    asked.out.mkdir(parents=True, exist_ok=True)
    given = tomllib.loads((NAMES / f"{asked.part}.toml").read_text(encoding="utf-8"))
    names: list[str] = given["names"]
    readers = sorted(asked.readers.glob("*/*.flac"))[_SEEDS[asked.part] - 1 :: 2]
    clips = []
    for n, name in enumerate(names):
        text, voice = given["carriers"][n % len(given["carriers"])].format(name), VOICES[n % len(VOICES)]
        noise, snr = ("babble", "pink")[n // 2 % 2], float(round(rng.uniform(0, 10), 1))
        file = f"{n:03}.wav"
        spoken = _spoken(voice, text, asked.out / file, asked.piper)
        behind = babble(rng, readers, len(spoken)) if noise == "babble" else pink(rng, len(spoken))
        write(asked.out / file, mixed(spoken, behind, snr))
        others = [each for each in names if each != name]
        near = name[: len(name) // 2] + (other := names[(n + 1) % len(names)])[len(other) // 2 :]
        clips.append(Clip(file, text, name, others[int(rng.integers(len(others)))], near, voice, noise, snr))
    (asked.out / "clips.json").write_text(json.dumps([asdict(clip) for clip in clips], indent=1), encoding="utf-8")
    print(f"{len(clips)} clips in {asked.out}")


def _spoken(voice: str, text: str, path: Path, piper: str) -> Samples:
    if voice == "joe":
        subprocess.run([*shlex.split(piper), "--output_file", str(path)], input=text.encode(), check=True)
    else:
        subprocess.run(["flite", "-voice", voice, "-t", text, "-o", str(path)], check=True)
    return np.concatenate(list(audio.decode(path)))


def babble(rng: np.random.Generator, readers: Sequence[Path], length: int) -> Samples:
    """Three readers at once, each of the same loudness."""
    chosen = rng.choice(len(readers), 3, replace=False)
    voices = [np.concatenate(list(audio.decode(readers[i]))) for i in chosen]
    return np.asarray(sum(np.resize(v, length) / np.sqrt(np.mean(v**2)) for v in voices), dtype=np.float32)


def pink(rng: np.random.Generator, length: int) -> Samples:
    """Noise of the same power in every octave."""
    spectrum = np.fft.rfft(rng.standard_normal(length))
    spectrum[1:] /= np.sqrt(np.arange(1, len(spectrum)))
    return np.fft.irfft(spectrum, length).astype(np.float32)


def mixed(spoken: Samples, noise: Samples, snr: float) -> Samples:
    """Add noise so that the speech is snr decibels above it on average."""
    gain = np.sqrt(np.mean(spoken**2) / np.mean(noise**2)) / 10 ** (snr / 20)
    both = spoken + gain * noise
    return np.asarray(both * (0.7 / np.abs(both).max()), dtype=np.float32)


def write(path: Path, samples: Samples) -> None:
    """Write 16-bit mono."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes((samples * 32_767).astype("<i2").tobytes())


if __name__ == "__main__":
    main()
