"""Labels that one version has and the other has not, and the time in which both say the same."""

from collections import Counter

from store.record import Emotion, Event
from tools.comparison.labels import compare

BEFORE = [Event(0, 1_000, "Dog", 0.9), Event(5_000, 6_000, "Dog", 0.8), Event(2_000, 4_000, "Siren", 0.7)]
AFTER = [Event(500, 1_500, "Dog", 0.6), Event(2_000, 4_000, "Alarm", 0.7), Event(6_000, 7_000, "Dog", 0.5)]


def test_what_no_row_of_its_label_overlaps_is_lost_or_gained() -> None:
    found = compare(BEFORE, AFTER)
    assert (found.before, found.after) == (Counter(Dog=2, Siren=1), Counter(Dog=2, Alarm=1))
    assert found.lost == (BEFORE[1], BEFORE[2])  # a dog that ends as another begins is another
    assert found.gained == (AFTER[1], AFTER[2])
    assert (found.agreed_ms, found.either_ms) == (500, 3_500 + 2_000 + 2_000)


def test_the_same_rows_agree_wholly_and_none_agree_in_nothing() -> None:
    same = compare(BEFORE, BEFORE)
    assert (same.agreement, same.lost, same.gained) == (1, (), ())
    assert compare([], []).agreement is None


def test_emotions_are_labels_of_turns() -> None:
    one, two = Emotion(0, 2_000, "anger", 0.9, "A"), Emotion(0, 2_000, "sadness", 0.9, "A")
    found = compare([one], [two])
    assert (found.lost, found.gained, found.agreement) == ((one,), (two,), 0)
