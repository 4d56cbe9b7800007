"""What questions will cost, told before anything is sent: the same prompts, with the rules in the model's place.

A real model may need more calls (a plan that has to be repaired) or fewer; so this is an estimate, and is called one.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.brains.citing import tokens
from agent.brains.openai import OpenAIBrain
from agent.brains.protocol import Question
from agent.brains.rules.brain import RulesBrain
from agent.evals.models.asking import put
from agent.evals.models.questions import Item, Rooms
from agent.evals.models.said import asked_tokens, sent
from tools.endpoint import Endpoint, Message
from tools.endpoints.completion import Completion, read_whole

WORDS = 160
_ROWS = re.compile(r"<rows>\n(.*?)\n?</rows>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Price:
    """Money for a million tokens, in and out."""

    tokens_in: float
    tokens_out: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """Calls and tokens."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def line(self, price: Price | None = None) -> str:
        """Say it in one line."""
        told = f"about {self.calls} calls, {self.tokens_in:,} tokens in, {self.tokens_out:,} out"
        if price is None:
            return told
        return f"{told}, {(self.tokens_in * price.tokens_in + self.tokens_out * price.tokens_out) / 1e6:.2f} in money"


class Tally(Endpoint):
    """An endpoint that is no endpoint: it counts what it would be sent, and plans as the rules do.

    `context` are the tokens of the recording's rows among it.
    """

    def __init__(self, planned: Sequence[Mapping[str, Any]]) -> None:
        super().__init__("http://127.0.0.1:9/v1", None, "none")
        self._planned = planned
        self.spent = Estimate()
        self.context = 0

    def complete(self, messages: Sequence[Message], **more: Any) -> Completion:
        """Count a request and give a reply that any question can go on with."""
        request = {"messages": list(messages)} | {key: more.get(key) for key in ("tools", "response_format")}
        planned = [{"name": c["name"], "arguments": {**c["args"], "ref": c["id"]}} for c in self._planned]
        plan = {"tool_calls": planned or [{"name": "out_of_scope", "arguments": {}}]}
        said = plan if more.get("tools") else {"content": "A. This was said [1]."}
        words = tokens(json.dumps(said)) if more.get("tools") else WORDS
        for rows in _ROWS.findall("\n".join(str(message.get("content")) for message in messages)):
            self.context += tokens(rows)
        spent = self.spent
        self.spent = Estimate(spent.calls + 1, spent.tokens_in + asked_tokens(request), spent.tokens_out + words)
        return read_whole(json.loads(sent(said, request).body))


def estimate(items: Sequence[Item], rooms: Rooms) -> Estimate:
    """Estimate what questions cost by asking them all of the rules, through a model's prompts."""
    total = Estimate()
    for item in items:
        catalog = rooms.place(item).session.catalog
        tally = Tally(RulesBrain().plan(Question(item.question), catalog, None).tool_calls)
        put(item, rooms, OpenAIBrain(tally, RulesBrain()))
        spent = tally.spent
        total = Estimate(
            total.calls + spent.calls, total.tokens_in + spent.tokens_in, total.tokens_out + spent.tokens_out
        )
    return total
