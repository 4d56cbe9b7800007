"""Make a long recording whose truth is known: real turn timelines filled with readers, real sounds, room noise.

The timelines are those of real debates and meetings (voxconverse, ami_rttm), one after the other. A seat of a timeline
is taken by a LibriSpeech reader; when all clips of that reader were heard less than `--apart` minutes ago another one
takes the seat, so that the same words are never near. Pieces of clips end where it is quiet. Written block by block, so
memory does not grow with the length; the same seed gives the same file.

    OVERHEARD_DATA=... python -m scripts.make_recording long.flac --minutes 540 --seed 1

beside it: long.rttm (turns) and long.json (turns, sounds, and with --words what Whisper base hears of each whole clip
alone, which is as near to a truth of words as clips without transcripts give).
"""

import argparse
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scripts.corpora import corpus
from scripts.speaker_cases import read_rttm
from tools.media.audio import RATE, decode

Array = NDArray[np.float32]
BLOCK = 10 * RATE
SHORTEST_MS = 600  # a shorter turn holds half a word
# A piece ends at the quietest 50 ms from 0.7 s before to 0.3 s after, in samples.
QUIET, BEFORE, AFTER = 800, 11_200, 4_800
BETWEEN_MS = 1_500
SOUND_MS = (45_000, 150_000)
ROOM = 6e-4


@dataclass(frozen=True, slots=True)
class Piece:
    """A part [begin, end) of a clip, in samples, laid at sample `place` with a gain; `who` is None for a sound."""

    place: int
    clip: Path
    begin: int
    end: int
    gain: float
    who: str | None


@dataclass
class Cast:
    """The readers: which clip of each may be heard again when, and where a piece of it ended (samples)."""

    clips: dict[str, list[Path]]
    apart: int
    last: dict[Path, int] = field(default_factory=dict)
    nearest: int | None = None

    def open(self, reader: str, now: int) -> Path | None:
        """Give a clip of a reader that was not heard lately, None when there is none."""
        return next((c for c in self.clips[reader] if c not in self.last or now - self.last[c] >= self.apart), None)

    def fresh(self, taken: set[str], now: int, rng: np.random.Generator) -> tuple[str, Path]:
        """Give a reader without a seat, and a clip; the one longest unheard where all were heard lately."""
        free = [(who, clip) for who in sorted(self.clips) if who not in taken and (clip := self.open(who, now))]
        if free:
            return free[int(rng.integers(len(free)))]
        return min(
            ((who, clip) for who, clips in self.clips.items() if who not in taken for clip in clips),
            key=lambda each: self.last[each[1]],
        )

    def use(self, clip: Path, now: int) -> None:
        """Note that a clip begins to be heard."""
        if clip in self.last:
            gap = now - self.last[clip]
            self.nearest = gap if self.nearest is None else min(self.nearest, gap)
        self.last[clip] = now


@dataclass
class Seat:
    """Who sits here, the clip being read, and how far."""

    who: str
    clip: Path
    gain: float
    place: int = 0


def speech(data: Path, samples: int, cast: Cast, rng: np.random.Generator) -> Iterator[Piece]:
    """Give the pieces of speech in order of time, until the recording is full."""
    timelines = sorted([*(data / "voxconverse").glob("*.rttm"), *(data / "ami_rttm").glob("*.rttm")])
    start = 0
    while start < samples:
        turns = sorted(read_rttm(timelines[int(rng.integers(len(timelines)))]), key=lambda turn: turn.t0)
        first, seats, reach = turns[0].t0, dict[str, Seat](), 0
        for turn in turns:
            place = start + (turn.t0 - first) * 16
            if place >= samples:
                return
            for piece in _filled(place, (turn.t1 - turn.t0) * 16, turn.speaker, seats, cast, rng):
                if piece.place + piece.end - piece.begin <= samples:
                    yield piece
            reach = max(reach, turn.t1)
        start += (reach - first + BETWEEN_MS) * 16


