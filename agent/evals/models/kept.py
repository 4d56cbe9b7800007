"""A model's replies kept for tests, by question, node and turn: a reworded prompt still finds the reply that was given.

What it cannot show is what the model would say to the new wording; a run over the endpoint does.
"""

import json
import threading
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from agent.evals.models.recording import load
from agent.evals.models.running import RESULT
from agent.evals.models.said import heard, sent
from agent.evals.models.wire import Json, Sent, refused
from store.errors import DataError, reason

Kept = dict[str, Any]


_SHOWN = {"<rows>": "answer", "<turns>": "follow"}


def node(request: Json) -> str:
    """Give the node of the graph that a request comes from, by what it is shown: rows, earlier turns, or a catalog."""
    asked = next((str(m["content"]) for m in request["messages"] if m["role"] == "user"), "")
    return next((name for mark, name in _SHOWN.items() if mark in asked), "plan")


def gather(folder: Path) -> Kept:
    """Gather what a finished run kept, by question; DataError when there is none."""
    try:
        result = json.loads((folder / RESULT).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"{folder} holds no finished run: {reason(error)}") from error
    replies: dict[str, dict[str, list[Json]]] = {}
    for name, keys in result["requests"].items():
        for key in keys:
            response = load(folder, key)
            if response is not None and response.status == 200:
                request = json.loads((folder / f"{key}.json").read_text(encoding="utf-8"))["request"]
                replies.setdefault(name, {}).setdefault(node(request), []).append(heard(response))
    return {"model": result["model"], "scores": result["figures"], "replies": replies}


class Replayer:
    """Gives the n-th reply that was kept for a question at a node; 404 says which is missing."""

    def __init__(self, replies: Mapping[str, Mapping[str, list[Json]]]) -> None:
        self._replies = replies
        self._turns: Counter[tuple[str, str]] = Counter()
        self._lock = threading.Lock()

    def __call__(self, name: str, request: Json) -> Sent:
        """Answer one request of a question."""
        at = node(request)
        with self._lock:
            turn = self._turns[name, at]
            self._turns[name, at] += 1
        kept = self._replies.get(name, {}).get(at, [])
        if turn >= len(kept):
            return refused(f"no reply is kept for {name}, {at}, turn {turn + 1}", 404)
        return sent(kept[turn], request)
