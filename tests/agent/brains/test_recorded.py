"""What a capable reader answered who saw only the requests, kept and played again: the prompts ask for enough."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent.ask import ask
from agent.brains.openai import OpenAIBrain
from agent.brains.rules.brain import RulesBrain
from agent.library import Library
from tests.agent.brains.meeting import meeting
from tests.tools.loopback import Json, Reply, call, message, serving, spoken
from tools.endpoint import Endpoint

RECORDED = sorted((Path(__file__).parent / "recorded").glob("*.json"))


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    made = Library(tmp_path_factory.mktemp("recorded") / "library")
    meeting(made.database)
    return made


def _plays(recorded: dict[str, Any]) -> Any:
    calls = [call(c["name"], json.dumps(c["arguments"]), f"call_{n}") for n, c in enumerate(recorded["plan"])]

    def answer(request: Json) -> Reply:
        if "<rows>" in request["messages"][1]["content"]:
            return spoken(request, message(recorded["words"]))
        return spoken(request, message(None, tool_calls=calls), "tool_calls")

    return answer


@pytest.mark.parametrize("path", RECORDED, ids=[path.stem for path in RECORDED])
def test_a_recorded_answer_comes_to_the_same_reply(path: Path, library: Library) -> None:
    recorded = json.loads(path.read_text(encoding="utf-8"))
    with serving(_plays(recorded)) as server:
        brain = OpenAIBrain(Endpoint(server.url, None, "m"), RulesBrain())
        reply = ask(library, recorded["question"], brain=brain)
    expect = recorded["expect"]
    assert (reply.status, reply.answer_kind) == (expect["status"], expect["kind"])
    assert (reply.refusal.reason if reply.refusal else None) == expect["reason"]
    assert expect["value"] is None or reply.value == expect["value"]
    assert [[c.start, c.speaker] for c in reply.citations] == expect["cited"]
    assert all(c.verified for c in reply.citations)
    assert "unverified_quote" not in reply.caveats
    assert reply.usage.model_calls == (2 if recorded["words"] else 1)
    for row in server.requests:
        assert len(json.dumps(row, ensure_ascii=False)) / 4 < 4096
