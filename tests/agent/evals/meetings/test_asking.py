"""What is heard rightly loses nothing; each fault of hearing is put down to its stream; faults of asking are not."""

from pathlib import Path

from agent.evals.answerer import agent
from agent.evals.meetings.asking import MADE, Answered
from agent.evals.tasks.record import read, write
from agent.library import Library
from agent.reply import Reply
from store.record import Event
from tests.agent.evals.meetings.made import asking, relabelled, small

WORLD = small().world
SPEAKERS = {"12": "SPEAKER_02", "34": "SPEAKER_00", "56": "SPEAKER_01"}
HEARD = relabelled(WORLD.turns, SPEAKERS)


def wrong(answered: list[Answered]) -> list[str]:
    return [f"{one.record.question} {one.record.gold} {one.record.value}" for one in answered if not one.record.right]


def test_nothing_is_lost_of_what_was_heard_rightly(tmp_path: Path) -> None:
    found = list(asking(tmp_path, HEARD, WORLD.events).answered())
    graded = [one for one in found if one.record.task != "events"]
    assert wrong(graded) == []
    assert {one.lost.lost_to for one in graded} == {None}
    assert {one.record.preset for one in found} == {MADE}
    assert all(one.record.plan for one in found)
    write([one.record for one in found], tmp_path / "records.json")
    assert read(tmp_path / "records.json") == [one.record for one in found]


def test_voices_that_are_one_are_put_down_to_voices(tmp_path: Path) -> None:
    merged = relabelled(WORLD.turns, SPEAKERS | {"56": "SPEAKER_00"})
    found = list(asking(tmp_path, merged, WORLD.events).answered())
    count = next(one for one in found if (one.record.task, one.record.kind) == ("count", "file"))
    assert (count.record.value, count.lost.lost_to, count.blamed) == (2, "perception", "voices")
    assert {one.blamed for one in found if one.record.task in ("order", "heard")} == {None}


def test_sounds_that_are_missed_or_invented_are_put_down_to_sounds(tmp_path: Path) -> None:
    events = [event for event in WORLD.events if event.label != "Rain"]
    false = Event(500_000, 503_000, "Helicopter", 0.9)
    found = list(asking(tmp_path, HEARD, [*events, false]).answered())
    lost = {one.record.question: one.blamed for one in found if not one.record.right and one.lost.lost_to}
    assert lost
    assert set(lost.values()) == {"sounds"}
    assert all("rain" in asked.lower() or "helicopter" in asked or "order" in asked for asked in lost)
    assert {one.record.right for one in found if one.record.task == "count"} == {True}


def test_another_plan_is_put_down_to_the_plan(tmp_path: Path) -> None:
    def other(library: Library, recording: str, question: str) -> Reply:
        return agent(library, recording, "How many sounds were heard?")

    asked = asking(tmp_path, HEARD, WORLD.events)
    asked.answer = other
    assert {one.lost.lost_to for one in asked.answered() if one.record.task == "count"} == {"plan"}
