"""The endpoint whose model reads files: many requests wait at once, each until its reply lies beside it."""

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from agent.brains.chat_model import EndpointChat
from agent.evals.models.wire import Wire, serving
from scripts.relay_endpoint import Relay
from tools.endpoint import Endpoint

TOOL: dict[str, Any] = {"type": "function", "function": {"name": "speaker", "parameters": {"type": "object"}}}


@pytest.fixture
def relay(tmp_path: Path) -> Iterator[Wire]:
    relay = Relay(tmp_path)
    watch = threading.Thread(target=relay.watch)
    watch.start()
    with serving(relay) as wire:
        yield wire
    relay.close()
    watch.join()


def _ask(wire: Wire, text: str) -> Any:
    chat = EndpointChat(endpoint=Endpoint(wire.url, None, "m", timeout=20))
    return chat.invoke([("system", "You plan."), ("user", text)], tools=[TOOL])


def _until(folder: Path, count: int, text: str = "") -> str:
    for _ in range(200):
        index = folder / "open.md"
        shown = index.read_text(encoding="utf-8") if index.exists() else ""
        if shown.startswith(f"{count} open") and text in shown:
            return shown
        time.sleep(0.05)
    raise AssertionError(f"not {count} open, or no {text!r}: {shown[:200]}")


def test_requests_wait_together_and_each_gets_its_own_reply(relay: Wire, tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        asked = {text: pool.submit(_ask, relay, text) for text in ("Who is one?", "Who is two?", "Who is three?")}
        shown = _until(tmp_path, 3)
        assert shown.count("You plan.") == 1
        assert shown.count('"name": "speaker"') == 1
        requests = {path.name[:4]: json.loads(path.read_text()) for path in tmp_path.glob("*.request.json")}
        assert sorted(requests) == ["0001", "0002", "0003"]
        for number, request in requests.items():
            text = request["messages"][-1]["content"]
            assert f"## {number}" in shown
            said = {"tool_calls": [{"name": "speaker", "arguments": {"names": [text]}}]}
            (tmp_path / f"{number}.reply.json").write_text(json.dumps(said))
        answers = {text: future.result() for text, future in asked.items()}
    for text, answer in answers.items():
        assert answer.tool_calls[0]["args"] == {"names": [text]}
    _until(tmp_path, 0)
    again = Relay(tmp_path)
    with serving(again) as wire:
        assert _ask(wire, "Who is two?").tool_calls[0]["args"] == {"names": ["Who is two?"]}
    assert len(list(tmp_path.glob("*.request.json"))) == 3


def test_a_reply_of_a_wrong_form_is_told_and_may_be_written_again(relay: Wire, tmp_path: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(_ask, relay, "Who?")
        _until(tmp_path, 1)
        (tmp_path / "0001.reply.json").write_text('{"text": "Ada"}')
        _until(tmp_path, 1, "0001.reply.json cannot be sent")
        assert not asked.done()
        (tmp_path / "0001.reply.json").write_text('{"content": "Ada [1]."}')
        assert asked.result().content == "Ada [1]."
