"""A name as asked finds the right voice, several, or none."""

import pytest

from store.catalog import RecordingCatalog, Voice
from store.recordings import Recording
from tools.speaker.names import near, resolve

VOICES = (
    ("SPEAKER_00", "Ada Lovelace", ("the chair",)),
    ("SPEAKER_01", "John Smith", ()),
    ("SPEAKER_02", "John Doe", ()),
    ("SPEAKER_03", "Zu\u0308rich", ()),
    ("SPEAKER_04", "田中太郎", ()),
    ("SPEAKER_05", None, ()),
    ("O'Brien; --", None, ()),
    ("Select", None, ()),
    ("%", None, ()),
    ("PhD A", None, ()),
)


def entry(voices: tuple[tuple[str, str | None, tuple[str, ...]], ...] = VOICES) -> RecordingCatalog:
    recording = Recording(1, "r", "r", "0", None, "import", 1000, False, 1000, "ready", None, "auto")
    made = (Voice(n, label, name, aliases, None, 1000 - n, 1) for n, (label, name, aliases) in enumerate(voices))
    return RecordingCatalog(recording, {}, tuple(made), {}, {})


@pytest.mark.parametrize(
    ("asked", "labels"),
    [
        ("Ada Lovelace", ["SPEAKER_00"]),
        ("ada  lovelace", ["SPEAKER_00"]),
        ("Ada", ["SPEAKER_00"]),
        ("Lovelace", ["SPEAKER_00"]),
        ("Dr. Lovelace", ["SPEAKER_00"]),
        ("The Chair", ["SPEAKER_00"]),
        ("ＡＤＡ ＬＯＶＥＬＡＣＥ", ["SPEAKER_00"]),
        ("John", ["SPEAKER_01", "SPEAKER_02"]),
        ("John Doe", ["SPEAKER_02"]),
        ("Z\u00fcrich", ["SPEAKER_03"]),
        ("田中太郎", ["SPEAKER_04"]),
        ("田中", ["SPEAKER_04"]),
        ("speaker_05", ["SPEAKER_05"]),
        ("Speaker 5", ["SPEAKER_05"]),
        ("S5", ["SPEAKER_05"]),
        ("O\u2019Brien; --", ["O'Brien; --"]),
        ("select", ["Select"]),
        ("%", ["%"]),
        ("PhD A", ["PhD A"]),
        ("A", []),
        ("Grace", []),
        ("Ada Byron", []),
        ("speaker 99", []),
        ("", []),
        (" ", []),
    ],
)
def test_a_name_finds_its_voices(asked: str, labels: list[str]) -> None:
    assert [voice.label for voice in resolve(entry(), asked)] == labels


def test_a_whole_name_beats_a_part_of_another() -> None:
    voices = entry((("a", "John", ()), ("b", "John Smith", ())))
    assert [voice.label for voice in resolve(voices, "John")] == ["a"]


def test_two_voices_of_one_name_are_both_given() -> None:
    voices = entry((("a", "John", ()), ("b", "john", ())))
    assert [voice.label for voice in resolve(voices, "John")] == ["a", "b"]


def test_near_names_are_offered_best_first() -> None:
    assert [voice.display for voice in near(entry(), "Ada Lovelase")] == ["Ada Lovelace"]
    assert [voice.display for voice in near(entry(), "Lovlace")] == ["Ada Lovelace"]
    assert near(entry(), "Xavier") == ()


MANY = (
    ("a", "Zoë Ångström", ()),
    ("b", "Thomas Müller", ()),
    ("c", "Frau Schmidt", ()),
    ("d", "田中太郎", ()),
    ("e", "김민수", ()),
    ("f", "Señora García", ()),
    ("g", "José", ()),
    ("h", "Łukasz", ()),
    ("i", "王明", ()),
    ("j", "Dr. Kenji Sato", ()),
    ("k", "Филип", ()),
)


