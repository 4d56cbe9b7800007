"""Replies kept by question, node and turn come to the scores they once reached, whatever a prompt's wording."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.evals.models.asking import put_all
from agent.evals.models.kept import Replayer, gather
from agent.evals.models.marking import marked
from agent.evals.models.questions import Rooms, read
from agent.evals.models.running import RESULT
from agent.evals.models.table import scores
from agent.evals.models.wire import serving
from store.errors import DataError

FIXTURES = sorted((Path(__file__).resolve().parents[3] / "data" / "models").glob("*.json"))
FLOORS = ("plan_accuracy", "answer_accuracy", "computed_right", "open_right", "refusals_right")
ROWS = {"messages": [{"role": "system", "content": ""}, {"role": "user", "content": "<rows>\n</rows>"}]}
PLAN = {"messages": [{"role": "system", "content": ""}, {"role": "user", "content": "Question: who?"}]}


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Rooms]:
    with Rooms(tmp_path_factory.mktemp("rooms")) as made:
        yield made


@pytest.mark.parametrize("path", FIXTURES, ids=lambda path: path.stem)
def test_a_recorded_model_is_as_good_as_it_was(path: Path, rooms: Rooms) -> None:
    kept = json.loads(path.read_text(encoding="utf-8"))
    items = [rooms.furnished(item) for item in read() if item.id in kept["replies"]]
    with serving(Replayer(kept["replies"])) as wire:
        outcomes = put_all(items, rooms, wire, kept["model"], parallel=2)
    marks = [marked(outcome, rooms) for outcome in outcomes]
    found = scores(marks, outcomes)
    wrong = [f"{mark.id}: {mark.why}" for mark in marks if mark.why]
    assert len(items) == len(kept["replies"]) >= 80
    assert {name: found[name] for name in FLOORS if (found[name] or 0) < (kept["scores"][name] or 0)} == {}, wrong
    assert found["failed"] == 0, wrong


def test_replies_are_given_by_question_node_and_turn() -> None:
    first, second, words = {"content": "one"}, {"content": "two"}, {"content": "said [1]"}
    replay = Replayer({"a": {"plan": [first, second], "answer": [words]}})
    bodies = [replay("a", request) for request in (PLAN, ROWS, PLAN)]
    assert [json.loads(sent.body)["choices"][0]["message"]["content"] for sent in bodies] == ["one", "said [1]", "two"]
    for name, request, told in (("a", PLAN, "a, plan, turn 3"), ("b", ROWS, "b, answer, turn 1")):
        missing = replay(name, request)
        assert missing.status == 404
        assert told in missing.body


def test_a_folder_without_a_finished_run_is_said(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="holds no finished run"):
        gather(tmp_path)


def test_a_run_is_gathered_as_it_was_asked(tmp_path: Path) -> None:
    from agent.evals.models.recording import Recorder, Upstream
    from tests.tools.loopback import message, script, serving, whole

    request: dict[str, Any] = PLAN | {"model": "m"}
    with serving(script(whole(message("a plan")))) as server:
        recorder = Recorder(tmp_path, Upstream(server.url))
        recorder("q", request)
        recorder("q", ROWS | {"model": "m"})
    result = {"model": "m", "figures": {}, "requests": recorder.asked}
    (tmp_path / RESULT).write_text(json.dumps(result), encoding="utf-8")
    said = [{"content": "a plan"}]
    assert gather(tmp_path) == {"model": "m", "scores": {}, "replies": {"q": {"plan": said, "answer": said}}}
