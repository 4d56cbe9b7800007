"""B1 and B4 with a model behind an endpoint: it reads as much of the transcript as goes in, or writes one SELECT.

One request a question and no second try. What cannot be read is a failed reply, and counts as a wrong one.
"""

import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import prompts
from agent.brains.fence import fenced
from agent.brains.writer import asked as written_out
from agent.evals.baselines.head import LIMITS, head
from agent.evals.baselines.lines import Line, lines
from agent.evals.baselines.reader import NOTHING, Asked, asked
from agent.library import Library
from agent.reply import Fault, Reply, Usage
from store.errors import EndpointError, ToolError
from tools.call import Session
from tools.endpoint import Endpoint
from tools.endpoints.completion import Completion
from tools.families import FAMILIES
from tools.schema import complaint
from tools.sql import QuerySql, views

_OBJECT = re.compile(r"\{.*\}", re.DOTALL)
_SELECT = re.compile(r"\b(?:WITH|SELECT)\b.*", re.DOTALL | re.IGNORECASE)
_LISTS = ("order", "which_events", "recordings")
_STRETCHES = ("when", "speaker_turns")


@dataclass(frozen=True, slots=True)
class ModelHead:
    """B1: the first `limit` tokens of the transcript, with speakers and times, in one request."""

    endpoint: Endpoint
    limit: int = LIMITS[0]

    @property
    def name(self) -> str:
        """The baseline's name."""
        return f"B1 {self.limit // 1000}k"

    def __call__(self, library: Library, recording_id: str, question: str) -> Reply:
        """Answer from the beginning."""
        one = asked(library, recording_id, question, self.name)
        whole = lines(library.database, one.scope.recordings[0].recording, speakers=True)
        shown = "\n".join(_timed(line) for line in head(whole, self.limit))
        system = prompts.load("baseline_read", schema=json.dumps(FAMILIES[family(one)]))
        request = prompts.load("baseline_question", lines=shown, question=written_out(one.question))
        return _replied(one, self.endpoint, system, request, _value)


@dataclass(frozen=True, slots=True)
class TextToSql:
    """B4: one SELECT over the views of the recording, run once behind the fence."""

    endpoint: Endpoint
    name: str = "B4"

    def __call__(self, library: Library, recording_id: str, question: str) -> Reply:
        """Answer with what the SELECT gives."""
        one = asked(library, recording_id, question, self.name)
        system = prompts.load("baseline_sql", views=views(), schema=json.dumps(FAMILIES[family(one)]))

        def value(text: str) -> Any:
            found = _SELECT.search(text.strip().removesuffix("```"))
            if found is None:
                raise ToolError("no SELECT was written")
            with Session(library.database, one.scope) as session:
                return shaped(family(one), session.query_sql(QuerySql(sql=found[0].strip())).rows)

        return _replied(one, self.endpoint, system, written_out(one.question), value)


def family(one: Asked) -> str:
    """Give the family of a question's value, as the rules read it; a text where they do not."""
    if one.question.options:
        return "options"
    fuses = [call["args"] for call in one.planned.tool_calls if call["name"] == "fuse"]
    found = next((args.get("answer_schema") for args in fuses), None)
    return found if isinstance(found, str) and found in FAMILIES else "text"


def shaped(of: str, rows: Sequence[Sequence[Any]]) -> Any:
    """Give the value that rows stand for; None for no rows, or for NULL alone."""
    if not rows or all(cell is None for cell in rows[0]):
        return None
    if of in _STRETCHES:
        return [list(row) for row in rows]
    first = [row[0] for row in rows]
    if of in _LISTS:
        return first
    if of == "who":
        return first[0] if len(first) == 1 else first
    if of == "yes_no":
        return bool(first[0])
    if of in ("quote", "summary", "text"):
        return " ".join(str(cell) for cell in first)
    return first[0]


def _replied(one: Asked, endpoint: Endpoint, system: str, request: str, value: Any) -> Reply:
    """Ask once, and make a reply of what was said; what cannot be read, and an endpoint that fails, is a failed one."""
    try:
        said = endpoint.complete([{"role": "system", "content": system}, {"role": "user", "content": request}])
        found = value(said.text)
    except (EndpointError, ToolError, ValueError) as error:
        kind: Any = error.kind if isinstance(error, EndpointError) else "endpoint_fault"
        fault = Fault(kind=kind, message=str(error)[:300])
        return Reply(status="failed", answer=fault.message, error=fault, brain=one.name, usage=_usage(one, None))
    usage = _usage(one, said)
    if found is None:
        return Reply(status="not_found", answer=NOTHING, brain=one.name, usage=usage)
    wrong = complaint(found, {"enum": list(one.question.options)} if one.question.options else FAMILIES[family(one)])
    if wrong is not None:
        fault = Fault(kind="endpoint_fault", message=f"the value does not fit its schema: {wrong}"[:300])
        return Reply(status="failed", answer=said.text, error=fault, brain=one.name, usage=usage)
    return Reply(status="answered", answer=said.text, value=found, answer_kind="generated", brain=one.name, usage=usage)


def _usage(one: Asked, said: Completion | None) -> Usage:
    read, written = (None, None) if said is None else (said.input_tokens, said.output_tokens)
    seconds = round(time.monotonic() - one.began, 3)
    return Usage(model_calls=1, input_tokens=read or 0, output_tokens=written or 0, seconds=seconds)


def _value(text: str) -> Any:
    found = _OBJECT.search(text)
    if found is None:
        raise ValueError("no JSON object was said")
    told = json.loads(found[0])
    if "value" not in told:
        raise ValueError("the object has no value")
    return told["value"]


def _timed(line: Line) -> str:
    return f"{line.row.t0 / 1000:.2f}-{line.row.t1 / 1000:.2f} {fenced(line.text)}"
