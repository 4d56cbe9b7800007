"""Conversations with a model are marked by what the question that stands alone comes to."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.evals.conversations import Spoken, read
from agent.evals.models.kept import Replayer
from agent.evals.models.questions import Rooms
from agent.evals.models.talks import UNMARKED, hold_all
from agent.evals.models.wire import Json, Sent, serving
from agent.serve.server import answer
from scripts.measure_talks import right, talks

RIGHT = 0.95
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
    assert {turn.wrong for turn in turns} == {None}


@pytest.mark.parametrize("path", sorted((DATA / "models" / "talks").glob("*.json")), ids=lambda path: path.stem)
def test_a_recorded_model_follows_as_well_as_it_did(path: Path, rooms: Rooms) -> None:
    kept = json.loads(path.read_text(encoding="utf-8"))
    with serving(Replayer(kept["replies"])) as wire:
        turns = hold_all(talks()[: len(kept["replies"])], rooms, wire, kept["model"], parallel=2)
    marked = [turn for turn in turns if turn.kind != UNMARKED]
    assert len(marked) > 100
    assert right(marked) >= RIGHT, [turn for turn in marked if turn.wrong]


def test_another_meaning_is_wrong(rooms: Rooms) -> None:
    meant = {"ask": "And {S2}?", "kind": "person", "gold": "How long did {S} speak in the first half?"}
    talk = Spoken(({"ask": "How long did {S} speak?"}, meant))
    with serving(_served, ("overheard-rules",)) as wire:
        first, second = hold_all([talk], rooms, wire, "overheard-rules")
    assert first.wrong is None
    assert "not " in str(second.wrong)
    assert second.read_as.startswith("How long did ")
