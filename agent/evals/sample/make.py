"""Make the sample recording and its truth from script.txt: the truth comes from the mixing, not from listening.

Tools, none of them a dependency: flite, opusenc (opus-tools), and piper with the voice en_US-joe-medium.
    python -m agent.evals.sample.make --joe PATH/en_US-joe-medium.onnx [--piper "python -m piper"]
"""

import argparse
import hashlib
import json
import re
import shlex
import subprocess
import tempfile
import wave
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np

from agent.evals.sample.sounds import RATE, Samples, sound

HERE = Path(__file__).parent
LEVEL = 0.07  # root mean square of every voice
ROOM = 0.0006  # of the room tone under everything
PAUSES = cycle((0.35, 0.55, 0.4, 0.65))  # between turns, seconds
BREATH = 0.3  # between the sentences of one turn
VOICES = {"Ada": ("slt", 1.08), "Ben": ("joe", 1.0), "Oliver": ("awb", 1.0), "Victor": ("rms", 0.84)}
FAMILIES = {
    "violin": ("Violin, fiddle", ["Bowed string instrument", "Musical instrument", "Music"]),
    "telephone": ("Telephone", ["Telephone bell ringing", "Ringtone"]),
    "fireworks": ("Fireworks", ["Firecracker", "Explosion"]),
    "siren": (
        "Siren",
        ["Police car (siren)", "Ambulance (siren)", "Fire engine, fire truck (siren)", "Emergency vehicle"],
    ),
    "horn": ("Vehicle horn, car horn, honking", ["Toot", "Air horn, truck horn", "Car"]),
    "applause": ("Applause", ["Clapping", "Crowd"]),
    "alarm": ("Fire alarm", ["Smoke detector, smoke alarm", "Alarm"]),
    "drums": ("Drum kit", ["Drum", "Drum machine", "Percussion", "Snare drum", "Musical instrument", "Music"]),
}
Row = dict[str, Any]
SOUND = re.compile(r"\[(\w+) ([\d.]+) (-?[\d.]+)( under)?\]")
TURN = re.compile(r"(\w+)(?: <([\d.]+))?: (.+)")


@dataclass
class Mix:
    """The recording so far and what is known of it; `cursor` is where the last thing ends, in seconds."""

    joe: Path
    piper: list[str]
    cursor: float = 1.0
    tracks: list[tuple[float, Samples]] = field(default_factory=list)
    segments: list[Row] = field(default_factory=list)
    events: list[Row] = field(default_factory=list)

    def read(self, line: str) -> None:
        """Add one line of the script."""
        if heard := SOUND.fullmatch(line):
            self.play(heard[1], float(heard[2]), float(heard[3]), under=bool(heard[4]))
        elif turn := TURN.fullmatch(line):
            self.say(turn[1], turn[3], float(turn[2] or 0))
        else:
            self.cursor += float(line.strip("()"))

    def play(self, name: str, seconds: float, gain: float, under: bool) -> None:
        """Add a sound after what is there; `under` lets the talk go on over it."""
        start = self.cursor + 0.5
        self.tracks.append((start, sound(name, seconds) * 10 ** (gain / 20)))
        label, kin = FAMILIES[name]
        self.events.append(times(start, start + seconds) | {"label": label, "family": [label, *kin]})
        self.cursor = start if under else start + seconds + 0.3

    def say(self, speaker: str, text: str, overlap: float) -> None:
        """Add a turn; `overlap` is how long before the end of the one before it begins."""
        start = self.cursor - overlap if overlap else self.cursor + next(PAUSES)
        begin = start
        for sentence in re.split(r"(?<=[.?!]) (?=[A-Z])", text):
            samples = self.voice(speaker, re.sub(r"\{(.+?)\|.+?\}", r"\1", sentence))
            self.tracks.append((begin, samples))
            begin += samples.size / RATE + BREATH
        end = begin - BREATH
        written = re.sub(r"\{.+?\|(.+?)\}", r"\1", text)
        self.segments.append(times(start, end) | {"speaker": speaker, "text": written})
        self.cursor = max(self.cursor, end)

    def voice(self, speaker: str, text: str) -> Samples:
        """Speak a sentence: mono at RATE, at LEVEL, without the silence around it."""
        name, size = VOICES[speaker]
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder, "voice.wav")
            steady = ["--noise-scale", "0.3", "--noise-w-scale", "0"]
            if name == "joe":
                command = [*self.piper, "-m", str(self.joe), *steady, "-f", str(out), "--", text]
            else:
                command = ["flite", "-voice", name, "--setf", f"duration_stretch={size}", "-t", text, "-o", str(out)]
            subprocess.run(command, check=True, capture_output=True)
            samples, rate = read(out)
        samples = resampled(samples, round(samples.size / size * RATE / rate))
        loud = np.flatnonzero(np.abs(samples) > 0.01 * np.abs(samples).max())
        samples = samples[max(loud[0] - 160, 0) : loud[-1] + 320]
        return samples * (LEVEL / float(np.sqrt(np.mean(samples**2))))

    def mixed(self) -> Samples:
        """Add all up over the room tone, ending 1 s after the last sound."""
        length = max(round(start * RATE) + track.size for start, track in self.tracks) + RATE
        out = ROOM * np.random.default_rng(1).standard_normal(length)
        for start, track in self.tracks:
            out[round(start * RATE) :][: track.size] += track
        return out


