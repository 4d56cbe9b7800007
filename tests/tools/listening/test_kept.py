"""Which kept version is what the options ask for: heard by the same, whole, in the same turns."""

from dataclasses import replace

from store.record import StreamKind
from store.streams import Source
from store.versions import Version
from tools.listening.failures import KEPT
from tools.listening.kept import Kept
from tools.listening.settle import under

WHOLE = 60_000
SMALL, LARGE = Source("small", {}), Source("large", {})


def version(
    number: int, source: Source, *, kind: StreamKind = "transcript", active: bool = False, heard_ms: int = WHOLE
) -> Version:
    return Version(number, kind, number, active, 1, source, heard_ms)


def test_the_newest_whole_version_of_the_same_hearing_is_found() -> None:
    known = Kept([version(1, SMALL), version(2, SMALL), version(3, LARGE), version(4, SMALL, heard_ms=5)], WHOLE)
    found = known.heard("transcript", SMALL)
    assert found is not None
    assert found.number == 2
    assert known.heard("transcript", Source("tiny", {})) is None
    assert known.heard("events", SMALL) is None


def test_a_version_with_a_failure_is_heard_again() -> None:
    failing = replace(version(1, SMALL, active=True), checks={KEPT: [[0, 9, "why"]]})
    assert Kept([failing], WHOLE).heard("transcript", SMALL) is None
    assert not Kept([failing], WHOLE).stands("transcript", SMALL)


def test_a_correction_stands_until_other_options_are_asked_for() -> None:
    corrected = version(2, Source("people", {"file": "corrected.srt"}), active=True)
    known = Kept([version(1, SMALL), corrected], WHOLE)
    assert known.stands("transcript", SMALL)
    assert not known.stands("transcript", LARGE)
    assert not Kept([corrected], WHOLE).stands("transcript", SMALL)


def test_words_lie_in_the_turns_of_one_speaker_version() -> None:
    asked = version(2, under(SMALL, 2), active=True)
    known = Kept([version(1, SMALL), asked], WHOLE)
    there = known.like(asked, 1)
    assert there is not None
    assert there.number == 1
    assert known.like(asked, 3) is None


def test_what_a_kill_left_is_gone_on_with_only_together() -> None:
    words, sounds = version(2, under(SMALL, 1), heard_ms=5), version(3, SMALL, kind="events", heard_ms=5)
    wanted: dict[StreamKind, Source] = {"transcript": under(SMALL, 1), "events": SMALL}
    assert Kept([words, sounds], WHOLE).begun(wanted) == {"transcript": words, "events": sounds}
    assert Kept([words, replace(sounds, heard_ms=6)], WHOLE).begun(wanted) == {}
    assert Kept([words], WHOLE).begun(wanted) == {}
    assert Kept([words, sounds], WHOLE).begun({**wanted, "transcript": under(SMALL, 2)}) == {}
