"""Make meetings whose truth is known: real voices on real turn timelines, real sounds in gaps and over speech, a room.

A seat is one LibriSpeech reader for the whole meeting. Most readers have 15 s of speech: it is heard again and again,
each time from where it stopped, in turns cut at other places; the truth says how many different seconds there are.
Readers, sounds and timelines are of one part, `development` or `test`. The same seed gives the same file.

    python -m scripts.make_meetings FOLDER --minutes 10 --seeds 1 2 3 --part development

beside each FLAC file its truth: turns, sounds (in a gap or over speech, how loud against the talk), who sits where.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scripts.corpora import corpus
from scripts.event_sets import CLASSES, loud
from scripts.make_recording import BLOCK, quiet_end, write_flac
from scripts.meeting_seats import LEAST_TURN_MS, seated, timelines
from scripts.speaker_cases import heard, reader_files, trimmed
from scripts.speaker_conversations import pink
from store.record import Span, Turn, union
from tools.media.audio import RATE
from tools.timeline import Timeline

Array = NDArray[np.float32]
MS = RATE // 1000
TALK_DB, ROOM_DB = (-36, -26), (-70, -56)
LEAST_READER = 8 * RATE  # samples of speech
APART_MS, EDGE_MS = 8_000, 1_000
LOUDEST, SILENT = 0.9, 1e-3
FRAME, ACTIVE = 400, 10 ** (-30 / 20)
TRIES = 200


@dataclass(frozen=True, slots=True)
class Knobs:
    """How a meeting is made: kinds of sounds, seconds for each sound, loudness against talk, how many lie in gaps."""

    part: str = "test"
    kinds: tuple[int, int] = (4, 8)
    every_s: float = 70
    snr_db: tuple[float, float] = (0, 10)
    in_gaps: float = 0.5


@dataclass(frozen=True, slots=True)
class Sound:
    """A sound as it was laid: how loud against the talk (dB), and the share of it over which somebody speaks."""

    start: float
    end: float
    kind: str
    label: str
    snr_db: float
    over_speech: float


@dataclass
class Meeting:
    """A meeting in the making: its samples and its truth."""

    samples: Array
    turns: list[Turn] = field(default_factory=list)
    sounds: list[Sound] = field(default_factory=list)
    readers: dict[str, str] = field(default_factory=dict)
    unique_s: float = 0.0


@dataclass
class Reader:
    """One reader's speech at one loudness, and how far it is read; it begins again when all is read."""

    speech: Array
    place: int = 0

    def piece(self, length: int) -> Array:
        """Give about so many samples, cut where it is quiet."""
        end = quiet_end(self.speech, self.place, length)
        taken = self.speech[self.place : end]
        self.place = 0 if end > len(self.speech) - LEAST_TURN_MS * MS else end
        return taken


