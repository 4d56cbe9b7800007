"""The default recogniser on audio: made voices always, real ones where the data is."""

import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from store.record import Turn
from tools.media.audio import decode, read
from tools.speaker.recogniser import Voices
from tools.speaker.recognisers.networks import FRAMES, Networks, mel_energies
from tools.speaker.recognisers.onnx import Onnx
from tools.speaker.recognisers.vectors import Sound

SAMPLE = Path(__file__).resolve().parents[3] / "data/speaker/two_voices.flac"
EARLIER = SAMPLE.parent / "heard_by_version_4.npz"
Array = NDArray[np.float32]


@pytest.fixture(scope="module")
def onnx() -> Onnx:
    return Onnx()


@pytest.fixture(scope="module")
def sample(onnx: Onnx) -> Voices:
    return onnx.hear(read(SAMPLE, 0, 10_000), 0)


def voices_of(turns: list[Turn]) -> int:
    return len({turn.speaker for turn in turns})


def test_two_made_voices_are_two(onnx: Onnx, sample: Voices) -> None:
    turns = onnx.turns([sample])
    assert voices_of(turns) == 2
    assert turns[0].speaker == "SPEAKER_00"
    first = [turn for turn in turns if turn.speaker == "SPEAKER_00"]
    assert all(abs(turn.t1 - 5_000) < 300 or turn.t1 < 5_000 for turn in first)
    assert all(0 <= turn.t0 < turn.t1 <= 10_000 and 0.5 < (turn.score or 0) <= 1 for turn in turns)


def test_hearing_again_gives_the_same_bytes(onnx: Onnx, sample: Voices) -> None:
    assert onnx.hear(read(SAMPLE, 0, 10_000), 0).to_bytes() == sample.to_bytes()


def test_vectors_are_kept_in_steps_that_pack_and_change_nothing(sample: Voices) -> None:
    vectors = sample.arrays["vectors"]
    lengths = np.linalg.norm(vectors.astype(np.float32), axis=1)
    assert np.abs(lengths - 1).max() < 5e-3
    assert len(zlib.compress(vectors.tobytes())) < 0.6 * vectors.nbytes


def test_turns_are_the_same_from_the_ledger(onnx: Onnx, sample: Voices) -> None:
    assert onnx.turns([Voices.from_bytes(sample.to_bytes())]) == onnx.turns([sample])


def test_who_speaks_only_under_another_voice_is_heard(onnx: Onnx) -> None:
    activity = np.zeros((1, FRAMES, 3), np.uint8)
    activity[0, 30:280, 0] = activity[0, 100:160, 1] = 255
    sound = Sound(Networks(), mel_energies(read(SAMPLE, 0, 10_000)), onnx.tuning.parting)
    own, vectors, seconds = onnx._passages(np.zeros(1, np.int64), activity, sound)
    assert seconds[-1] == 0
    assert len(vectors) == len(seconds)
    assert set(own[0, 100:160, 1].tolist()) == {len(vectors) - 1}
    assert len(vectors) - 1 not in own[0, :, 0]


@pytest.mark.parametrize("wanted", [1, 2, 3, 5])
def test_the_number_of_voices_that_is_told_holds(onnx: Onnx, sample: Voices, wanted: int) -> None:
    assert voices_of(onnx.turns([sample], num_speakers=wanted)) == wanted
    assert voices_of(onnx.turns([sample], min_speakers=wanted)) == max(2, wanted)
    assert voices_of(onnx.turns([sample], max_speakers=wanted)) == min(2, wanted)


def test_it_holds_over_stretches_too(onnx: Onnx, sample: Voices) -> None:
    later = onnx.hear(read(SAMPLE, 0, 10_000), 10_000)
    for wanted in (1, 2, 4, 6):
        assert voices_of(onnx.turns([sample, later], num_speakers=wanted)) == wanted


def test_what_was_gathered_of_a_stretch_changes_no_turn(onnx: Onnx, sample: Voices) -> None:
    later = onnx.hear(read(SAMPLE, 0, 10_000), 10_000)
    onnx.turns([sample], num_speakers=1)
    assert onnx.turns([sample, later]) == Onnx().turns([sample, later])


@pytest.mark.parametrize("version", ["1", "4"])
def test_what_an_earlier_version_heard_before_an_interruption_goes_on(onnx: Onnx, version: str) -> None:
    """The stretch that version 4 kept of the sample; version 1 had no pieces of units."""
    before = Voices.from_bytes(EARLIER.read_bytes())
    owners = before.arrays["owners"][:, : 3 if version == "1" else 4]
    before = Voices("onnx", version, 0, before.duration_ms, {**before.arrays, "owners": owners})
    assert voices_of(onnx.turns([before])) == 2
    later = onnx.hear(read(SAMPLE, 0, 10_000), 10_000)
    assert voices_of(onnx.turns([before, later])) == 2
    assert voices_of(onnx.turns([before, later], num_speakers=12)) == 12


@pytest.mark.parametrize("seconds", [0.0, 0.01, 0.3, 3.0])
def test_short_and_silent_audio_has_no_turns(onnx: Onnx, seconds: float) -> None:
    heard = onnx.hear(np.zeros(int(seconds * 16_000), np.float32), 0)
    assert onnx.turns([heard]) == []


def test_nothing_heard_has_no_turns(onnx: Onnx) -> None:
    assert onnx.turns([]) == []


def test_a_stretch_lies_where_it_starts(onnx: Onnx, sample: Voices) -> None:
    moved = onnx.turns([onnx.hear(read(SAMPLE, 0, 10_000), 3_600_000)])
    here = onnx.turns([sample])
    assert [turn.speaker for turn in moved] == [turn.speaker for turn in here]
    assert all(abs(a.t0 + 3_600_000 - b.t0) <= 9 for a, b in zip(here, moved, strict=True))


def test_stretches_share_voices_and_seams_do_not_cut(onnx: Onnx) -> None:
    samples = np.tile(read(SAMPLE, 0, 10_000), 2)
    whole = onnx.turns([onnx.hear(samples, 0)])
    pieces = onnx.turns([onnx.hear(samples[: 13 * 16_000], 0), onnx.hear(samples[7 * 16_000 :], 7_000)])
    assert voices_of(whole) == voices_of(pieces) == 2
    assert abs(len(whole) - len(pieces)) <= 1
    assert max(turn.t1 for turn in pieces) == max(turn.t1 for turn in whole)


def test_importing_it_loads_no_network() -> None:
    assert "torch" not in sys.modules


@pytest.mark.parametrize("readers", [("1034", "1040"), ("1069", "1081", "1088", "1098", "1116")])
def test_real_readers_are_counted(onnx: Onnx, data: Path, readers: tuple[str, ...]) -> None:
    speech = {who: np.concatenate(list(decode(next((data / "librispeech" / who).glob("*.flac"))))) for who in readers}
    thirds = [(who, part) for part in range(3) for who in readers]
    samples = np.concatenate([np.array_split(speech[who], 3)[part] for who, part in thirds])
    turns = onnx.turns([onnx.hear(samples, 0)])
    assert voices_of(turns) == len(readers)
