"""The reply: one shape for every front, the same in `--json`, in traces and in evaluations."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from store.errors import Exit
from store.record import StreamKind

SCHEMA_VERSION = 1

Status = Literal["answered", "refused", "not_found", "failed"]
AnswerKind = Literal["computed", "quoted", "generated"]
Reason = Literal[
    "unknown_speaker",
    "speaker_unidentified",
    "ambiguous_speaker",
    "speaker_absent_in_range",
    "not_said_by_speaker",
    "out_of_range",
    "not_heard_yet",
    "stream_missing",
    "stream_unreliable",
    "contradictory_constraints",
    "out_of_scope",
]
ErrorKind = Literal[
    "endpoint_unreachable",
    "endpoint_fault",
    "truncated",
    "empty",
    "content_filter",
    "model_refused",
    "budget_spent",
    "internal",
]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Citation(_Part):
    """One row that an answer stands on: times in seconds, `recording` a public id, `quote` a part of the row's text."""

    n: int
    recording: str
    start: float
    end: float
    speaker: str | None = None
    stream: StreamKind
    quote: str | None = None
    verified: bool = False


class Refusal(_Part):
    """Why there is no answer, with the counts that prove it: rows found with all constraints and with each dropped."""

    reason: Reason
    constraint: dict[str, Any] = Field(default_factory=dict)
    searched: dict[str, Any] = Field(default_factory=dict)
    counts: dict[str, int] = Field(default_factory=dict)
    coverage: dict[str, Any] = Field(default_factory=dict)
    alternatives: list[dict[str, Any]] = Field(default_factory=list)


class Fault(_Part):
    """What failed, for a person."""

    kind: ErrorKind
    message: str


class Usage(_Part):
    """What the answer cost, and the model that was asked; `estimated_tokens` of all are our own estimate."""

    model: str | None = None
    model_calls: int = 0
    tool_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    estimated_tokens: int = 0
    seconds: float = 0.0


class Reply(_Part):
    """The answer to one question, or the reason why there is none."""

    status: Status
    answer: str
    value: Any = None
    answer_kind: AnswerKind = "computed"
    brain: str = "rules"
    confidence: float = Field(default=0.0, ge=0, le=1)
    citations: list[Citation] = Field(default_factory=list)
    refusal: Refusal | None = None
    error: Fault | None = None
    caveats: list[str] = Field(default_factory=list)
    plan: list[dict[str, Any]] = Field(default_factory=list)
    sql: list[str] = Field(default_factory=list)
    usage: Usage = Field(default_factory=Usage)
    trace: str = ""
    schema_version: int = SCHEMA_VERSION

    @property
    def by(self) -> str:
        """Who answered: the brain, and the model behind it."""
        return f"{self.brain} ({self.usage.model})" if self.usage.model else self.brain

    @property
    def exit(self) -> Exit:
        """The exit code that this reply stands for."""
        if "budget_spent" in self.caveats or (self.error and self.error.kind == "budget_spent"):
            return Exit.BUDGET
        if self.status == "failed":
            endpoint = self.error is not None and self.error.kind != "internal"
            return Exit.ENDPOINT if endpoint else Exit.DATA
        return {"answered": Exit.DONE, "refused": Exit.REFUSED, "not_found": Exit.NOT_FOUND}[self.status]
