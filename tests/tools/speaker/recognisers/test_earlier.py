"""What earlier versions kept is read as passages: a unit of a window is one, and counts its share of the windows."""

import numpy as np
import pytest

from tools.speaker.recogniser import Voices
from tools.speaker.recognisers.earlier import as_passages
from tools.speaker.recognisers.networks import FRAMES


@pytest.mark.parametrize("columns", [3, 4])
def test_pieces_of_a_unit_are_one_passage(columns: int) -> None:
    owners = np.array([[0, 0, 0, 0], [0, 1, 0, 0], [0, 2, 1, 1], [1, 0, 0, 0]], np.int32)[:, :columns]
    own = np.full((2, FRAMES, 3), -1, np.int8)
    own[0, :100, 0], own[0, 100:200, 0], own[0, 300:400, 1], own[1, :50, 0] = 0, 1, 2, 0
    vectors = np.eye(4, 192, dtype=np.float16)
    arrays = {
        "first": np.array([0, 74]),
        "activity": np.zeros((2, FRAMES, 3), np.uint8),
        "own": own,
        "owners": owners,
        "vectors": vectors,
        "seconds": np.array([1, 1, 2, 3], np.float32),
    }
    made = as_passages(Voices("onnx", "4", 0, 11_250, arrays)).arrays
    units = [[0, 1], [2], [3]] if columns == 4 else [[0], [1], [2], [3]]
    assert made["seconds"].tolist() == [arrays["seconds"][unit].sum() for unit in units]
    for passage, unit in enumerate(units):
        assert made["vectors"][passage].astype(bool).nonzero()[0].tolist() == unit
    assert made["own"][0, 50, 0] == 0
    assert made["own"][0, 150, 0] == (0 if columns == 4 else 1)
    assert made["own"][1, 10, 0] == len(units) - 1
    assert (made["own"] < 0).sum() == (own < 0).sum()
    assert np.allclose(made["share"], 1 / (1 + (FRAMES - 74) / FRAMES))


def test_what_the_present_version_kept_stays_as_it_is() -> None:
    kept = Voices("onnx", "5", 0, 0, {"first": np.empty(0, np.int64)})
    assert as_passages(kept) is kept
