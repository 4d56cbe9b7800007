"""A plan is a list of tool calls: one or more streams asked, then `fuse`, which joins them and computes the value.

Relations read "the anchor is RELATION the partner": `after` keeps anchors that start after a partner's end. Joins form
a tree: a row of the call that a join is `to` counts only when it has this partner.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from pydantic import Field, ValidationError

from store.errors import ToolError
from store.link import Relation, Voices
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
    "overlap_duration",
    "overlaps",
    "majority",
]
Order = Literal["time", "-time", "length", "-length", "value", "-value", "rank"]
Column = Literal["recording", "start", "end", "speaker", "text", "label", "score"]

MOST_CALLS = 6
# What slices of time and comparisons of two calls can be computed from.
SLICED: tuple[Aggregate, ...] = ("count", "count_distinct", "total_duration", "average", "first_occurrence")
TOGETHER: tuple[Aggregate, ...] = ("overlap_duration", "overlaps")
COMPARED: tuple[Aggregate, ...] = ("count", "count_distinct", "total_duration", "average")

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


@dataclass(frozen=True, slots=True)
class Branch:
    """One join with the call it brings, and the branches that are joined to that call."""

    join: Join
    call: Call
    branches: tuple["Branch", ...]


class Plan(Strict):
    """The calls that ask streams, in order, and the one that fuses them."""

    calls: list[Call] = Field(min_length=1, max_length=MOST_CALLS)
    fuse: Fuse

    def call(self, reference: str) -> Call:
        """Give the call an anchor or a join refers to, by id or by stream name; ToolError when there is none."""
        by_id = [call for call in self.calls if call.id == reference]
        found = by_id or [call for call in self.calls if call.query.stream == reference]
        if len(found) != 1:
            ids = ", ".join(call.id for call in self.calls)
            raise ToolError(f"'{reference}' refers to {len(found)} calls of this plan; its calls are: {ids}")
        return found[0]

    def tree(self) -> tuple[Branch, ...]:
        """Give the joins to the anchor, each with those to its partner; ToolError where they go round in a circle."""
        anchor = self.call(self.fuse.anchor)
        return tuple(self._branches(anchor, (anchor.id,)))

    def _branches(self, parent: Call, path: tuple[str, ...]) -> Iterator[Branch]:
        for join in self.fuse.joins:
            if self.call(join.to or self.fuse.anchor).id == parent.id:
                partner = self.call(join.stream)
                if partner.id in path:
                    way = " to ".join(f"'{name}'" for name in (partner.id, *reversed(path[path.index(partner.id) :])))
                    raise ToolError(f"joins go round in a circle: {way}; ask the stream again under another id")
                yield Branch(join, partner, tuple(self._branches(partner, (*path, partner.id))))

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
    for problem in _incoherent(plan):
        raise ToolError(f"fuse: {problem}")
    return plan


def every_branch(branches: Iterable[Branch]) -> Iterator[Branch]:
    """Give branches with all that hang on them, each before those below it."""
    for branch in branches:
        yield branch
        yield from every_branch(branch.branches)


def _incoherent(plan: Plan) -> Iterator[str]:
    """Give what no single field says wrong: references, joins that lead nowhere, fields that do not go together."""
    fuse, anchor = plan.fuse, plan.call(plan.fuse.anchor)
    if len(plan.calls) > MOST_CALLS:
        yield f"{len(plan.calls)} calls were made; a plan has at most {MOST_CALLS}"
    reached = {id(branch.join) for branch in every_branch(plan.tree())}
    for join in fuse.joins:
        plan.call(join.stream)
        parent = plan.call(join.to or fuse.anchor)
        if id(join) not in reached:
            yield f"'{join.stream}' is joined to '{join.to}', to which no joins lead; join it to the anchor first"
        if join.kind == "left" and parent.id != anchor.id:
            yield f"'{join.stream}' is a left join to '{join.to}'; a left join goes to the anchor only"
    if fuse.min_value is not None and fuse.max_value is not None and fuse.max_value < fuse.min_value:
        yield f"max_value ({fuse.max_value:g}) must not be below min_value ({fuse.min_value:g})"
    if fuse.group == "time" and fuse.aggregate not in SLICED:
        yield f"group=time does not go with aggregate={fuse.aggregate}; it goes with {', '.join(SLICED)}"
    if fuse.group is not None and fuse.aggregate == "gaps":
        yield "gaps are between all rows, without a group; limit the anchor's call to one person or label instead"
    if fuse.aggregate in TOGETHER and (fuse.group is not None or anchor.query.stream == "events"):
        yield f"{fuse.aggregate} is of voices that speak at once: of speaker, transcript or emotion, without a group"
    if fuse.versus is not None:
        yield from _incomparable(plan, anchor, plan.call(fuse.versus))


def _incomparable(plan: Plan, anchor: Call, other: Call) -> Iterator[str]:
    if other.id == anchor.id or other.query.stream != anchor.query.stream:
        yield f"versus must be another call of the anchor's stream, {anchor.query.stream}; '{other.id}' is not"
    if any(branch.call.id == other.id for branch in every_branch(plan.tree())):
        yield f"'{other.id}' is joined and cannot be compared with as well; ask the stream again under another id"
    if plan.fuse.group is not None or plan.fuse.aggregate not in COMPARED:
        yield f"versus goes with one of the aggregates {', '.join(COMPARED)}, and without a group"


def _tool_call(name: str, call_id: str, model: Strict) -> dict[str, Any]:
    return {"name": name, "args": model.model_dump(exclude_defaults=True), "id": call_id, "type": "tool_call"}


def _valid(model: type[M], name: str, args: object) -> M:
    try:
        return model.model_validate(args)
    except ValidationError as error:
        raise ToolError(f"{name}: {'; '.join(_problems(error.errors()))}") from error


def _problems(errors: Sequence[Mapping[str, Any]]) -> list[str]:
    return [f"{'.'.join(map(str, error['loc'])) or 'arguments'}: {error['msg']}" for error in errors]