def _filled(
    place: int, length: int, name: str, seats: dict[str, Seat], cast: Cast, rng: np.random.Generator
) -> Iterator[Piece]:
    """Fill one turn with pieces of one reader, of the next where that one has read everything."""
    while length >= SHORTEST_MS * 16:
        seat = seats.get(name)
        if seat is None or seat.place >= len(samples_of(seat.clip)) - SHORTEST_MS * 16:
            clip = cast.open(seat.who, place) if seat else None
            if seat and clip:
                seat.clip, seat.place = clip, 0
            else:
                who, clip = cast.fresh({each.who for each in seats.values()}, place, rng)
                seats[name] = seat = Seat(who, clip, float(rng.uniform(0.4, 1.2)))
            cast.use(seat.clip, place)
        end = quiet_end(samples_of(seat.clip), seat.place, length)
        yield Piece(place, seat.clip, seat.place, end, seat.gain, seat.who)
        done = end - seat.place
        seat.place, place, length = end, place + done, length - done


def quiet_end(clip: Array, begin: int, length: int) -> int:
    """Give where a piece of about this length ends: at the quietest place near it, else with the clip."""
    low, high = begin + max(length - BEFORE, SHORTEST_MS * 16), begin + length + AFTER
    if high >= len(clip):
        return len(clip)
    power = np.cumsum(np.square(clip[low : high + QUIET], dtype=np.float64))
    return low + int(np.argmin(power[QUIET:] - power[:-QUIET])) + QUIET // 2 if len(power) > QUIET else high


def sounds(data: Path, samples: int, rng: np.random.Generator) -> Iterator[Piece]:
    """Give a real sound every minute or two."""
    clips = sorted(path for path in (data / "esc10").rglob("*") if path.suffix in (".flac", ".ogg", ".wav"))
    place = 20 * RATE
    while True:
        clip = clips[int(rng.integers(len(clips)))]
        end = len(samples_of(clip))
        if place + end > samples:
            return
        yield Piece(place, clip, 0, end, 0.2 / max(0.02, float(np.abs(samples_of(clip)).max())), None)
        place += end + int(rng.integers(*SOUND_MS)) * 16


@lru_cache(maxsize=64)
def samples_of(clip: Path) -> Array:
    """Give a clip's samples; a sound without the silence it is padded with."""
    samples = np.concatenate(list(decode(clip)))
    loud = np.flatnonzero(np.abs(samples) > 1e-3)
    return samples[: int(loud[-1]) + 1] if len(loud) else samples


def blocks(pieces: Iterator[Piece], samples: int, rng: np.random.Generator, told: list[Piece]) -> Iterator[Array]:
    """Mix pieces in order of time into blocks over room noise; `told` gets each piece as it is laid."""
    ahead, active = next(pieces, None), list[Piece]()
    for begin in range(0, samples, BLOCK):
        size = min(BLOCK, samples - begin)
        mixed = rng.normal(0, ROOM, size).astype(np.float32)
        while ahead is not None and ahead.place < begin + size:
            active.append(ahead)
            told.append(ahead)
            ahead = next(pieces, None)
        for piece in active:
            here, there = max(piece.place - begin, 0), max(begin - piece.place, 0) + piece.begin
            part = samples_of(piece.clip)[there : min(piece.end, there + size - here)]
            mixed[here : here + len(part)] += part * np.float32(piece.gain)
        active = [piece for piece in active if piece.place + piece.end - piece.begin > begin + size]
        yield np.clip(mixed, -1, 1)


def ordered(one: Iterator[Piece], other: Iterator[Piece]) -> Iterator[Piece]:
    """Merge two iterators by time; speech may run slightly out of order, so it is sorted over a minute."""
    held: list[Piece] = []
    a, b = next(one, None), next(other, None)
    while a is not None or b is not None:
        if b is None or (a is not None and a.place <= b.place):
            assert a is not None
            held.append(a)
            a = next(one, None)
        else:
            held.append(b)
            b = next(other, None)
        newest = held[-1].place
        held.sort(key=lambda piece: piece.place)
        while held and newest - held[0].place > 60 * RATE:
            yield held.pop(0)
    yield from held


