"""Print how well a voice a channel is told from stereo, and who speaks when on calls made of LibriSpeech readers.

    python -m scripts.measure_calls [--part tuning|test] [--seconds N] [--voices onnx|truth] [--only KIND ...]

A call is two readers in turns, one a channel, each also heard on the other channel: so many decibels quieter and 5 to
30 ms later, with noise, unequal gains and a tenth of the turns begun before the other ends. What is no call: one voice
on both channels, a studio's stereo, three people around a stereo recorder, and a room of two people on one channel.
Four of the seven readers with ten utterances are the test part. `--voices truth` puts true turns in the place of the
recogniser whose speech the channels divide, so that what is measured is the division alone.
"""

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import av
import numpy as np
from numpy.typing import NDArray

from scripts.corpora import data_option
from store.record import Turn
from tools.media.audio import RATE, decode
from tools.speaker.channels import ByChannel
from tools.speaker.recogniser import SpeakerRecogniser, Voices, recogniser

READERS = {"tuning": ("1688", "1998", "2033"), "test": ("2414", "2609", "3005", "3080")}
LEAKS = (0, 3, 6, 10, 15, 20, 30, 60)
OTHERS = ("mono", "studio", "three", "room")
Array = NDArray[np.float32]


@dataclass(frozen=True)
class Call:
    """Two channels of samples (2, n), who speaks when, and whether each channel is one person."""

    name: str
    samples: Array
    truth: list[Turn]
    split: bool


def clips(data: Path, reader: str) -> list[Array]:
    """Give a reader's utterances, each of the same loudness."""
    found = [np.concatenate(list(decode(path))) for path in sorted((data / "librispeech" / reader).glob("*.flac"))]
    return [clip * np.float32(0.06 / np.sqrt(np.square(clip).mean())) for clip in found]


def spoken(voices: list[list[Array]], seconds: int, dice: np.random.Generator) -> tuple[list[Array], list[Turn]]:
    """Let voices take turns; give a dry track for each, and the turns, their pauses over 0.4 s left out."""
    tracks = [np.zeros(seconds * RATE, np.float32) for _ in voices]
    turns: list[Turn] = []
    place, who = RATE // 2, 0
    while place < (seconds - 8) * RATE:
        clip = voices[who][dice.integers(len(voices[who]))]
        length = int(min(len(clip), RATE * np.clip(dice.lognormal(1.1, 0.6), 0.8, 7)))
        begin = int(dice.integers(len(clip) - length + 1))
        tracks[who][place : place + length] += clip[begin : begin + length]
        turns += voiced(clip[begin : begin + length], place, f"V{who}")
        early = dice.random() < 0.1
        place += length + int(RATE * (-dice.uniform(0.3, 1.0) if early else dice.uniform(0.1, 0.6)))
        who = int((who + dice.integers(1, len(voices))) % len(voices)) if len(voices) > 1 else 0
    return tracks, turns


def voiced(clip: Array, place: int, who: str) -> list[Turn]:
    """Give the parts of a clip that are louder than its pauses, as turns from a place in samples."""
    frames = len(clip) // 160
    level = 10 * np.log10(np.square(clip[: frames * 160].reshape(frames, 160)).mean(axis=1) + 1e-9)
    loud = np.convolve(level > level.max() - 35, np.ones(41), mode="same") > 0
    edges = np.flatnonzero(np.diff(np.concatenate([[0], loud.astype(int), [0]])))
    start = place / 16
    return [
        Turn(round(start + a * 10), round(start + b * 10), who)
        for a, b in zip(edges[::2], edges[1::2], strict=True)
        if b - a > 10
    ]


def heard_by(tracks: list[Array], gains_db: list[list[float]], dice: np.random.Generator) -> Array:
    """Give two channels: each track at each channel's gain, later where it is quieter, over the channel's own noise."""
    out = dice.normal(0, 10 ** (-62 / 20), (2, len(tracks[0]))).astype(np.float32)
    for track, gains in zip(tracks, gains_db, strict=True):
        for channel, gain in enumerate(gains):
            late = int(RATE * dice.uniform(0.005, 0.03)) if gain < max(gains) else 0
            out[channel, late:] += track[: len(track) - late] * np.float32(10 ** (gain / 20))
    return np.clip(out, -1, 1)


