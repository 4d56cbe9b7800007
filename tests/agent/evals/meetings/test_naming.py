"""A system's labels become the truth's names, one to one, and nothing wrong becomes right on the way."""

from typing import Any

import pytest

from agent.evals.meetings.items import Question
from agent.evals.meetings.naming import named, voices
from agent.evals.tasks.item import Asked, Form, Item, Task
from agent.evals.tasks.marking import mark
from agent.reply import Reply
from store.record import Turn

TRUTH = [Turn(0, 10_000, "12"), Turn(10_000, 14_000, "34"), Turn(14_000, 20_000, "12")]
THINGS = ("a dog barking", "rain", "a clock ticking")


def question(form: Form, gold: list[str], optional: frozenset[str] = frozenset()) -> Question:
    task: Task = "order" if form == "labels" else "beside"
    item = Item("1", task, form, "", "?", gold, Asked(labels=THINGS), facts=tuple(gold))
    return Question(item, optional)


def said(value: Any) -> Reply:
    return Reply(status="answered", answer="", value=value, brain="rules")


def right(asked: Question, value: Any, names: dict[str, str]) -> bool:
    return mark(asked.item, named(asked, said(value), names)).right


def test_a_voice_is_paired_with_whom_it_shares_most_time() -> None:
    split = [Turn(0, 9_000, "SPEAKER_00"), Turn(10_000, 14_000, "SPEAKER_01"), Turn(14_000, 20_000, "SPEAKER_02")]
    assert voices(TRUTH, split) == {"SPEAKER_00": "12", "SPEAKER_01": "34"}


NAMES = {"SPEAKER_00": "12", "SPEAKER_01": "34"}


@pytest.mark.parametrize(
    ("gold", "optional", "value", "good"),
    [
        (["12"], (), "SPEAKER_00", True),
        (["12"], (), "SPEAKER_01", False),
        (["12"], (), "SPEAKER_02", False),
        (["12"], (), ["SPEAKER_00", "SPEAKER_02"], False),
        (["12", "34"], (), ["SPEAKER_01", "SPEAKER_00"], True),
        (["12"], ("34",), ["SPEAKER_00", "SPEAKER_01"], True),
        (["12"], ("34",), "SPEAKER_01", False),
    ],
)
def test_who_spoke(gold: list[str], optional: tuple[str, ...], value: Any, good: bool) -> None:
    assert right(question("names", gold, frozenset(optional)), value, NAMES) is good


@pytest.mark.parametrize(
    ("value", "good"),
    [
        (["Bark", "Rain", "Tick-tock"], True),
        (["Dog", "Rain", "Clock"], True),
        (["a dog barking", "rain", "a clock ticking"], True),
        (["Rain", "Bark", "Tick-tock"], False),
        (["Bark", "Rain"], False),
        (["Bark", "Rain", "Siren"], False),
    ],
)
def test_an_order_in_a_recogniser_s_labels(value: list[str], good: bool) -> None:
    assert right(question("labels", list(THINGS)), value, {}) is good


def test_what_is_not_answered_stays_as_it_is() -> None:
    reply = Reply(status="not_found", answer="", brain="rules")
    assert named(question("names", ["12"]), reply, NAMES) == reply