@pytest.mark.parametrize(
    ("asked", "labels"),
    [
        ("Zoe", ["a"]),
        ("Zoë", ["a"]),
        ("zoe angstrom", ["a"]),
        ("Mueller", ["b"]),
        ("Muller", ["b"]),
        ("Herr Müller", ["b"]),
        ("Herr Dr. Mueller", ["b"]),
        ("Mr. Muller", ["b"]),
        ("Schmidt", ["c"]),
        ("Frau Dr. Schmidt", ["c"]),
        ("Mrs Schmidt", ["c"]),
        ("Herr Schmidt", []),
        ("Mr Schmidt", []),
        ("田中さん", ["d"]),
        ("田中先生", ["d"]),
        ("太郎くん", ["d"]),
        ("김민수 씨", ["e"]),
        ("김민수님", ["e"]),
        ("Señora Garcia", ["f"]),
        ("Garcia", ["f"]),
        ("Señor García", []),
        ("Don José", ["g"]),
        ("Jose", ["g"]),
        ("Lukasz", ["h"]),
        ("王先生", ["i"]),
        ("王", ["i"]),
        ("Sato-san", ["j"]),
        ("Kenji-sensei", ["j"]),
        ("Professor Sato", ["j"]),
        ("Monsieur", []),
        ("филип", ["k"]),
        ("Maria", []),
    ],
)
def test_titles_accents_and_spellings_find_the_one_who_is_meant(asked: str, labels: list[str]) -> None:
    assert [voice.label for voice in resolve(entry(MANY), asked)] == labels


def test_accents_decide_where_somebody_is_called_just_so() -> None:
    voices = entry((("a", "Zoe", ()), ("b", "Zoë", ()), ("c", "Renée", ()), ("d", "René", ())))
    assert [[v.label for v in resolve(voices, name)] for name in ("Zoe", "Zoë", "Rene", "Renee")] == [
        ["a"],
        ["b"],
        ["d"],
        ["c"],
    ]
    twins = entry((("a", "Zoé", ()), ("b", "Zoë", ())))
    assert [voice.label for voice in resolve(twins, "Zoe")] == ["a", "b"]


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ("Marie", ["Maria"]),
        ("Filip", ["Philip Meyer"]),
        ("Catherine", ["Katharina"]),
        ("Mr Maier", ["Philip Meyer"]),
        ("Jon", ["John", "Joan"]),
        ("Stephen", ["Stefan"]),
        ("Herr Stefanie", ["Stefan"]),
        ("Xerxes", []),
        ("Speaker 9", []),
        ("", []),
    ],
)
def test_a_near_name_is_proposed_and_never_taken(asked: str, names: list[str]) -> None:
    people = ("Maria", "Philip Meyer", "Katharina", "John", "Joan", "Stefan", "SPEAKER_04")
    voices = entry(tuple((f"v{n}" if not p.startswith("S") else p, p, ()) for n, p in enumerate(people)))
    assert resolve(voices, asked) == ()
    assert [voice.display for voice in near(voices, asked)] == names


TITLED = (
    ("SPEAKER_00", "Professor Keller", ()),
    ("SPEAKER_01", "Dr Frank Atherton", ()),
    ("SPEAKER_02", "Dr. Ada Byron", ()),
    ("SPEAKER_03", "Frau Müller", ()),
    ("Judge", None, ()),
    ("Grad C", None, ()),
)


@pytest.mark.parametrize(
    ("asked", "labels"),
    [
        ("the professor", []),
        ("professor", ["SPEAKER_00"]),
        ("Professor", ["SPEAKER_00"]),
        ("dr", ["SPEAKER_01", "SPEAKER_02"]),
        ("Dr. Byron", ["SPEAKER_02"]),
        ("judge", ["Judge"]),
        ("senator", []),
        ("Herr Müller", []),
        ("Professor Atherton", ["SPEAKER_01"]),
    ],
)
def test_a_title_alone_is_whoever_bears_it(asked: str, labels: list[str]) -> None:
    assert [voice.label for voice in resolve(entry(TITLED), asked)] == labels
