"""The served rules as a lesser server might be: `lacks` are fields and formats of a request that it refuses."""

import json

from agent.serve.server import answer
from agent.serve.wire import MODEL, events
from tests.tools.loopback import Json, Reply


class RulesEndpoint:
    """Answers any model's name by what the request holds, whole or streamed."""

    def __init__(self, lacks: tuple[str, ...] = ()) -> None:
        self._lacks = lacks

    def __call__(self, request: Json) -> Reply:
        kind = (request.get("response_format") or {}).get("type")
        for lacking in self._lacks:
            if lacking in request or lacking == kind:
                return Reply(json.dumps({"error": {"message": f"{lacking} is not supported"}}), status=400)
        understood, whole = answer({**request, "model": MODEL})
        if not understood.stream:
            return Reply(json.dumps(whole))
        pieces = [f"data: {json.dumps(event)}\n\n" for event in events(understood, whole)]
        return Reply(pieces=(*pieces, "data: [DONE]\n\n"), kind="text/event-stream")