def make(data: Path, minutes: float, seed: int, knobs: Knobs) -> tuple[Array, dict[str, Any]]:
    """Give a meeting's samples and its truth in plain values, times in seconds."""
    seating, voices, noises = (np.random.default_rng([seed, round(10 * minutes), part]) for part in range(3))
    length = round(minutes * 60 * RATE)
    seats = seated(timelines(data, knobs.part), length // MS, seating)
    meeting = Meeting(pink(length, voices) * np.float32(10 ** (voices.uniform(*ROOM_DB) / 20)))
    _speak(meeting, seats.turns, _read(meeting, data, seats.names, knobs, voices))
    _sound(meeting, data, knobs, noises)
    talk = sum(turn.t1 - turn.t0 for turn in meeting.turns) / 1000
    truth = {
        "seed": seed, "minutes": minutes, "seconds": length / RATE, "knobs": asdict(knobs),
        "timelines": seats.timelines, "left_out": seats.left_out, "readers": meeting.readers,
        "unique_seconds": round(meeting.unique_s, 1), "talk_seconds": round(talk, 1),
        "turns": [{"start": t.t0 / 1000, "end": t.t1 / 1000, "speaker": t.speaker} for t in meeting.turns],
        "events": [asdict(sound) for sound in meeting.sounds],
    }  # fmt: skip
    return np.clip(meeting.samples, -1, 1), truth


def _read(
    meeting: Meeting, data: Path, seats: Sequence[str], knobs: Knobs, rng: np.random.Generator
) -> dict[str, Reader]:
    """Give each seat a reader of the part, at a loudness of its own."""
    files, found = reader_files(data, knobs.part), dict[str, Reader]()
    for name in rng.permutation(sorted(files)).tolist():
        if len(found) == len(seats):
            break
        speech = trimmed(np.concatenate([heard(file) for file in files[name]]))
        if len(speech) >= LEAST_READER:
            seat = seats[len(found)]
            level = 10 ** (rng.uniform(*TALK_DB) / 20) / loud(speech)
            found[seat] = Reader(speech * np.float32(level), int(rng.integers(len(speech) // 2)))
            meeting.readers[seat] = name
            meeting.unique_s += len(speech) / RATE
    return found


def _speak(meeting: Meeting, turns: Sequence[Turn], readers: dict[str, Reader]) -> None:
    for turn in turns:
        place = begin = turn.t0 * MS
        while turn.t1 * MS - place >= LEAST_TURN_MS * MS:
            piece = readers[turn.speaker].piece(turn.t1 * MS - place)[: len(meeting.samples) - place]
            meeting.samples[place : place + len(piece)] += piece
            place += len(piece)
        meeting.turns.append(Turn(begin // MS, place // MS, meeting.readers[turn.speaker]))


def _sound(meeting: Meeting, data: Path, knobs: Knobs, rng: np.random.Generator) -> None:
    """Lay sounds of some kinds, each kind at least once."""
    kinds = rng.choice(sorted(clips := _clips(data, knobs.part)), int(rng.integers(*knobs.kinds, endpoint=True)), False)
    seconds, talk = len(meeting.samples) / RATE, _level(meeting)
    more = max(0, round(seconds / knobs.every_s) - len(kinds))
    for kind in [*kinds.tolist(), *rng.choice(kinds, more).tolist()]:
        gain, clip = _loud_enough([clips[kind][n] for n in rng.permutation(len(clips[kind]))], talk, knobs, rng)
        place = _place(meeting, len(clip) // MS, knobs, rng)
        if place is None:
            continue
        meeting.samples[place * MS : place * MS + len(clip)] += clip * np.float32(gain)
        span = Span(place, place + len(clip) // MS)
        snr = round(20 * np.log10(gain * active(clip) / talk), 1)
        meeting.sounds.append(
            Sound(span.t0 / 1000, span.t1 / 1000, kind, CLASSES[kind], snr, round(_covered(meeting, span), 2))
        )
    meeting.sounds.sort(key=lambda sound: sound.start)


def _loud_enough(paths: Sequence[Path], talk: float, knobs: Knobs, rng: np.random.Generator) -> tuple[float, Array]:
    """Give a clip and its gain: the first that can be as loud as is wanted without clipping, else the loudest.

    A crackle's peaks lie far above its mean, so that it can never be loud.
    """
    wanted, found = talk * 10 ** (rng.uniform(*knobs.snr_db) / 20), list[tuple[float, float, Array]]()
    for path in paths:
        samples = heard(path)
        there = np.flatnonzero(np.abs(samples) > SILENT)
        clip = samples[there[0] : there[-1] + 1]
        gain = min(wanted / active(clip), LOUDEST / float(np.abs(clip).max()))
        if gain * active(clip) > 0.99 * wanted:
            return gain, clip
        found.append((gain * active(clip), gain, clip))
    _, gain, clip = max(found, key=lambda one: one[0])
    return gain, clip


def _clips(data: Path, part: str) -> dict[str, list[Path]]:
    found = {kind: sorted((data / "esc10" / kind).glob("*.ogg"))[part == "test" :: 2] for kind in CLASSES}
    return {kind: paths for kind, paths in found.items() if paths}


def _level(meeting: Meeting) -> float:
    """Give the root mean square of all talk as it is mixed."""
    spoken = [meeting.samples[span.t0 * MS : span.t1 * MS] for span in union(Span(t.t0, t.t1) for t in meeting.turns)]
    return loud(np.concatenate(spoken))


def active(clip: Array) -> float:
    """Give the root mean square of a sound while it is heard: frames within 30 dB of its loudest."""
    power = (clip[: len(clip) // FRAME * FRAME].reshape(-1, FRAME) ** 2).mean(1)
    return float(np.sqrt(power[power > ACTIVE**2 * power.max()].mean()))


def _place(meeting: Meeting, length: int, knobs: Knobs, rng: np.random.Generator) -> int | None:
    """Give where a sound may begin, in ms: apart from others, in a gap where one is wanted and there is room."""
    last, gaps = len(meeting.samples) // MS - length - EDGE_MS, list(_gaps(meeting, length))
    taken = [Span(round(1000 * s.start) - APART_MS, round(1000 * s.end) + APART_MS) for s in meeting.sounds]
    quiet = rng.random() < knobs.in_gaps
    for tries in range(TRIES):
        if quiet and gaps and tries < TRIES // 2:
            gap = gaps[int(rng.integers(len(gaps)))]
            place = int(rng.integers(gap.t0, gap.t1 + 1))
        else:
            place = int(rng.integers(EDGE_MS, last))
        if not any(span.overlaps(Span(place, place + length)) for span in taken):
            return place
    return None


def _gaps(meeting: Meeting, length: int) -> Iterator[Span]:
    """Give from when to when a sound may begin so that nobody speaks while it is heard, nor a second around it."""
    before = EDGE_MS
    for span in union(Span(turn.t0, turn.t1) for turn in meeting.turns):
        last = span.t0 - EDGE_MS - length
        if last >= before:
            yield Span(before, last)
        before = span.t1 + EDGE_MS


def _covered(meeting: Meeting, span: Span) -> float:
    spoken = union(Span(max(t.t0, span.t0), min(t.t1, span.t1)) for t in Timeline(meeting.turns).overlapping(span))
    return sum(part.duration for part in spoken) / span.duration


def write(folder: Path, data: Path, minutes: float, seed: int, knobs: Knobs) -> Path:
    """Write a meeting and its truth; what is there already is made anew only when it was made otherwise."""
    path = folder / f"{knobs.part}-{minutes:g}-{seed}.flac"
    samples, truth = make(data, minutes, seed, knobs)
    write_flac(path, (samples[place : place + BLOCK] for place in range(0, len(samples), BLOCK)))
    path.with_suffix(".json").write_text(json.dumps(truth, indent=1), encoding="utf-8")
    return path


def main() -> None:
    """Write the meetings, and say what is in them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--part", choices=("development", "test"), default="development")
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    for seed in asked.seeds:
        path = write(asked.folder, corpus(), asked.minutes, seed, Knobs(asked.part))
        truth = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        gaps = sum(sound["over_speech"] == 0 for sound in truth["events"])
        print(
            f"{path}: {len(truth['readers'])} voices, {truth['talk_seconds'] / 60:.1f} min of talk from "
            f"{truth['unique_seconds']:.0f} different seconds, {len(truth['events'])} sounds, of which {gaps} in gaps; "
            f"{', '.join(truth['timelines'])}"
        )


if __name__ == "__main__":
    main()
