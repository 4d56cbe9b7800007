"""Ids begin anew in each chunk; who is who is found by sound, by shared words, by name; what does not fit is told."""

from collections.abc import Mapping

import pytest

from store.record import Turn
from tools.transcript.interview.grouping import Who
from tools.transcript.interview.table import Said
from tools.transcript.interview.voices import relabelled, roster

MINUTE = 60_000


def rows(*spoken: tuple[int, str, int], ms: int = 30_000) -> list[Said]:
    """Rows of half a minute: (chunk, id, minute)."""
    return [Said(minute * MINUTE, minute * MINUTE + ms, voice, "oui", chunk) for chunk, voice, minute in spoken]


TALK = rows((0, "1", 0), (0, "2", 1), (1, "1", 10), (1, "2", 11), (2, "1", 20), (2, "2", 21))
SWAPPED: Mapping[tuple[Who, Who], int] = {((0, "1"), (1, "2")): 9, ((0, "2"), (1, "1")): 7, ((0, "1"), (1, "1")): 1}


def voices(found: list[Said]) -> str:
    return " ".join(row.voice for row in found)


def test_shared_words_join_ids_and_the_last_pair_is_left() -> None:
    same = {**SWAPPED, ((1, "2"), (2, "1")): 5}
    found = roster(TALK, {}, same)
    assert voices(relabelled(TALK, found)) == "Speaker_1 Speaker_2 Speaker_2 Speaker_1 Speaker_1 Speaker_2"
    assert (dict(found.names), list(found.swaps)) == ({}, [])


def test_names_join_what_no_word_does_and_are_offered() -> None:
    names = {(0, "1"): "Anne", (0, "2"): "Luc", (1, "1"): "luc", (1, "2"): "Anne", (2, "1"): "Anne", (2, "2"): "Luc"}
    found = roster(TALK, names, {})
    assert voices(relabelled(TALK, found)) == "Speaker_1 Speaker_2 Speaker_2 Speaker_1 Speaker_1 Speaker_2"
    assert dict(found.names) == {"Speaker_1": "Anne", "Speaker_2": "Luc"}


def test_words_overrule_names_and_the_swap_is_told() -> None:
    names = {(0, "1"): "Anne", (0, "2"): "Luc", (1, "1"): "Anne", (1, "2"): "Luc"}
    found = roster(TALK[:4], names, SWAPPED)
    assert voices(relabelled(TALK[:4], found)) == "Speaker_1 Speaker_2 Speaker_2 Speaker_1"
    assert any("the voice named Anne is named Luc" in swap.text for swap in found.swaps)


def test_turns_by_sound_overrule_all() -> None:
    turns = [Turn(row.t0, row.t1, f"SPEAKER_0{n % 2}") for n, row in enumerate(TALK)]
    names = {(0, "1"): "Anne", (0, "2"): "Luc", (1, "1"): "Luc", (1, "2"): "Anne"}
    found = roster(TALK, names, SWAPPED, turns)
    assert voices(relabelled(TALK, found)) == "SPEAKER_00 SPEAKER_01 SPEAKER_00 SPEAKER_01 SPEAKER_00 SPEAKER_01"
    assert sorted(swap.text for swap in found.swaps) == [
        "the name Anne stands for SPEAKER_00 and, for 0:30, for SPEAKER_01",
        "the name Luc stands for SPEAKER_00 and, for 0:30, for SPEAKER_01",
    ]
    assert len(set(found.names.values())) == len(found.names)


def test_an_id_that_stands_for_two_voices_is_parted_by_its_rows() -> None:
    talk = rows((0, "1", 0), (0, "1", 1), (0, "2", 2), (0, "2", 3))
    turns = [Turn(row.t0, row.t1, label) for row, label in zip(talk, ["A", "B", "A", "B"], strict=True)]
    found = roster(talk, {(0, "1"): "Anne"}, {}, turns)
    assert voices(relabelled(talk, found)) == "A B A B"
    assert "Anne stands for two voices, A and B" in found.swaps[0].text
    assert found.mixed == {(0, "1"), (0, "2")}


def test_times_that_are_off_do_not_move_a_row_to_another_voice() -> None:
    talk = [Said(n * 4_000, n * 4_000 + 4_000, str(n % 2), "oui", 0) for n in range(40)]
    turns = [Turn(row.t0 + 1_500, row.t1 + 1_500, f"SPEAKER_0{n % 2}") for n, row in enumerate(talk)]
    found = roster(talk, {}, {}, turns)
    assert voices(relabelled(talk, found)) == " ".join(f"SPEAKER_0{n % 2}" for n in range(40))
    assert list(found.swaps) == []


def test_a_voice_where_nobody_is_heard_goes_with_its_own_or_stays_alone() -> None:
    talk = rows((0, "1", 0), (0, "2", 1), (1, "1", 10))
    found = roster(talk, {(0, "1"): "Anne", (1, "1"): "Anne"}, {}, [Turn(0, 30_000, "SPEAKER_00")])
    assert voices(relabelled(talk, found)) == "SPEAKER_00 Speaker_2 SPEAKER_00"


@pytest.mark.parametrize("turns", [None, []])
def test_nothing_written_has_no_voices(turns: list[Turn] | None) -> None:
    assert dict(roster([], {}, {}, turns).labels) == {}
