"""Calls recorded with a voice a channel: who speaks is read off the channels, not clustered.

Whether they are a call is decided over all that was heard, by how the levels of the two channels differ while somebody
speaks: a call has two modes far apart, a stereo recording one. What leaks into the other channel is quieter there than
in its own, so it is nobody's turn. The words are heard once, from the mix: what is on both channels is never doubled.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from store.record import Span, Turn, union
from tools.media import decoder
from tools.media.audio import RATE, AudioFile, Samples
from tools.speaker.recogniser import SpeakerRecogniser, Voices, labelled

Mode = Literal["auto", "mix", "split"]
MODES: tuple[Mode, ...] = ("auto", "mix", "split")
FRAME_MS = 20
_FRAME = FRAME_MS * RATE // 1000
_SMOOTH = 9  # frames that a level is averaged over: syllables, not sounds
_FLOOR_DB = -80.0
Levels = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Tuning:
    """What scripts/measure_calls.py chose on its tuning readers: decibels, shares and milliseconds."""

    apart_db: float = 8.0
    clear: float = 7.0
    sure_db: float = 25.0
    least_share: float = 0.05
    loud_db: float = 20.0
    quiet_db: float = 35.0
    own_voice: float = 0.75
    both: float = 0.33
    most_both_db: float = 6.0
    fill_ms: int = 200
    least_ms: int = 300


@dataclass(frozen=True, slots=True)
class Sides:
    """How two channels differ while somebody speaks: the mean of each mode in dB (first minus second channel).

    `clear` is their distance in spreads of a mode, `share` the part of the smaller one.
    """

    high: float
    low: float
    clear: float
    share: float

    @property
    def apart_db(self) -> float:
        """Decibels between the modes."""
        return self.high - self.low

    @property
    def middle(self) -> float:
        """The difference at which both are as likely."""
        return (self.high + self.low) / 2


def by_channel(inner: SpeakerRecogniser, file: AudioFile, mode: Mode = "auto") -> SpeakerRecogniser:
    """Give what hears a file's voices: by its channels where it has two and `mode` allows, else `inner`."""
    return ByChannel(inner, file.path, mode) if mode != "mix" and file.channels == 2 else inner


def heard_by(recogniser: SpeakerRecogniser, voices: Voices) -> bool:
    """Say whether kept voices are what a recogniser would hear; by channel they need the levels of both."""
    if isinstance(recogniser, ByChannel):
        return "levels" in voices.arrays and heard_by(recogniser.inner, voices)
    return (voices.recogniser, voices.version) == (recogniser.name, recogniser.version)


class ByChannel:
    """Hears voices as `inner` does, and beside them the levels of both channels; `note` says what came of them."""

    def __init__(self, inner: SpeakerRecogniser, path: Path, mode: Mode, tuning: Tuning | None = None) -> None:
        self.note: str | None = None
        self.name, self.version, self.sha256 = inner.name, f"{inner.version}+{mode}", inner.sha256
        self.inner, self._path, self._mode = inner, path, mode
        self._tuning = tuning or Tuning()
        self._channels: list[Iterator[float]] = []
        self._at = -1

    def hear(self, samples: Samples, start_ms: int) -> Voices:
        """Hear a stretch of the mix, and measure the same stretch of each channel."""
        voices = self.inner.hear(samples, start_ms)
        if start_ms != self._at:
            self._channels = [_levels(decoder.decode(self._path, start_ms, channel=channel)) for channel in (0, 1)]
        wanted = round((start_ms + len(samples) / 16) / FRAME_MS) - round(start_ms / FRAME_MS)
        self._at = start_ms + len(samples) // 16
        levels = np.stack([_taken(channel, wanted) for channel in self._channels])
        return replace(voices, arrays={**voices.arrays, "levels": levels})

    def turns(
        self,
        heard: Sequence[Voices],
        *,
        num_speakers: int | None = None,
        min_speakers: int | None = None,
        max_speakers: int | None = None,
    ) -> list[Turn]:
        """Give a voice a channel where the channels are two people; else what `inner` gives."""
        counts = {"num_speakers": num_speakers, "min_speakers": min_speakers, "max_speakers": max_speakers}
        turns = self.inner.turns(heard, **counts)
        asked = num_speakers in (None, 2) and (min_speakers or 0) <= 2 <= (max_speakers or 2)
        if not turns or not asked or any("levels" not in voices.arrays for voices in heard):
            return turns
        levels = _laid(heard)
        speech = _speech(turns, levels.shape[1])
        sides = compare(levels, speech, self._tuning)
        active = _active(levels, speech, sides, self._tuning)
        split = self._mode == "split" or (_apart(sides, self._tuning) and _alone(active, turns, self._tuning))
        self.note = _note(sides, split)
        return _turns(active, levels, sides, self._tuning) if split else turns


def compare(levels: Levels, speech: NDArray[np.bool_], tuning: Tuning) -> Sides:
    """Compare the levels in dB of two channels (2, frames) in the loud part of speech: two means by 2-means."""
    loudest = levels.max(axis=0)
    loud = speech & (loudest > np.percentile(loudest[speech], 90) - tuning.loud_db) if speech.any() else speech
    found = np.sort((levels[0] - levels[1])[loud])
    if len(found) < 2 or found[0] == found[-1]:
        return Sides(0.0, 0.0, 0.0, 0.0)
    edge = float(found[0] + found[-1]) / 2
    for _ in range(50):
        low, high = found[found <= edge], found[found > edge]
        before, edge = edge, float(low.mean() + high.mean()) / 2
        if abs(before - edge) < 0.01:
            break
    spread = (_spread(low) + _spread(high)) / 2
    share = min(len(low), len(high)) / len(found)
    return Sides(float(high.mean()), float(low.mean()), float(high.mean() - low.mean()) / spread, share)


