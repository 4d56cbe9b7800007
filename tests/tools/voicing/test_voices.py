"""Labels go on from one clustering to the next, so that a name given early survives."""

from store.record import Turn
from tools.voicing.voices import clip, keep_labels


def turns(text: str) -> list[Turn]:
    """Read `A0-5 B5-9` as turns of milliseconds."""
    return [Turn(int(part[1:].split("-")[0]), int(part.split("-")[1]), f"SPEAKER_{part[0]}") for part in text.split()]


def labels(found: list[Turn]) -> list[str]:
    return [turn.speaker.removeprefix("SPEAKER_") for turn in found]


def test_a_voice_keeps_the_label_it_shares_most_time_with() -> None:
    assert labels(keep_labels(turns("A0-50 B50-90 A90-95"), turns("B0-50 A50-88"))) == ["B", "A", "B"]


def test_a_new_voice_never_takes_a_published_label() -> None:
    found = keep_labels(turns("A0-50 B50-90 C90-99"), turns("C0-50 A50-90"))
    assert labels(found)[:2] == ["C", "A"]
    assert found[2].speaker not in {"SPEAKER_C", "SPEAKER_A"}


def test_two_voices_that_were_one_stay_two() -> None:
    found = keep_labels(turns("A0-60 B60-90"), turns("A0-90"))
    assert labels(found) == ["A", "B"]


def test_nothing_published_changes_nothing() -> None:
    assert keep_labels(turns("B0-5 A5-9"), []) == turns("B0-5 A5-9")


def test_clip_keeps_the_inner_parts() -> None:
    assert clip(turns("A0-50 B50-90 C95-99"), 40, 95) == turns("A40-50 B50-90")
