"""What a recogniser remembers survives bytes, and names are given by first appearance."""

import io
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from store.errors import UsageError
from store.record import Turn
from tools.speaker.recogniser import BACKENDS, Voices, labelled, recogniser


def test_voices_come_back_from_bytes() -> None:
    vectors = np.random.default_rng(1).normal(size=(3, 192)).astype(np.float16)
    arrays: dict[str, NDArray[Any]] = {"vectors": vectors, "none": np.empty((0, 2), np.int32)}
    back = Voices.from_bytes(Voices("onnx", "1", 600_000, 630_000, arrays).to_bytes())
    assert (back.recogniser, back.version, back.start_ms, back.duration_ms) == ("onnx", "1", 600_000, 630_000)
    assert {name: (kept.dtype, kept.shape) for name, kept in back.arrays.items()} == {
        name: (kept.dtype, kept.shape) for name, kept in arrays.items()
    }
    assert np.array_equal(back.arrays["vectors"], arrays["vectors"])


def test_packed_voices_are_the_same_and_take_what_they_take_in_the_ledger() -> None:
    silence: dict[str, NDArray[Any]] = {"activity": np.zeros((500, 589, 3), np.uint8), "first": np.arange(500)}
    voices = Voices("onnx", "1", 0, 600_000, silence)
    packed = voices.packed()
    assert list(packed.arrays) == ["activity", "first"]
    assert packed.to_bytes() == voices.to_bytes()
    assert len(packed.to_bytes()) < silence["activity"].nbytes / 20
    assert all(np.array_equal(packed.arrays[name], silence[name]) for name in silence)
    assert packed.packed().to_bytes() == packed.to_bytes()


def test_a_pickle_in_the_ledger_is_refused() -> None:
    out = io.BytesIO()
    np.savez(out, _head=np.array([0, 1]), _name=np.array(["onnx", "1"]), evil=np.array([{"a": 1}], dtype=object))
    kept = Voices.from_bytes(out.getvalue())
    with pytest.raises(ValueError, match="allow_pickle"):
        kept.arrays["evil"]


def test_voices_are_named_as_they_appear() -> None:
    assert labelled([(5000, 6000, 2, 0.9), (0, 1000, 7, 0.51239), (900, 1500, 2, 1.0)]) == [
        Turn(0, 1000, "SPEAKER_00", 0.512),
        Turn(900, 1500, "SPEAKER_01", 1.0),
        Turn(5000, 6000, "SPEAKER_01", 0.9),
    ]


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match="onnx, pyannote"):
        recogniser("telepathy")


@pytest.mark.parametrize("name", BACKENDS)
def test_every_registered_name_gives_its_recogniser(name: str) -> None:
    loaded = {"pyannote": {"pipeline": lambda samples: None}}  # else it looks for one
    assert recogniser(name, **loaded.get(name, {})).name == name