def calls(data: Path, part: str, seconds: int) -> Iterator[Call]:
    """Make the calls of one part, and what is none, from seeds."""
    voices = {reader: clips(data, reader) for reader in READERS[part]}
    names = list(voices)
    for number, first in enumerate(names):
        pair = [voices[first], voices[names[(number + 1) % len(names)]]]
        for leak in LEAKS:
            dice = np.random.default_rng([number, leak, part == "test"])
            tracks, turns = spoken(pair, seconds, dice)
            louder = float(dice.uniform(-6, 6))
            gains = [[0.0, louder - leak], [-float(leak), louder]]
            yield Call(f"leak {leak}", heard_by(tracks, gains, dice), turns, leak > 0)
        for kind in OTHERS:
            dice = np.random.default_rng([number, OTHERS.index(kind), part == "test", 7])
            three = [*pair, voices[names[(number + 2) % len(names)]]]
            tracks, turns = spoken(pair if kind in ("mono", "studio") else three, seconds, dice)
            gains = {
                "mono": [[0.0, 0.0]] * 2,
                "studio": [[0.0, -3.0], [-3.0, 0.0]],
                "three": [[0.0, -6.0], [0.0, 0.0], [-6.0, 0.0]],
                "room": [[0.0, -30.0], [-3.0, -30.0], [-30.0, 0.0]],
            }[kind]
            yield Call(kind, heard_by(tracks, gains, dice), turns, False)


class Known:
    """Stands in for a recogniser: it gives the true turns."""

    name, version, sha256 = "truth", "1", None

    def __init__(self, truth: list[Turn]) -> None:
        self._truth = truth

    def hear(self, samples: Array, start_ms: int) -> Voices:
        """Remember nothing."""
        return Voices(self.name, self.version, start_ms, len(samples) // 16, {})

    def turns(self, heard: Sequence[Voices], **counts: int | None) -> list[Turn]:
        """Give the truth."""
        return self._truth


def error(found: list[Turn], truth: list[Turn], seconds: int) -> tuple[float, float]:
    """Give the seconds of diarisation error without a collar, and those of them that are confusion."""
    from pyannote.core import Annotation, Segment, Timeline
    from pyannote.metrics.diarization import DiarizationErrorRate

    def annotation(turns: list[Turn]) -> Annotation:
        made = Annotation()
        for number, turn in enumerate(turns):
            made[Segment(turn.t0 / 1000, turn.t1 / 1000), number] = turn.speaker
        return made

    parts = DiarizationErrorRate()(
        annotation(truth), annotation(found), detailed=True, uem=Timeline([Segment(0, seconds)])
    )
    return parts["missed detection"] + parts["false alarm"] + parts["confusion"], parts["confusion"]


def heard(call: Call, inner: SpeakerRecogniser, folder: Path) -> tuple[list[Turn], list[Turn], str]:
    """Give the turns by channels as `auto` decides, those of the mix, and what was noted."""
    path = folder / "call.wav"
    with av.open(str(path), "w") as out:
        stream = out.add_stream("pcm_s16le", rate=RATE, layout="stereo")
        frame = av.AudioFrame.from_ndarray(
            np.ascontiguousarray((call.samples.T * 32767).astype(np.int16)).reshape(1, -1),
            format="s16",
            layout="stereo",
        )
        frame.sample_rate = RATE
        out.mux(stream.encode(frame))
        out.mux(stream.encode(None))
    both = ByChannel(inner, path, "auto")
    voices = both.hear(call.samples.mean(axis=0), 0)
    return both.turns([voices]), inner.turns([voices]), both.note or "nothing heard"


def main() -> None:
    """Hear all calls of a part and print a line for each kind."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=sorted(READERS), default="tuning")
    data_option(parser)
    parser.add_argument("--seconds", type=int, default=90)
    parser.add_argument("--voices", choices=("onnx", "truth"), default="onnx")
    parser.add_argument("--only", nargs="+", metavar="KIND", help='such as "leak 20" or studio')
    asked = parser.parse_args()
    backend = recogniser() if asked.voices == "onnx" else None
    table: dict[str, list[tuple[bool, float, float, float, float, int]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for call in calls(asked.data, asked.part, asked.seconds):
            if asked.only and call.name not in asked.only:
                continue
            inner = backend or Known(call.truth)
            by_channel, mixed, note = heard(call, inner, Path(folder))
            total = sum(turn.t1 - turn.t0 for turn in call.truth) / 1000
            split = "a voice each" in note
            figures = (*error(by_channel, call.truth, asked.seconds), error(mixed, call.truth, asked.seconds)[0])
            table.setdefault(call.name, []).append((split == call.split, *figures, total, int(split)))
            print(f"  {call.name}: {note.split(':')[0]}", flush=True)
    print(f"{'kind':10} calls split right  DER  confusion  DER of the mix")
    for kind, rows in table.items():
        right, wrong, confused, mix, total, split = (sum(column) for column in zip(*rows, strict=True))
        shares = f"{wrong / total:6.3f} {confused / total:8.3f} {mix / total:10.3f}"
        print(f"{kind:10} {len(rows):5} {split:5} {right:5} {shares}")


if __name__ == "__main__":
    main()
