"""Classifiers of speech by transformers: tiny wav2vec2 and WavLM, through the code that loads real ones."""

import json
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from store import rows, streams
from store.database import Database
from store.errors import DataError, UsageError
from store.record import Turn
from tests.audio import networks
from tests.tools import tones
from tools.emotion import recogniser
from tools.emotion.arousal import Prosody
from tools.emotion.labels import UNCLEAR
from tools.listening.ingest import ingest
from tools.listening.listener import Listener
from tools.media.audio import read
from tools.transcript.elsewhere import Elsewhere

LABELS = ("neutral", "happiness", "anger", "sadness")
CLIP = Path(__file__).resolve().parents[1] / "data/speaker/two_voices.flac"


@pytest.mark.parametrize("kind", ["Wav2Vec2", "WavLM"])
def test_its_probabilities_are_the_librarys_own(kind: str, tmp_path: Path) -> None:
    import torch
    import transformers

    folder = networks.classifier(tmp_path / kind, kind)
    made = recogniser.load(str(folder), None)
    assert (made.labels, made.shares, made.health) == (LABELS, False, None)
    sound = read(CLIP, 0, 4_000)
    (row,) = made.emotions(None, 0, 0, [Turn(0, 4_000, "A")], sound)
    network = getattr(transformers, f"{kind}ForSequenceClassification").from_pretrained(str(folder)).eval()
    with torch.no_grad():
        theirs = network(torch.from_numpy((sound - sound.mean()) / sound.std())[None]).logits.softmax(-1)[0].tolist()
    for label, share in zip(LABELS, theirs, strict=True):
        assert row.scores[label] == pytest.approx(share, abs=1e-3)
    assert row.label in (UNCLEAR, max(LABELS, key=lambda label: row.scores[label]))
    assert set(row.scores) == {*LABELS, *(field.name for field in fields(Prosody))}


def test_other_sound_gives_other_probabilities(tmp_path: Path) -> None:
    made = recogniser.load(str(networks.classifier(tmp_path / "mine", "Wav2Vec2")), None)
    turns = [Turn(0, 4_000, "A"), Turn(5_000, 9_000, "B")]
    one, two = made.emotions(None, 0, 0, turns, read(CLIP, 0, 10_000))
    assert max(abs(one.scores[label] - two.scores[label]) for label in LABELS) > 0.001


def test_pickled_weights_need_the_users_word_and_give_the_same(tmp_path: Path) -> None:
    folder = networks.classifier(tmp_path / "pickled", "Wav2Vec2", pickled=True)
    assert (folder / "pytorch_model.bin").is_file()
    with pytest.raises(UsageError, match="add --trust-model if you know its source, or bring it as model.safetensors"):
        recogniser.load(str(folder), None)
    sound, turns = read(CLIP, 0, 4_000), [Turn(0, 4_000, "A")]
    pickled = recogniser.load(str(folder), None, trust_model=True).emotions(None, 0, 0, turns, sound)
    safe = recogniser.load(str(networks.classifier(tmp_path / "safe", "Wav2Vec2")), None)
    assert pickled == safe.emotions(None, 0, 0, turns, sound)


def test_a_network_of_another_kind_is_one_line_and_runs_no_code(tmp_path: Path) -> None:
    folder = networks.classifier(tmp_path / "mine", "Wav2Vec2")
    config = json.loads((folder / "config.json").read_text())
    canary = tmp_path / "canary"
    (folder / "evil.py").write_text(f"open({str(canary)!r}, 'w')\n")
    config |= {"model_type": "evil", "auto_map": {"AutoConfig": "evil.C", "AutoModelForAudioClassification": "evil.M"}}
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(DataError, match="cannot be loaded as a classifier of sound") as told:
        recogniser.load(str(folder), None)
    assert "\n" not in str(told.value)
    assert not canary.exists()


def test_a_recording_has_its_emotions(tmp_path: Path) -> None:
    made = recogniser.load(str(networks.classifier(tmp_path / "mine", "WavLM")), None)
    from tools.speaker.recogniser import recogniser as speaker

    listener = Listener(speaker("onnx", threads=1), Elsewhere(), made, tones.ToneEvents())
    database = Database.open(tmp_path / "lib")
    recording = ingest(database, CLIP, listener).recording
    with database.reader() as connection:
        active = streams.active(connection, recording.id)
        turns, found = rows.turns(connection, active["speaker"]), rows.emotions(connection, active["emotion"])
    assert len(found) == sum(turn.t1 - turn.t0 >= 800 for turn in turns) > 0
    assert {row.label for row in found} <= {*LABELS, UNCLEAR}
    assert np.isfinite([row.score for row in found]).all()
