"""The rules brain behind the wire: a server that reads only the request, and answers as a capable model would.

It takes the question out of the request, lets the rules plan it, and writes the plan as tool calls or as JSON, whole or
streamed, by what the request asks for. Asked to word rows, it quotes the first ones with their numbers.
"""

import json
import re
from typing import Any

from agent.brains.protocol import Question
from agent.brains.rules.brain import RulesBrain
from store.catalog import Catalog
from tests.tools.loopback import Json, Reply, call, message, spoken

_OPTION = re.compile(r"^([A-D])\. (.+)$", re.MULTILINE)
_ROW = re.compile(r"^\[(\d+)\] (.+)$", re.MULTILINE)


class RulesEndpoint:
    """Answers requests about one catalog; `lacks` are fields and formats that it refuses, as lesser servers do."""

    def __init__(self, catalog: Catalog, lacks: tuple[str, ...] = ()) -> None:
        self._catalog = catalog
        self._lacks = lacks

    def __call__(self, request: Json) -> Reply:
        kind = (request.get("response_format") or {}).get("type")
        for lacking in self._lacks:
            if lacking in request or lacking == kind:
                return Reply(json.dumps({"error": {"message": f"{lacking} is not supported"}}), status=400)
        asked = next(m["content"] for m in request["messages"] if m["role"] == "user")
        if "<rows>" in asked:
            return spoken(request, message(_worded(asked)))
        said = self._planned(_question(asked), bool(request.get("tools")))
        return spoken(request, said, "tool_calls" if said.get("tool_calls") else "stop")

    def _planned(self, question: Question, by_tools: bool) -> Json:
        planned = RulesBrain().plan(question, self._catalog, None)
        if by_tools:
            calls = [(c["name"], {**c["args"], "ref": c["id"]}) for c in planned.tool_calls] or [("out_of_scope", {})]
            return message(None, tool_calls=[call(n, json.dumps(a), f"c{i}") for i, (n, a) in enumerate(calls)])
        streams, fuse = planned.tool_calls[:-1], planned.tool_calls[-1:]
        written = [{"tool": c["name"], "ref": c["id"], **c["args"]} for c in streams]
        ending = fuse[0]["args"] if fuse else None
        body: dict[str, Any] = {"out_of_scope": planned.out_of_scope, "calls": written, "fuse": ending}
        return message(json.dumps(body))


def _question(asked: str) -> Question:
    text = asked.partition("\nQuestion: ")[2].partition("\n\n")[0]
    return Question(text.partition("\n")[0], dict(_OPTION.findall(text)))


def _worded(asked: str) -> str:
    rows = _ROW.findall(asked.partition("</rows>")[0])
    return " ".join(f"{line} [{number}]." for number, line in rows[:3]) or "NOT FOUND"
