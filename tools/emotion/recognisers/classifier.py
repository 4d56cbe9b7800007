"""Emotions by a classifier of speech that somebody brings: a folder or a hub's repository with its labels in id2label.

Its classes are mapped to our emotion words, and those that mean one word are summed; what has no counterpart keeps its
own label. Nobody measured its precision here, so a class is named from half of the probability on, and its health is
not known. It hears each turn's own sound.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from store.errors import DataError
from store.record import Emotion, Turn
from tools.emotion.labels import UNCLEAR, counterpart
from tools.emotion.prosody import RATE, with_prosody
from tools.emotion.recogniser import NAMED_MS, covered, parts
from tools.provision.brought import KINDS, Brought, find

NAMED = 0.5
_COVERED = 0.5
_WAY = 1  # of turning classes into rows
Samples = NDArray[np.float32]
Logits = Callable[[Samples], NDArray[np.float32]]
"""From mono 16 kHz samples of one voice to one number for each class."""


class Classifier:
    """Emotions of turns by a network whose classes bear `given` names, in its order."""

    shares = False
    health = None

    def __init__(self, brought: Brought, runtime: str, given: Sequence[str], logits: Logits) -> None:
        self.name, self.version, self.sha256 = brought.name, f"{runtime}+{_WAY}", brought.sha256
        self._meant = [counterpart(label) for label in given]
        self.labels = tuple(dict.fromkeys(self._meant))
        self._logits = logits

    def emotions(
        self,
        states: NDArray[np.float32] | None,
        t0: int,
        state_ms: int,
        turns: Sequence[Turn],
        samples: Samples | None = None,
    ) -> list[Emotion]:
        """Give the emotions of turns within samples (mono, 16 kHz) from t0 ms on; DataError without samples."""
        if samples is None:
            raise DataError(f"{self.name} hears the sound, and was given none")
        end = t0 + samples.size * 1000 // RATE
        return [self._row(part, turns, samples, t0) for turn in turns for part in parts(turn, t0, end)]

    def _row(self, part: Turn, turns: Sequence[Turn], samples: Samples, t0: int) -> Emotion:
        heard = np.nan_to_num(samples[(part.t0 - t0) * RATE // 1000 : (part.t1 - t0) * RATE // 1000])
        scores = self.scores(heard)
        best = max(scores, key=lambda label: scores[label])
        heard_well = part.t1 - part.t0 >= NAMED_MS and covered(part, turns) < _COVERED
        label = best if heard_well and scores[best] >= NAMED else UNCLEAR
        row = Emotion(part.t0, part.t1, label, scores[best], part.speaker, scores)
        return with_prosody(row, samples, t0) if heard_well else row

    def scores(self, samples: Samples) -> dict[str, float]:
        """Give the probability of each label in mono 16 kHz samples: softmax over the classes, summed by meaning."""
        logits = np.asarray(self._logits(samples), np.float64).ravel()
        if len(logits) != len(self._meant) or not np.isfinite(logits).all():
            raise DataError(f"{self.name} gave {len(logits)} numbers for {len(self._meant)} labels, or no numbers")
        likely = np.exp(logits - logits.max())
        summed: defaultdict[str, float] = defaultdict(float)
        for label, share in zip(self._meant, (likely / likely.sum()).tolist(), strict=True):
            summed[label] += share
        return {label: round(share, 4) for label, share in summed.items()}


def load(name: str, *, trust_model: bool = False) -> Classifier:
    """Load a classifier from a folder or a pulled repository: model.onnx on onnxruntime, else with transformers.

    Raises what `brought.find` does, DataError when it is no classifier of 16 kHz speech, MissingPackage.
    """
    brought = find(name, KINDS["emotion"], trusted=trust_model)
    given = classes(brought)
    if brought.weights.endswith(".onnx"):
        from tools.emotion.recognisers.onnx import network, runtime
    else:
        from tools.emotion.recognisers.transformers import network, runtime

    return Classifier(brought, runtime(), given, network(brought))


def classes(brought: Brought) -> list[str]:
    """Give a model's labels in the order of its output; DataError when it has none or does not hear 16 kHz."""
    config, sound = _json(brought, "config.json"), preprocessing(brought)
    named = config.get("id2label")
    if config.get("problem_type") == "regression" or not isinstance(named, dict) or len(named) < 2:
        raise DataError(f"{brought.folder} is no classifier: its config.json has no id2label with two labels or more")
    if (rate := sound.get("sampling_rate", RATE)) != RATE:
        raise DataError(f"{brought.folder} hears sound of {rate} Hz; only models of {RATE} Hz are heard with")
    try:
        return [str(named[str(place)]) for place in range(len(named))]
    except KeyError as error:
        raise DataError(f"{brought.folder}: id2label in config.json lacks the class {error.args[0]}") from error


def preprocessing(brought: Brought) -> dict[str, Any]:
    """Give what a model says of the sound it hears; DataError."""
    return _json(brought, "preprocessor_config.json")


def _json(brought: Brought, file: str) -> dict[str, Any]:
    try:
        found = json.loads((brought.folder / file).read_text(encoding="utf-8"))
    except ValueError as error:
        raise DataError(f"{brought.folder / file} is no JSON ({error})") from error
    if not isinstance(found, dict):
        raise DataError(f"{brought.folder / file} is no JSON object")
    return found
