"""Three models behind real servers, to be examined: one that can do all, one with JSON mode, one with plain text only.

They read only the request: they answer the examination's questions rightly, and plan by the rules.
"""

import json
import re
from collections.abc import Callable

from agent.brains.protocol import Question
from agent.brains.rules.brain import RulesBrain
from store.catalog import Catalog
from tests.tools.loopback import Json, Reply, call, message, spoken

FULL: tuple[str, ...] = ()
JSON_ONLY = ("tools", "json_schema")
PLAIN = ("tools", "json_schema", "json_object")
_CODE = re.compile(r"code word is (\w+)\.")


def model(lacks: tuple[str, ...], context: int = 100_000, *, refuses: bool = True) -> Callable[[Json], Reply]:
    """Give a model that lacks fields and formats: it refuses them, or ignores them; it forgets beyond its context."""

    def answer(request: Json) -> Reply:
        kind = (request.get("response_format") or {}).get("type")
        missing = [name for name in lacks if name in request or name == kind]
        if missing and refuses:
            return Reply(json.dumps({"error": {"message": f"{missing[0]} is not supported"}}), status=400)
        text = "\n".join(str(said["content"]) for said in request["messages"])[-4 * context :]
        said = message("I was made to chat.") if missing else _said(request, kind, text)
        return spoken(request, said, "tool_calls" if said.get("tool_calls") else "stop")

    return answer


def _said(request: Json, kind: str | None, text: str) -> Json:
    if "Question: " in text:
        return _planned(request, text)
    if request.get("tools"):
        return message(None, tool_calls=[call("note", '{"word": "harbour", "number": 7}')])
    if kind is not None:
        return message('{"colour": "green", "colours": 3}' if kind == "json_schema" else '{"word": "harbour"}')
    if "code word" in text:
        found = _CODE.search(text)
        return message(found[1] if found else "I see no code word.")
    return message("Harbour.")


def _planned(request: Json, text: str) -> Json:
    asked = text.partition("\nQuestion: ")[2].partition("\n")[0]
    plan = RulesBrain().plan(Question(asked), Catalog(()), None).tool_calls
    if request.get("tools"):
        made = [call(c["name"], json.dumps({**c["args"], "ref": c["id"]}), f"c{n}") for n, c in enumerate(plan)]
        return message(None, tool_calls=made)
    calls = [{"tool": c["name"], "ref": c["id"], **c["args"]} for c in plan[:-1]]
    return message(json.dumps({"out_of_scope": False, "calls": calls, "fuse": plan[-1]["args"]}))
