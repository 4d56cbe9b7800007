"""Conversations: found by the beginning of their id, held by one process, and gone with what they could read."""

from pathlib import Path

import pytest

from store.errors import NotFound, StoreError
from store.threads import FILE, Threads


@pytest.fixture
def threads(tmp_path: Path) -> Threads:
    found = Threads(tmp_path)
    found.note("abc1", ["one"], "one", "Who spoke?")
    found.note("abd2", ["one", "two"], None, "What about the budget?")
    found.note("xyz3", ["two"], "two", "When?")
    return found


def test_turns_are_counted_and_the_first_question_stays(threads: Threads) -> None:
    threads.note("abc1", ["one"], "one", "And why?")
    threads.note("abc1", ["one"], "one", "")  # a turn that goes on is not another one
    first = threads.every()[0]
    assert (first.id, first.question, first.turns, first.recording) == ("abc1", "Who spoke?", 2, "one")


def test_one_is_found_by_what_only_it_begins_with(threads: Threads) -> None:
    assert threads.find("x").id == "xyz3"
    assert threads.find("abc1").id == "abc1"
    with pytest.raises(NotFound, match="'ab' is the beginning of several; there are: abd2, abc1"):
        threads.find("ab")
    with pytest.raises(NotFound, match="no conversation 'q'; there are: xyz3, abd2, abc1"):
        threads.find("q")
    with pytest.raises(NotFound, match="none was held yet"):
        Threads(threads.folder / "other").find("q")


def test_every_conversation_that_could_read_a_recording_goes_with_it_and_nothing_of_it_stays(threads: Threads) -> None:
    threads.note("late", ["two"], "two", "About the canary phrase?")
    threads.note("late", ["one"], "two", "")  # its scope grew
    threads.forget("one")
    assert [thread.id for thread in threads.every()] == ["xyz3"]
    files = list(threads.folder.glob(f"{FILE}*"))
    assert files
    assert not any(b"canary phrase" in path.read_bytes() for path in files)


def test_a_name_inside_another_is_not_that_recording(threads: Threads) -> None:
    threads.note("long", ["one-more"], "one-more", "When?")
    threads.forget("one")
    assert {thread.id for thread in threads.every()} == {"xyz3", "long"}


def test_one_process_at_a_time_and_only_the_user_can_read(threads: Threads) -> None:
    with (
        threads.held("abc1"),
        pytest.raises(StoreError, match="this conversation is being continued"),
        threads.held("abc1"),
    ):
        pass
    with threads.held("abc1"), threads.held("xyz3"):
        pass
    assert threads.path.stat().st_mode & 0o777 == 0o600


def test_a_library_without_conversations_has_none_and_forgets_quietly(tmp_path: Path) -> None:
    empty = Threads(tmp_path)
    empty.forget("one")
    assert empty.every() == []
    assert not empty.path.exists()
