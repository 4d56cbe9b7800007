"""What people call sounds is found among the labels: a table of phrases, and every name means itself."""

from pathlib import Path

import pytest

from tools.events.hierarchy import ancestors, descendants, family, labels
from tools.events.labels import emits, resolve, wider

PHRASES = Path(__file__).parents[2] / "data" / "events" / "phrases.tsv"
ROWS = [line.split("\t") for line in PHRASES.read_text(encoding="utf-8").splitlines()[1:]]


def each(cell: str) -> set[str]:
    return {label for label in cell.split("; ") if label}


@pytest.mark.parametrize(("phrase", "meant", "other"), ROWS, ids=[row[0] for row in ROWS])
def test_a_phrase_means_its_labels_and_not_others(phrase: str, meant: str, other: str) -> None:
    found = resolve(phrase)
    assert each(meant) <= found
    assert not each(other) & found
    assert bool(found) == bool(meant)


def test_every_label_means_itself_in_any_case() -> None:
    fillers = {"Noise", "Background noise", "Human sounds"}
    assert [name for name in labels() if name not in fillers and name not in resolve(name.upper())] == []


def test_the_hierarchy_has_no_cycle_and_both_directions_agree() -> None:
    for name in labels():
        assert name not in ancestors(name)
        assert all(name in ancestors(below) for below in descendants(name))
        assert family(name) in labels()


def test_yamnet_has_521_labels_in_order_and_speech_is_no_event() -> None:
    assert sorted(label.place for label in labels().values() if label.place is not None) == list(range(521))
    assert {"Laughter", "Shout", "Crying, sobbing", "Siren"} <= emits()
    assert not {"Speech", "Conversation", "Silence", "Inside, small room", "White noise"} & emits()


def test_wider_tries_parents_and_kin_but_not_what_was_asked() -> None:
    tried = wider(resolve("ambulance"))
    assert "Alarm" in tried
    assert not resolve("ambulance") & tried
    assert "Applause" not in tried


def test_an_unknown_label_has_no_relatives() -> None:
    assert (ancestors("Bagel"), descendants("Bagel"), family("Bagel")) == (frozenset(), frozenset(), "Bagel")
