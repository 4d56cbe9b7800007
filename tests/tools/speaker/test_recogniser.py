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


def test_a_pickle_in_the_ledger_is_refused() -> None:
    out = io.BytesIO()
    np.savez(out, _head=np.array([0, 1]), _name=np.array(["onnx", "1"]), evil=np.array([{"a": 1}], dtype=object))
    with pytest.raises(ValueError, match="allow_pickle"):
        Voices.from_bytes(out.getvalue())


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