def write_flac(path: Path, parts: Iterator[Array]) -> None:
    """Encode blocks as 16-bit FLAC, mono, 16 kHz."""
    import av

    with av.open(str(path), "w", format="flac") as container:
        stream = container.add_stream("flac", rate=RATE, layout="mono")
        place = 0
        for part in parts:
            frame = av.AudioFrame.from_ndarray((part * 32767).astype(np.int16)[None], format="s16", layout="mono")
            frame.sample_rate, frame.pts = RATE, place
            place += len(part)
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


def said(told: list[Piece]) -> list[dict[str, Any]]:
    """Give the words of each piece, from those that Whisper base hears in its whole clip alone."""
    from tools.transcript.recogniser import Options, load

    recogniser, known = load("whisper-base", Options(language="en")), dict[Path, list[Any]]()
    words = []
    for piece in told:
        if piece.clip not in known:
            heard = recogniser.transcribe(samples_of(piece.clip), 0, None)
            known[piece.clip] = [word for window in heard for word in window.words]
        for word in known[piece.clip]:
            if piece.begin <= (word.t0 + word.t1) * 8 < piece.end:
                at = (piece.place - piece.begin) / RATE
                words.append({"start": at + word.t0 / 1000, "end": at + word.t1 / 1000, "speaker": piece.who,
                              "text": word.text})  # fmt: skip
    return sorted(words, key=lambda word: word["start"])


def _spans(rows: list[tuple[float, float, str]], told: list[Piece], key: str) -> list[dict[str, Any]]:
    """Give the turns, or the sounds, in seconds."""
    chosen = [row for row, piece in zip(rows, told, strict=True) if (piece.who is not None) == (key == "speaker")]
    return [{"start": t, "end": t + d, key: who} for t, d, who in chosen]


def main() -> None:
    """Write the recording and its truth."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--apart", type=float, default=20, help="minutes before a clip may be heard again")
    parser.add_argument("--words", action="store_true", help="tell the words too (hears every clip once: minutes)")
    asked = parser.parse_args()
    data, samples = corpus(), int(asked.minutes * 60 * RATE)
    names = sorted(folder for folder in (data / "librispeech").iterdir() if folder.is_dir())
    cast = Cast({folder.name: sorted(folder.glob("*.flac")) for folder in names}, int(asked.apart * 60 * RATE))
    voices, noises, room = (np.random.default_rng([asked.seed, part]) for part in range(3))
    told: list[Piece] = []
    pieces = ordered(speech(data, samples, cast, voices), sounds(data, samples, noises))
    write_flac(asked.out, blocks(pieces, samples, room, told))
    turns = [piece for piece in told if piece.who is not None]
    rows = [(p.place / RATE, (p.end - p.begin) / RATE, p.who or p.clip.parent.name) for p in told]
    lines = [f"SPEAKER {asked.out.stem} 1 {t:.3f} {d:.3f} <NA> <NA> {who} <NA> <NA>\n"
             for (t, d, who), piece in zip(rows, told, strict=True) if piece.who]  # fmt: skip
    asked.out.with_suffix(".rttm").write_text("".join(lines), encoding="utf-8")
    truth = {
        "seed": asked.seed, "seconds": samples / RATE,
        "turns": _spans(rows, told, "speaker"),
        "events": _spans(rows, told, "class"),
        "words": said(turns) if asked.words else [],
    }  # fmt: skip
    asked.out.with_suffix(".json").write_text(json.dumps(truth), encoding="utf-8")
    talk, voices_heard = sum(p.end - p.begin for p in turns) / RATE, len({piece.who for piece in turns})
    unique = sum({p.clip: len(samples_of(p.clip)) for p in turns}.values()) / RATE
    near = "none again" if cast.nearest is None else f"none again within {cast.nearest / RATE / 60:.1f} min"
    print(f"{asked.out}: {asked.minutes:g} min, {talk / 60:.1f} min of talk in {len(turns)} pieces by {voices_heard} "
          f"voices, clips of {unique / 60:.1f} min, {near}; {len(truth['events'])} sounds")  # fmt: skip


if __name__ == "__main__":
    main()
