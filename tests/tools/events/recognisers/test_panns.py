"""PANNs without their package: which classes they give, which checkpoint is read, and the sound they are given."""

import csv
import hashlib
import importlib.util
import io
import json
import os
from pathlib import Path

import numpy as np
import pytest

from store.errors import MissingPackage, MissingWeights, UsageError
from tools.events import recogniser
from tools.events.hierarchy import labels, officially
from tools.events.recognisers import panns
from tools.events.recognisers.panns import check, doubled

OFFICIAL = "cdd1049833c4b86127c2773ac0d14a2754b6a6d0d1798002ed5c66e699708429"
"""SHA-256 of AudioSet's own class_labels_indices.csv."""


def test_the_527_labels_are_audiosets_own_in_its_order(data: Path) -> None:
    names = officially()
    assert (len(names), names[0], names[500]) == (527, "Speech", "Silence")
    ontology = json.loads((data / "audioset" / "ontology.json").read_text())
    ids = {node["name"]: node["id"] for node in ontology}
    rows = "".join(f'{place},{ids[name]},"{name}"\n' for place, name in enumerate(names))
    assert hashlib.sha256(f"index,mid,display_name\n{rows}".encode()).hexdigest() == OFFICIAL


def test_every_label_of_the_default_is_one_of_them() -> None:
    assert {label.name for label in labels().values() if label.place is not None} < set(officially())


@pytest.mark.parametrize("name", [None, "x" * 5_000])
def test_a_missing_checkpoint_is_one_line(name: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OVERHEARD_MODELS", str(tmp_path))
    with pytest.raises(MissingWeights, match="no checkpoint of PANNs .*--tagger-model FILE; --tagger yamnet") as told:
        recogniser.load("panns", checkpoint=name)
    assert "\n" not in str(told.value)


def test_a_checkpoint_nobody_vouches_for_is_read_on_the_users_word_alone(tmp_path: Path) -> None:
    path = tmp_path / "mine's $(touch x).pth"
    path.write_bytes(b"pickle")
    with pytest.raises(UsageError, match="nobody vouches .*--trust-model"):
        check(path, trust_model=False)
    assert check(path, trust_model=True) == hashlib.sha256(b"pickle").hexdigest()


@pytest.mark.skipif(importlib.util.find_spec("panns_inference") is not None, reason="panns-inference is installed")
def test_without_the_extra_one_line_says_what_to_install(tmp_path: Path) -> None:
    path = tmp_path / "mine.pth"
    path.write_bytes(b"pickle")
    with pytest.raises(MissingPackage, match="panns-inference cannot be imported .*use --tagger yamnet"):
        recogniser.load("panns", checkpoint=path, trust_model=True)


def test_the_package_finds_its_labels_and_fetches_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    with panns._labelled_home():
        text = (Path.home() / "panns_data" / "class_labels_indices.csv").read_text(encoding="utf-8")
        assert [row[2] for row in csv.reader(io.StringIO(text))][1:] == list(officially())
    assert os.environ["HOME"] == str(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("hertz", [100, 1000, 3000, 6000])
def test_the_doubled_rate_holds_the_same_tone(hertz: int) -> None:
    seconds = np.arange(4_000) / 16_000
    made = doubled(np.sin(2 * np.pi * hertz * seconds).astype(np.float32))
    wanted = np.sin(2 * np.pi * hertz * np.arange(8_000) / 32_000)
    assert made.size == 8_000
    assert np.abs(made - wanted)[200:-200].max() < 1e-3


def test_no_sound_is_doubled_to_none() -> None:
    assert doubled(np.zeros(0, np.float32)).size == 0
