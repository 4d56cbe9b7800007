"""What an empty search becomes: the first row of the table that holds, on real rows, and what others have instead."""

from pathlib import Path
from typing import Any

import pytest

from agent.brains.scripted import ScriptedBrain
from agent.graph.settle import elsewhere, lookalikes, settled, turns_of, without_speaker
from agent.library import Library
from tests.agent.graph.desk import desk
from tests.agent.graph.talk import talk

TRAIN = {"keywords": ["train"]}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    return talk(tmp_path_factory.mktemp("settle"))


@pytest.mark.parametrize(
    ("call", "fuse", "route", "reason"),
    [
        (("transcript", TRAIN | {"speaker": "Carla"}), {}, "refuse", "not_said_by_speaker"),
        (("transcript", TRAIN | {"speaker": "Carla"}), {"answer_schema": "yes_no"}, "answer", None),
        (
            ("transcript", TRAIN | {"speaker": "Carla"}),
            {"answer_schema": "count", "aggregate": "count"},
            "answer",
            None,
        ),
        (("transcript", {"keywords": ["plum"], "speaker": "Carla"}), {}, "refuse", None),
        (("transcript", {"keywords": ["plum"]}), {}, "refuse", None),
        (("transcript", TRAIN | {"nth": 5}), {}, "refuse", None),
        (("transcript", TRAIN | {"nth": 3, "speaker": "Ben"}), {}, "refuse", None),
        (("transcript", {"speaker": "Carla", "end": 10.0}), {}, "refuse", "speaker_absent_in_range"),
        (("transcript", {"speaker": "Carla", "start": -5.0}), {}, "refuse", "speaker_absent_in_range"),
        (("transcript", TRAIN | {"speaker": "Carla", "start": 20.0, "end": 26.0}), {}, "refuse", None),
        (("speaker", {"names": ["Carla"], "end": 10.0}), {}, "refuse", None),
        (("emotion", {"labels": ["fear"], "speaker": "Ben"}), {}, "refuse", None),
        (("events", {"labels": ["applause"], "end": 5.0}), {"answer_schema": "which_events"}, "answer", None),
    ],
)
def test_the_first_row_that_holds_decides(
    library: Library, call: tuple[str, dict[str, Any]], fuse: dict[str, Any], route: str, reason: str | None
) -> None:
    with desk(library, call, **({"answer_schema": "quote"} | fuse)) as made:
        assert made.evidence is not None
        assert made.evidence.total == 0
        found = settled({}, made)
        assert found["route"] == route
        assert (found.get("refusal") or {}).get("reason") == reason


def test_a_brain_that_can_plan_otherwise_is_told_why_once(library: Library) -> None:
    with desk(library, ("transcript", {"keywords": ["plum"]}), brain=ScriptedBrain(), answer_schema="quote") as made:
        first = settled({}, made)
        assert (first["route"], first["diagnosed"]) == ("plan", True)
        assert "Nothing fits all constraints" in first["feedback"]
        assert settled({"diagnosed": True}, made)["route"] == "refuse"
        made.best = (made.current[0], made.session.run(made.current[0]))
        again = settled({"diagnosed": True, "caveats": ["x"]}, made)
        assert (again["route"], again["caveats"]) == ("answer", ["x", "planned again: nothing better was found"])


@pytest.mark.parametrize(
    ("call", "others"),
    [
        (("transcript", TRAIN | {"speaker": "Carla"}), ["Ben", "Ben"]),
        (("transcript", TRAIN), []),
        (("speaker", {"names": ["Carla"]}), ["Anna", "Ben", "Anna", "Ben", "Carla"]),
        (("emotion", {"speaker": "Carla"}), ["Anna", "Ben"]),
    ],
)
def test_what_others_have_is_found_without_the_speaker(library: Library, call: Any, others: list[str]) -> None:
    with desk(library, call) as made:
        assert made.plan is not None
        assert [row.speaker for row in elsewhere(made.plan, made)] == others
        assert (without_speaker(made.plan) is None) == (not others)


@pytest.mark.parametrize(
    ("names", "stretch", "turns", "ms"),
    [
        (["Ben"], {}, 3, 17_400),
        (["Ben"], {"start": 5.0, "end": 15.0}, 2, 4_800),
        (["Ben"], {"start": -40.0}, 1, 6_800),
        (["Ben", "Carla"], {}, 4, 22_900),
        (["Zoe"], {}, 0, 0),
        (["ben", "BEN"], {}, 3, 17_400),
    ],
)
def test_how_long_people_speak_in_a_stretch(
    library: Library, names: list[str], stretch: dict[str, float], turns: int, ms: int
) -> None:
    with desk(library, ("transcript", stretch)) as made:
        assert made.plan is not None
        found = turns_of(names, made.plan.calls[0].query, made)
        assert (found.total, sum(group.value for group in found.groups)) == (turns, ms)


def test_what_sounds_alike_is_offered_and_never_counted(tmp_path: Path) -> None:
    lines = ((0, 4_000, 0, "Miss Lynde came by."), (5_000, 9_000, 1, "Lynde said no, and Lynde left."))
    with desk(talk(tmp_path, lines=lines), ("transcript", {"keywords": ["Lind"]}), answer_schema="quote") as made:
        assert made.plan is not None
        found = lookalikes(made.plan, made)
        assert "“Lynde”" in found.text.replace("lynde", "Lynde")
        assert found.caveats[0].startswith("not counted: sounds like (Lind → ")
        assert [row.t0 for row in found.rows] == [0, 5_000]
    with desk(talk(tmp_path / "none"), ("transcript", {"keywords": ["Zzyzx"]}), answer_schema="quote") as made:
        assert made.plan is not None
        assert lookalikes(made.plan, made).text == ""
