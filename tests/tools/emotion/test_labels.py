"""The words people use for emotions lead to the ten labels, each to one."""

import pytest

from tools.emotion.labels import LABELS, UNCLEAR, counterpart, resolve, synonyms


@pytest.mark.parametrize(
    ("word", "label"),
    [
        ("angry", "anger"), ("Mad", "anger"), ("furious", "anger"), ("ANGER", "anger"), ("annoyed", "anger"),
        ("happy", "happiness"), ("joyful", "happiness"), ("glad", "happiness"),
        ("sad", "sadness"), ("upset", "sadness"), ("calm", "neutral"), ("neutral", "neutral"),
        ("scared", "fear"), ("nervous", "fear"), ("disgusted", "disgust"), ("grossed out", "disgust"),
        ("bored", "boredom"), ("surprised", "surprise"), ("scornful", "contempt"), ("confused", "other"),
        ("no clear  emotion", UNCLEAR), ("unclear", UNCLEAR), ("laughing", None), ("Dog", None), ("", None),
    ],
)  # fmt: skip
def test_a_word_stands_for_a_label(word: str, label: str | None) -> None:
    assert resolve(word) == label


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("neu", "neutral"), ("hap", "happiness"), ("Angry", "anger"), ("SAD", "sadness"), ("female_fear", "fear"),
        ("ang/angry", "anger"), ("生气/angry", "anger"), ("excited", "happiness"), ("calm", "neutral"),
        ("LABEL_3", "LABEL_3"), ("happy or sad", "happy or sad"), ("<unk>", "<unk>"), ("other", "other"), ("", ""),
    ],
)  # fmt: skip
def test_a_models_label_is_ours_or_keeps_its_own(given: str, meant: str) -> None:
    assert counterpart(given) == meant


def test_no_word_stands_for_two_labels() -> None:
    words = [word for label in LABELS for word in synonyms(label)]
    assert len(words) == len(set(words))
    assert all(resolve(word) == label for label in LABELS for word in synonyms(label))


def test_unclear_is_no_emotion() -> None:
    assert len(LABELS) == 10
    assert UNCLEAR not in LABELS