def times(start: float, end: float) -> Row:
    """Give a start and an end in seconds, to the millisecond."""
    return {"start": round(start, 3), "end": round(end, 3)}


def read(path: Path) -> tuple[Samples, int]:
    """Read a mono 16-bit WAV file: samples in [-1, 1] and their rate."""
    with wave.open(str(path)) as file:
        return np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768, file.getframerate()


def resampled(samples: Samples, size: int) -> Samples:
    """Stretch to `size` samples, band-limited."""
    spectrum = np.fft.rfft(samples)
    wanted = np.zeros(size // 2 + 1, complex)
    kept = min(spectrum.size, wanted.size)
    wanted[:kept] = spectrum[:kept]
    return np.fft.irfft(wanted, size) * size / samples.size


def turns(segments: list[Row]) -> list[Row]:
    """Join what one voice says with pauses under half a second."""
    joined: list[Row] = []
    for segment in segments:
        last = joined[-1] if joined else None
        if last and last["speaker"] == segment["speaker"] and segment["start"] - last["end"] < 0.5:
            last["end"] = segment["end"]
        else:
            joined.append({key: segment[key] for key in ("start", "end", "speaker")})
    return joined


def write(mix: Mix) -> None:
    """Write meeting.opus and its truth in each form, and print the SHA-256 of those that were fixed."""
    samples = mix.mixed()
    with tempfile.TemporaryDirectory() as folder:
        loud = Path(folder, "meeting.wav")
        with wave.open(str(loud), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
        opus = ["opusenc", "--quiet", "--serial", "1", "--bitrate", "48", str(loud), str(HERE / "meeting.opus")]
        subprocess.run(opus, check=True)
    said = turns(mix.segments)
    talk = {name: round(sum(t["end"] - t["start"] for t in said if t["speaker"] == name), 3) for name in VOICES}
    truth = {
        "duration": round(samples.size / RATE, 3),
        "speakers": {name: {"voice": VOICES[name][0], "seconds": talk[name]} for name in VOICES},
        "segments": mix.segments,
        "turns": said,
        "events": mix.events,
    }
    (HERE / "truth.json").write_text(json.dumps(truth, indent=1) + "\n")
    rttm = "SPEAKER meeting 1 {start:.3f} {length:.3f} <NA> <NA> {speaker} <NA> <NA>\n"
    lines = [rttm.format(**turn, length=turn["end"] - turn["start"]) for turn in said]
    (HERE / "truth.rttm").write_text("".join(lines))
    (HERE / "truth.vtt").write_text(vtt(mix.segments))
    (HERE / "truth.csv").write_text(table(mix.events))
    for name in ("meeting.opus", "truth.json", "truth.rttm"):
        print(hashlib.sha256((HERE / name).read_bytes()).hexdigest(), name)  # noqa: T201


def vtt(segments: list[Row]) -> str:
    """Give what is said as subtitles with their voices."""
    cues = (f"{_stamp(s['start'])} --> {_stamp(s['end'])}\n<v {s['speaker']}>{s['text']}\n" for s in segments)
    return "WEBVTT\n\n" + "\n".join(cues)


def table(events: list[Row]) -> str:
    """Give what is heard as rows of start, end and label."""
    rows = (f'{event["start"]:.3f},{event["end"]:.3f},"{event["label"]}"\n' for event in events)
    return "start,end,label\n" + "".join(rows)


def _stamp(seconds: float) -> str:
    ms = round(seconds * 1000)
    return f"{ms // 60_000:02}:{ms // 1000 % 60:02}.{ms % 1000:03}"


def main() -> None:
    """Make everything."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--joe", type=Path, required=True)
    options.add_argument("--piper", default="piper")
    given = options.parse_args()
    mix = Mix(given.joe, shlex.split(given.piper))
    for line in (HERE / "script.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            mix.read(line)
    write(mix)


if __name__ == "__main__":
    main()
