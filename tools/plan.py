"""A plan is a list of tool calls: one or more streams asked, then `fuse`, which joins them and computes the value.

Relations read "the anchor is RELATION the partner": `after` keeps anchors that start after a partner's end.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeVar

from pydantic import Field, ValidationError

from store.errors import ToolError
from store.fusion import Relation, Voices
from tools.emotion.query import EmotionQuery
from tools.events.query import EventsQuery
from tools.speaker.query import SpeakerQuery
from tools.stream import StreamQuery, Strict
from tools.transcript.query import TranscriptQuery

Aggregate = Literal[
    "none",
    "count",
    "count_distinct",
    "first_occurrence",
    "total_duration",
    "average",
    "longest_gap",
    "gaps",
    "majority",
]
Order = Literal["time", "-time", "length", "-length", "value", "-value", "rank"]
Column = Literal["recording", "start", "end", "speaker", "text", "label", "score"]

M = TypeVar("M", bound=Strict)

QUERIES: Mapping[str, type[StreamQuery]] = {
    query.stream: query for query in (TranscriptQuery, SpeakerQuery, EmotionQuery, EventsQuery)
}


class Join(Strict):
    """One partner of the anchor, or of another partner (`to`): an earlier call, and how the two lie in time."""

    stream: str = Field(description="an earlier call: its id, or its stream")
    to: str | None = Field(default=None, description="whose partner, when not the anchor's")
    relation: Relation = "overlaps"
    tolerance: float | None = Field(
        default=None, ge=0, le=86_400, description="seconds of slack; nearest and right_after take 2.5 when not given"
    )
    kind: Literal["inner", "left", "without"] = "inner"
    voice: Voices = Field(default="any", description="whether the partner is of the same voice, another, or any")


class Fuse(Strict):
    """Join the streams asked before, and compute the answer's value from the anchor's rows."""

    anchor: str = Field(description="the call whose rows are counted and cited")
    joins: list[Join] = Field(default_factory=list, max_length=4)
    fields: list[Column] = Field(default_factory=list, description="what the value is made of when nothing is computed")
    aggregate: Aggregate = "none"
    versus: str | None = Field(default=None, description="the call that the anchor is compared with")
    group: Literal["speaker", "label", "recording", "time"] | None = None
    every: float = Field(default=60, ge=1, le=86_400, multiple_of=1, description="seconds a slice, for group=time")
    min_value: float | None = Field(default=None, ge=0, description="groups of at least")
    max_value: float | None = Field(default=None, ge=0, description="groups of at most")
    order: Order = "time"
    limit: int | None = Field(default=None, ge=1, le=1000)
    answer_schema: str | dict[str, Any] | None = Field(
        default=None, description="the question's family, or a JSON Schema for the value"
    )


class Call(Strict):
    """One tool call of a plan: `id` is how a later call refers to it."""

    id: str
    query: TranscriptQuery | SpeakerQuery | EmotionQuery | EventsQuery


class Plan(Strict):
    """The calls that ask streams, in order, and the one that fuses them."""

    calls: list[Call] = Field(min_length=1, max_length=6)
    fuse: Fuse

    def call(self, reference: str) -> Call:
        """Give the call an anchor or a join refers to, by id or by stream name; ToolError when there is none."""
        by_id = [call for call in self.calls if call.id == reference]
        found = by_id or [call for call in self.calls if call.query.stream == reference]
        if len(found) != 1:
            ids = ", ".join(call.id for call in self.calls)
            raise ToolError(f"'{reference}' refers to {len(found)} calls of this plan; its calls are: {ids}")
        return found[0]

    def tool_calls(self) -> list[dict[str, Any]]:
        """Give the plan as the tool calls of an AIMessage (defaults left out)."""
        streams = [_tool_call(call.query.stream, call.id, call.query) for call in self.calls]
        return [*streams, _tool_call("fuse", "fuse_1", self.fuse)]


def parse_plan(tool_calls: Iterable[Mapping[str, Any]]) -> Plan:
    """Read a plan from tool calls ({name, args, id}); ToolError says which call is wrong, how, and what would work."""
    calls: list[Call] = []
    fuses: list[Fuse] = []
    for number, raw in enumerate(tool_calls, 1):
        name = str(raw.get("name"))
        args = raw.get("args")
        if name == "fuse":
            fuses.append(_valid(Fuse, name, args))
        elif name in QUERIES:
            call_id = str(raw.get("id") or f"{name}_{number}")
            calls.append(Call.model_construct(id=call_id, query=_valid(QUERIES[name], name, args)))
        else:
            raise ToolError(f"there is no tool '{name}' in a plan; the tools are: {', '.join(QUERIES)}, fuse")
    if not calls or len(fuses) != 1:
        raise ToolError(
            f"a plan asks one or more streams ({', '.join(QUERIES)}) and ends with one fuse; "
            f"this one has {len(calls)} and {len(fuses)}"
        )
    plan = Plan.model_construct(calls=calls, fuse=fuses[0])
    for reference in [plan.fuse.anchor, *(join.stream for join in plan.fuse.joins)]:
        plan.call(reference)
    return plan


def _tool_call(name: str, call_id: str, model: Strict) -> dict[str, Any]:
    return {"name": name, "args": model.model_dump(exclude_defaults=True), "id": call_id, "type": "tool_call"}


def _valid(model: type[M], name: str, args: object) -> M:
    try:
        return model.model_validate(args)
    except ValidationError as error:
        raise ToolError(f"{name}: {'; '.join(_problems(error.errors()))}") from error


def _problems(errors: Sequence[Mapping[str, Any]]) -> list[str]:
    return [f"{'.'.join(map(str, error['loc'])) or 'arguments'}: {error['msg']}" for error in errors]
