"""Conversations with a model are marked by what the question that stands alone comes to."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.evals.conversations import Spoken, read
from agent.evals.models.questions import Rooms
from agent.evals.models.talks import hold_all
from agent.evals.models.wire import Json, Sent, serving
from agent.serve.server import answer

DATA = Path(__file__).resolve().parents[3] / "data"


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rooms]:
    with Rooms(tmp_path_factory.mktemp("rooms")) as made:
        yield made


def _served(name: str, request: Json) -> Sent:
    """Answer as the served rules do."""
    return Sent(json.dumps(answer(request | {"stream": False})[1]))


def test_a_conversation_over_the_wire_is_understood(rooms: Rooms) -> None:
    with serving(_served, ("overheard-rules",)) as wire:
        turns = hold_all(read(DATA / "conversations.toml")[:3], rooms, wire, "overheard-rules", parallel=2)
    assert len(turns) > 8
    assert {turn.talk for turn in turns} == {"talk.00", "talk.01", "talk.02"}
    assert [turn.wrong for turn in turns if turn.kind != "often"] == [None] * sum(t.kind != "often" for t in turns)


def test_another_meaning_is_wrong(rooms: Rooms) -> None:
    meant = {"ask": "And {S2}?", "kind": "person", "gold": "How long did {S} speak in the first half?"}
    talk = Spoken(({"ask": "How long did {S} speak?"}, meant))
    with serving(_served, ("overheard-rules",)) as wire:
        first, second = hold_all([talk], rooms, wire, "overheard-rules")
    assert first.wrong is None
    assert "not " in str(second.wrong)
    assert second.read_as.startswith("How long did ")
