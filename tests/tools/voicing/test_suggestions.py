"""Who a voice may be: from what it says, from whom it answers to; what contradicts it is beside it."""

from collections.abc import Sequence

import pytest

from tools.voicing.suggestions import Line, Suggestion, suggest


def lines(*said: str) -> list[Line]:
    """Read `0 I'm Ada.` as two seconds of the voice SPEAKER_00."""
    return [Line(n * 2000, n * 2000 + 1900, f"SPEAKER_0{text[0]}", text[2:]) for n, text in enumerate(said)]


def brief(found: Sequence[Suggestion]) -> list[str]:
    """Give `0 Ada 1-0` for a name of one evidence and nothing against; a known name in brackets."""
    counts = ((one, f"{len(one.evidence)}-{len(one.against)}") for one in found)
    return [f"{s.label[-1]} {f'[{s.name}]' if s.known else s.name} {count}" for s, count in counts]


CASES = [
    ("nothing is said", (), []),
    ("says so", ("0 I'm Ada.", "1 Hello, my name is Ben Hill.", "1 I'm Ben."), ["0 Ada 1-0", "1 Ben Hill 2-0"]),
    ("answers", ("0 Ben, can you start?", "1 Yes."), ["1 Ben 1-0"]),
    ("does not answer soon", ("0 Ben, can you start?", "0 " + "No? " * 40, "1 Yes."), []),
    ("another answers as often", ("0 Ben, can you?", "1 Yes.", "0 Ben, can you?", "2 Yes."), []),
    ("thanks go either way", ("1 Done.", "0 Thanks, Ben.", "2 So."), []),
    ("thanked, then asked", ("1 Done.", "0 Thanks, Ben.", "2 So.", "0 Ben, can you?", "1 Yes."), ["1 Ben 2-0"]),
    ("is somebody else", ("0 Ben, can you?", "1 Yes.", "2 I'm Ben."), ["2 Ben 1-0"]),
    ("answers to two names", ("0 Ben, can you?", "1 Yes.", "0 Tom, can you?", "1 Yes."), []),
    ("two are Ben", ("0 I'm Ben.", "1 I'm Ben."), ["0 Ben 1-1", "1 Ben 1-1"]),
    ("has two names", ("0 I'm Ben.", "0 I'm Tom."), ["0 Ben 1-1", "0 Tom 1-1"]),
    ("C13", ("0 I'm Dmitry.", "0 Nice to meet you Dmitry.", "1 Hello."), ["0 Dmitry 1-1"]),
]


@pytest.mark.parametrize(("said", "found"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_suggestions(said: Sequence[str], found: list[str]) -> None:
    assert brief(suggest(lines(*said), {})) == found


NAMED = {"SPEAKER_00": ("Dmitry Orlov", "Dima"), "SPEAKER_01": ("Ann",)}
KNOWN = [
    ("agrees", ("0 I'm Dmitry.", "1 Thanks, Dmitry.", "1 My name is Ann Lee."), []),
    ("C13", ("0 Nice to meet you Dmitry.", "1 Hello."), ["0 [Dmitry Orlov] 0-1"]),
    ("calls itself another", ("1 I'm Mary.",), ["1 [Ann] 0-1"]),
    ("by another name", ("0 Hi, Dima.",), ["0 [Dmitry Orlov] 0-1"]),
    ("a name that is taken", ("0 Ann, can you?", "2 Yes."), []),
]


@pytest.mark.parametrize(("said", "found"), [case[1:] for case in KNOWN], ids=[case[0] for case in KNOWN])
def test_names_that_are_contradicted(said: Sequence[str], found: list[str]) -> None:
    assert brief(suggest(lines(*said), NAMED)) == found


def test_only_what_is_said_of_oneself_and_not_contradicted_is_confident() -> None:
    found = suggest(lines("0 I'm Ada.", "0 Ben, can you?", "1 Yes.", "2 I'm Dmitry.", "2 Hi, Dmitry."), {})
    assert [(one.name, one.confident) for one in found] == [("Ada", True), ("Dmitry", False), ("Ben", False)]


def test_a_quote_is_the_sentence() -> None:
    (found,) = suggest(lines("0 Good morning. I'm Ada, and I am in charge. " + "Now then. " * 50), {})
    assert found.evidence[0].quote == "I'm Ada, and I am in charge."
