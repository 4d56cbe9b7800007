"""What others call an emotion is found under our word for it."""

from store.record import Emotion
from tools.imports.emotions import known


def test_synonyms_become_our_labels_and_the_unknown_is_told() -> None:
    rows = [Emotion(0, 1, "Angry", 1.0, None, {"angry": 0.9, "happy": 0.1}), Emotion(1, 2, "zany", 0.5)]
    assert known(rows) == (
        [Emotion(0, 1, "anger", 1.0, None, {"anger": 0.9, "happiness": 0.1}), Emotion(1, 2, "other", 0.5)],
        ["zany"],
    )


def test_our_own_labels_stay() -> None:
    rows = [Emotion(0, 1, label, 1.0) for label in ("neutral", "other", "no clear emotion")]
    assert known(rows) == (rows, [])
