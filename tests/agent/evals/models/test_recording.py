"""What is kept of a model's replies, what is asked again, and what a replay says when something is missing."""

import json
from pathlib import Path
from typing import Any

import pytest

from agent.evals.models.recording import Recorder, Upstream, digest
from agent.evals.models.wire import Sent
from tests.tools.loopback import Reply, message, script, serving, whole

REQUEST: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Question: Who spoke?"}]}
KEY = "sk-CANARY00000000"


def test_what_was_answered_is_kept_and_asked_only_once(tmp_path: Path) -> None:
    with serving(script(whole(message("Ada spoke [1].")))) as server:
        first = Recorder(tmp_path, Upstream(server.url, KEY))("one", REQUEST)
        second = Recorder(tmp_path, Upstream(server.url, KEY))("one", dict(reversed(REQUEST.items())))
        assert len(server.requests) == 1
        assert server.keys == [f"Bearer {KEY}"]
    assert first.body == second.body
    assert "Ada spoke" in first.body
    assert Recorder(tmp_path)("one", REQUEST) == Sent(first.body, 200, first.kind)


def test_a_missing_reply_is_named_and_nothing_is_sent(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path)
    missing = recorder("bank.who.said", REQUEST)
    assert missing.status == 404
    assert digest(REQUEST) in missing.body
    assert "bank.who.said" in missing.body
    assert "Who spoke?" in missing.body
    assert recorder.counts == {"missing": 1}


def test_the_key_is_in_no_file_even_where_an_endpoint_repeats_it(tmp_path: Path) -> None:
    with serving(script(whole(message(f"your key is {KEY}")))) as server:
        Recorder(tmp_path, Upstream(server.url, KEY))("one", REQUEST)
    kept = [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()]
    assert len(kept) == 1
    assert KEY not in kept[0]
    assert "[key]" in kept[0]


@pytest.mark.parametrize(("status", "kept"), [(200, 1), (400, 1), (401, 0), (404, 1), (429, 0), (500, 0), (302, 0)])
def test_only_what_is_final_is_kept(status: int, kept: int, tmp_path: Path) -> None:
    body = whole(message("x")).body if status == 200 else '{"error": {"message": "no"}}'
    elsewhere = {"location": "http://127.0.0.1:9/v1", "retry-after": "7"}
    with serving(script(Reply(body, status=status, headers=elsewhere))) as server:
        sent = Recorder(tmp_path, Upstream(server.url))("one", REQUEST)
    assert sent.status == status
    assert sent.headers == {"retry-after": "7"}
    assert len(list(tmp_path.glob("*.json"))) == kept


def test_an_endpoint_that_cannot_be_reached_is_no_reply(tmp_path: Path) -> None:
    sent = Recorder(tmp_path, Upstream("http://127.0.0.1:9/v1"))("one", REQUEST)
    assert sent.status == 504
    assert list(tmp_path.glob("*.json")) == []


def test_what_an_endpoint_wants_besides_is_sent_and_is_no_part_of_a_requests_name(tmp_path: Path) -> None:
    with serving(script(whole(message("x")))) as server:
        Recorder(tmp_path, Upstream(server.url, body={"top_k": 3, "model": "other"}))("one", REQUEST)
        assert server.requests == [REQUEST | {"top_k": 3}]
    assert json.loads((tmp_path / f"{digest(REQUEST)}.json").read_text(encoding="utf-8"))["request"] == REQUEST
