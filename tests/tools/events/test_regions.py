"""Speech, music and silence are regions that may overlap; a gap of a window is bridged, a window alone is none."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from store.record import Span
from tools.audio import decode
from tools.events.recognisers.yamnet import YamNet
from tools.events.regions import Region, regions, share

LABELS = ("Speech", "Conversation", "Music", "Violin, fiddle", "Silence", "Siren")


def heard(**at: list[int]) -> NDArray[np.float32]:
    table = np.zeros((12, len(LABELS)), np.float32)
    for name, places in at.items():
        table[places, [label.split(",")[0] for label in LABELS].index(name)] = 0.8
    return table


def test_kinds_overlap_and_labels_below_count() -> None:
    table = heard(Conversation=[1, 2, 3], Violin=[2, 3, 4])
    assert regions(table, LABELS, 100, 1_000, 2_200) == [
        Region("speech", Span(1_100, 1_400)),
        Region("music", Span(1_200, 1_500)),
    ]


def test_a_gap_is_bridged_and_one_window_is_no_region() -> None:
    table = heard(Speech=[0, 1, 3, 4, 7], Silence=[9, 10, 11], Siren=[1, 2, 3])
    assert regions(table, LABELS, 100, 0, 1_150) == [
        Region("speech", Span(0, 500)),
        Region("silence", Span(900, 1_150)),
    ]


def test_the_share_of_a_span() -> None:
    found = [Region("music", Span(0, 500)), Region("speech", Span(0, 1_000)), Region("music", Span(900, 2_000))]
    assert share(Span(400, 1_000), found, "music") == 200 / 600
    assert share(Span(5, 5), found, "music") == 0


def test_a_reader_is_speech_and_nothing_is_silence(weights: Callable[[str], Path], data: Path) -> None:
    weights("yamnet")
    ear = YamNet()
    reader = next(path for path in sorted((data / "librispeech").rglob("*.flac")))
    samples = np.concatenate([np.concatenate(list(decode(reader))), np.zeros(160_000, np.float32)])
    spoken, end = Span(0, (samples.size - 160_000) // 16), samples.size // 16
    found = ear.regions(samples, 0)
    assert share(spoken, found, "speech") > 0.9
    assert share(Span(spoken.t1 + 1_000, end), found, "silence") > 0.9
    assert not [region for region in found if region.kind == "music"]
