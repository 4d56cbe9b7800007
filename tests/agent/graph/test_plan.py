"""What becomes of a model's plan: shown as it was asked for, mended, or replaced, and whoever asked is told."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from agent.ask import ask
from agent.brains.openai import OpenAIBrain
from agent.brains.rules.brain import RulesBrain
from agent.library import Library
from agent.reply import Reply
from store.vectors import WIDTH, save
from tests.agent.brains.meeting import SAID, meeting
from tests.tools.loopback import Json, call, message, serving, spoken
from tests.tools.loopback import Reply as Sent
from tools.call import Embed
from tools.endpoint import Endpoint


@pytest.fixture
def library(tmp_path: Path) -> Library:
    library = Library(tmp_path / "library")
    meeting(library.database)
    return library


def _plan(family: str, **args: object) -> list[Json]:
    fuse = {"anchor": "transcript", "answer_schema": family}
    return [call("transcript", json.dumps(args)), call("fuse", json.dumps(fuse), "call_2")]


def _asked(
    library: Library, question: str, *calls: list[Json], said: str = "It is said [1].", embed: Embed | None = None
) -> tuple[Reply, list[Json]]:
    """Ask a model that plans with these calls, the last ones again and again; none: with words."""
    left = list(calls)

    def answer(request: Json) -> Sent:
        if "<rows>" in str(request["messages"][1]["content"]):
            return spoken(request, message(said))
        made = left.pop(0) if len(left) > 1 else left[0] if left else None
        sent = message(None, tool_calls=made) if made else message("Let me think.")
        return spoken(request, sent, "tool_calls" if made else "stop")

    with serving(answer) as server:
        brain = OpenAIBrain(Endpoint(server.url, None, "m"), RulesBrain())
        return ask(library, question, brain=brain, embed=embed), server.requests


def _rows(requests: list[Json]) -> str:
    shown = [str(r["messages"][1]["content"]) for r in requests if "<rows>" in str(r["messages"][1]["content"])]
    return shown[0].partition("</rows>")[0]


def test_all_that_was_said_is_shown_where_a_plan_asks_for_it(library: Library) -> None:
    _, requests = _asked(library, "What is the meeting about?", _plan("text"))
    assert _rows(requests).count("\n[") == len(SAID.strip().splitlines())


@pytest.mark.parametrize("family", ["text", "summary"])
def test_a_person_that_a_plan_of_words_left_out_is_put_in(family: str, library: Library) -> None:
    reply, requests = _asked(library, "What did Ben say about the certificate?", _plan(family))
    search, fuse = reply.plan
    assert search["args"] == {"speaker": "Ben"}
    assert fuse["args"]["answer_schema"] == family
    assert _rows(requests).count("\n[") == _rows(requests).count(" Ben: ") > 5
    assert not any("the rules planned" in caveat for caveat in reply.caveats)


def test_a_stretch_that_a_plan_of_words_left_out_is_put_in(library: Library) -> None:
    reply, requests = _asked(library, "What was said in the first minute?", _plan("text"))
    assert reply.plan[0]["args"] == {"end": 60.0}
    assert _rows(requests).count("\n[") > 5


def test_hits_are_limited_and_not_what_is_said_around_them(library: Library) -> None:
    joined = {"stream": "hits", "relation": "nearest", "tolerance": 90}
    calls = [
        call("transcript", json.dumps({"ref": "hits", "keywords": ["certificate"]})),
        call("transcript", json.dumps({"ref": "around"}), "call_2"),
        call("fuse", json.dumps({"anchor": "around", "joins": [joined], "answer_schema": "text"}), "call_3"),
    ]
    reply, _ = _asked(library, "What did Ben say about the certificate?", calls)
    assert [made["args"].get("speaker") for made in reply.plan[:2]] == ["Ben", None]


def test_a_plan_with_a_schema_of_its_own_is_not_mended(library: Library) -> None:
    fuse = {"anchor": "transcript", "answer_schema": {"type": "string"}}
    calls = [call("transcript", "{}"), call("fuse", json.dumps(fuse), "call_2")]
    reply, _ = _asked(library, "What did Ben say about the certificate?", calls)
    assert reply.caveats[-1:] == ["the model's plan left out Ben; the rules planned"]


def test_who_is_put_in_and_unknown_is_refused(library: Library) -> None:
    reply, _ = _asked(library, "What did Zoe say about the budget?", _plan("text"))
    assert (reply.status, reply.refusal and reply.refusal.reason) == ("refused", "unknown_speaker")


def test_what_rows_do_not_answer_is_proven_by_the_rules_plan(library: Library) -> None:
    reply, _ = _asked(library, "What did Ada say about the certificate?", _plan("text"), said="NOT FOUND")
    assert (reply.status, reply.refusal and reply.refusal.reason) == ("refused", "not_said_by_speaker")
    assert "the model's plan left out Ada; the rules planned" in reply.caveats


def test_whoever_asked_is_told_that_the_rules_planned(library: Library) -> None:
    for question, calls, why in (
        ("How many people speak?", (), "the model gave no plan that could be read"),
        ("How long did Ben talk?", (_plan("duration"),), "the model's plan left out Ben"),
        (
            "Who mentioned the budget?",
            (_plan("who", speaker="Ada", keywords=["budget"]),),
            "the model's plan was limited to Ada, whom nobody asked for",
        ),
    ):
        reply, _ = _asked(library, question, *calls)
        assert reply.status == "answered"
        assert reply.caveats[-1:] == [f"{why}; the rules planned"], question


def test_a_models_own_plan_has_no_such_caveat(library: Library) -> None:
    missed = _plan("quote", keywords=["zeppelin"], speaker="Ben")
    reply, _ = _asked(library, "Why is Ben late?", missed, _plan("text"))
    assert not any("planned" in caveat for caveat in reply.caveats)


def _toward(text: str) -> NDArray[np.float32]:
    vector = np.zeros(WIDTH, np.float32)
    vector[len(text) % WIDTH] = 1
    return vector


@pytest.mark.parametrize(("vectors", "model"), [(True, True), (True, False), (False, True)])
def test_search_by_meaning_is_offered_where_it_works(vectors: bool, model: bool, library: Library) -> None:
    if vectors:
        with library.database.writing() as connection:
            ids = [row[0] for row in connection.execute("SELECT id FROM segment ORDER BY id LIMIT 3")]
            save(connection, ids, np.stack([_toward("a" * n) for n in range(3)]))
    _, requests = _asked(library, "Why was it late?", _plan("text"), embed=_toward if model else None)
    told = json.dumps(requests[0]["tools"]) + str(requests[0]["messages"][0]["content"])
    assert ("semantic" in told) == (vectors and model)
