"""The turns of a conversation: JSON-safe, bounded, and a turn that was cut off is one all the same."""

import json
from typing import Any

import pytest

from agent.threads.turns import LONGEST_ANSWER, LONGEST_NAME, MOST, STOPPED, Turn, begun, closed


def state(turns: list[Turn] | None = None, **more: Any) -> dict[str, Any]:
    return begun("Who spoke?", {"A": "Anna"}, ["talk-00000000"], turns or [], "t1") | more


def test_a_turn_begins_with_nothing_of_the_one_before() -> None:
    before = state(reply={"status": "answered", "answer": "Anna", "value": "Anna"}, tool_calls=[{"name": "x"}])
    after = begun("And Ben?", {}, ["talk-00000000"], closed(before), "t2")
    empty = ("options", "tool_calls", "seen", "caveats", "reply", "spent", "inquiry", "ran", "widened")
    assert not any(after[key] for key in empty)
    assert (after["refusal"], after["feedback"], after["understood"], after["reread"]) == (None, None, True, False)
    assert [turn["asked"] for turn in after["turns"]] == ["Who spoke?"]
    assert set(after) == set(before)
    json.dumps(after)


@pytest.mark.parametrize("nothing", [{}, {"question": ""}, {"question": None, "turns": []}])
def test_a_thread_that_nothing_was_asked_in_has_no_turns(nothing: dict[str, Any]) -> None:
    assert closed(nothing) == []


@pytest.mark.parametrize("reply", [{}, None])
def test_a_turn_that_was_cut_off_is_a_turn(reply: Any) -> None:
    (turn,) = closed(state(reply=reply, tool_calls=[{"name": "speaker", "args": {}, "id": "s"}]))
    assert (turn["status"], turn["answer"], turn["told"], turn["trace"]) == (STOPPED, "", [], "t1")
    assert turn["calls"] == [{"name": "speaker", "args": {}, "id": "s"}]
    assert (turn["asked"], turn["read_as"]) == ("Who spoke?", "Who spoke?")


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("Anna", ["Anna"]),
        (["Anna", "Ben"], ["Anna", "Ben"]),
        ([], []),
        (None, []),
        (3, []),
        (True, []),
        ([[0.0, 1.0]], []),
        (["Anna", 3, None, "x" * (LONGEST_NAME + 1)], ["Anna"]),
        ({"who": "Anna"}, []),
        ("x" * (LONGEST_NAME + 1), []),
    ],
)
def test_whom_an_answer_named_are_its_short_texts(value: Any, told: list[str]) -> None:
    (turn,) = closed(state(reply={"status": "answered", "answer": "x", "value": value}))
    assert turn["told"] == told


def test_what_is_kept_is_bounded() -> None:
    long = state(reply={"status": "answered", "answer": "字" * 2 * LONGEST_ANSWER})
    (turn,) = closed(long)
    assert turn["answer"] == "字" * LONGEST_ANSWER
    turns = [turn | {"trace": str(n)} for n in range(MOST)]
    kept = closed(state(turns, reply={}))
    assert len(kept) == MOST
    assert (kept[0]["trace"], kept[-1]["trace"]) == ("1", "t1")


def test_a_question_that_was_read_otherwise_says_so() -> None:
    (turn,) = closed(
        state(read_as="How long did Ben speak?", understood=False, reply={"status": "refused", "answer": "no"})
    )
    assert (turn["read_as"], turn["understood"], turn["status"]) == ("How long did Ben speak?", False, "refused")