def _spread(found: Levels) -> float:
    """Give the spread of most of a mode: moments in which both speak lie between the modes and are left out."""
    quarter, most = np.percentile(found, [25, 75])
    return float(most - quarter) / 1.35 + 0.1


def _apart(sides: Sides, tuning: Tuning) -> bool:
    """Say whether the two modes are two people: neither a few moments, and clear of each other or very far apart."""
    clear = sides.apart_db >= tuning.apart_db and sides.clear >= tuning.clear
    return sides.share >= tuning.least_share and (clear or sides.apart_db >= tuning.sure_db)


def _alone(active: NDArray[np.bool_], turns: Sequence[Turn], tuning: Tuning) -> bool:
    """Say whether each channel is mostly one of the voices that were told apart in the mix."""
    labels = {label: number for number, label in enumerate(dict.fromkeys(turn.speaker for turn in turns))}
    voices = np.zeros((len(labels), active.shape[1]), bool)
    for turn in turns:
        voices[labels[turn.speaker], turn.t0 // FRAME_MS : turn.t1 // FRAME_MS] = True
    only = active & ~active.all(axis=0)
    shared = only.astype(np.float32) @ voices.T.astype(np.float32)
    return bool((shared.max(axis=1) >= tuning.own_voice * np.maximum(only.sum(axis=1), 1)).all())


def _active(levels: Levels, speech: NDArray[np.bool_], sides: Sides, tuning: Tuning) -> NDArray[np.bool_]:
    """Say for each channel and frame whether its own voice speaks; both where neither explains the other."""
    beyond = levels[0] - levels[1] - sides.middle
    both = min(tuning.both * sides.apart_db, tuning.most_both_db)
    own = np.stack([speech & (beyond > 0), speech & (beyond < 0)])
    loud = [np.percentile(level[mask], 90) if mask.any() else 0.0 for level, mask in zip(levels, own, strict=True)]
    spoken = levels > np.array(loud)[:, None] - tuning.quiet_db
    raw = np.stack([speech & (beyond > -both), speech & (beyond < both)]) & spoken
    return np.stack([_settled(mask, tuning) for mask in raw])


def _settled(mask: NDArray[np.bool_], tuning: Tuning) -> NDArray[np.bool_]:
    """Drop what is too short to be a turn, then fill short pauses."""
    kept = mask.copy()
    for t0, t1 in _runs(mask):
        kept[t0:t1] = (t1 - t0) * FRAME_MS >= tuning.least_ms
    for t0, t1 in _runs(~kept):
        if t0 > 0 and t1 < len(kept) and (t1 - t0) * FRAME_MS <= tuning.fill_ms:
            kept[t0:t1] = True
    return kept


def _turns(active: NDArray[np.bool_], levels: Levels, sides: Sides, tuning: Tuning) -> list[Turn]:
    distance = np.abs(levels[0] - levels[1] - sides.middle) / max(sides.apart_db, 1.0)
    score = np.clip(0.5 + distance, 0.5, 1.0)
    return labelled(
        [
            (t0 * FRAME_MS, t1 * FRAME_MS, channel, float(score[t0:t1].mean()))
            for channel, mask in enumerate(active)
            for t0, t1 in _runs(mask)
        ]
    )


def _runs(mask: NDArray[np.bool_]) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return [(int(t0), int(t1)) for t0, t1 in zip(edges[::2], edges[1::2], strict=True)]


def _speech(turns: Sequence[Turn], frames: int) -> NDArray[np.bool_]:
    spoken = np.zeros(frames, bool)
    for span in union(Span(turn.t0, turn.t1) for turn in turns):
        spoken[span.t0 // FRAME_MS : -(-span.t1 // FRAME_MS)] = True
    return spoken


def _laid(heard: Sequence[Voices]) -> Levels:
    """Lay the levels of all stretches on one grid of frames, smoothed as energies, in dB."""
    end = max(round(voices.start_ms / FRAME_MS) + voices.arrays["levels"].shape[1] for voices in heard)
    energy = np.full((2, end), 10 ** (_FLOOR_DB / 10), np.float32)
    for voices in heard:
        first = round(voices.start_ms / FRAME_MS)
        levels = voices.arrays["levels"].astype(np.float32)
        energy[:, first : first + levels.shape[1]] = 10 ** (levels / 10)
    window = np.ones(_SMOOTH) / _SMOOTH
    smooth = np.stack([np.convolve(channel, window, mode="same") for channel in energy])
    return np.asarray(10 * np.log10(np.maximum(smooth, 10 ** (_FLOOR_DB / 10))), np.float32)


def _levels(blocks: Iterator[Samples]) -> Iterator[float]:
    """Give the level in dB of each frame, never under the floor."""
    held = np.empty(0, np.float32)
    for block in blocks:
        held = np.concatenate([held, block])
        whole = len(held) // _FRAME
        power = np.square(held[: whole * _FRAME].reshape(whole, _FRAME)).mean(axis=1)
        yield from (10 * np.log10(np.maximum(power, 10 ** (_FLOOR_DB / 10)))).tolist()
        held = held[whole * _FRAME :]


def _taken(levels: Iterator[float], count: int) -> NDArray[np.float16]:
    found = np.full(count, _FLOOR_DB, np.float16)
    for place, level in zip(range(count), levels, strict=False):
        found[place] = level
    return found


def _note(sides: Sides, split: bool) -> str:
    if split:
        return (
            f"two channels, a voice each ({sides.apart_db:.0f} dB apart): who speaks is read off them; "
            "--channels mix hears them as one"
        )
    return (
        f"two channels with the same voices ({sides.apart_db:.0f} dB apart): heard as one; "
        "--channels split takes each for one person"
    )
