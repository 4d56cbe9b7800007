"""What a brain does: it plans, judges and words an answer. It never touches the store; it sees what it is handed."""

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, Self, runtime_checkable

from store.catalog import Catalog
from tools.evidence import Evidence
from tools.plan import Plan

INSTEAD = "; the rules planned"

Verdict = Literal["enough", "widen", "replan", "nothing"]


@dataclass(frozen=True, slots=True)
class Question:
    """One question as asked; `options` are the texts of a multiple choice, by letter."""

    text: str
    options: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Feedback:
    """Why the last plan was not enough: what was asked, why not, what exists."""

    plan: Plan | None
    text: str


@dataclass(frozen=True, slots=True)
class Cost:
    """What one step of a brain cost; `estimated_tokens` of all are our estimate, as the endpoint gave no figures."""

    model_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    estimated_tokens: int = 0

    def plus(self, other: "Cost") -> "Cost":
        """Give both costs together."""
        return Cost(
            self.model_calls + other.model_calls,
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.estimated_tokens + other.estimated_tokens,
        )


@dataclass(frozen=True, slots=True)
class Planned:
    """A brain's plan as raw tool calls (checked by the graph), or that the question is not about a recording.

    `read_as` is the plainer question that the asked one was taken for; whoever asked is told. `aside`: it is likely
    about no recording, unless somebody speaks of it.
    """

    tool_calls: list[dict[str, Any]]
    out_of_scope: bool = False
    understood: bool = True
    note: str | None = None
    cost: Cost = Cost()
    read_as: str | None = None
    aside: bool = False

    @property
    def instead(self) -> bool:
        """Whether the rules planned because the model's plan could not be used; the note says why."""
        return self.note is not None and self.note.endswith(INSTEAD)


@dataclass(frozen=True, slots=True)
class Judged:
    """Whether the evidence is enough, and if not, why."""

    verdict: Verdict
    why: str
    cost: Cost = Cost()


@dataclass(frozen=True, slots=True)
class Answered:
    """The wording of an answer; `cited` are indices of the evidence rows it stands on.

    `found` is False when a brain read the rows and none answers the question.
    """

    text: str
    value: Any
    cited: tuple[int, ...]
    kind: Literal["computed", "quoted", "generated"]
    cost: Cost = Cost()
    caveats: tuple[str, ...] = ()
    found: bool = True


class Brain(Protocol):
    """Who thinks."""

    name: str

    def plan(self, question: Question, catalog: Catalog, feedback: Feedback | None) -> Planned:
        """Turn a question into a plan's tool calls."""
        ...

    def judge(self, question: Question, plan: Plan, evidence: Evidence) -> Judged:
        """Say whether the evidence is enough to answer."""
        ...

    def answer(self, question: Question, plan: Plan, evidence: Evidence, value: Any) -> Answered:
        """Word the answer; `value` is what SQL computed, in the family's published schema."""
        ...


@runtime_checkable
class Searching(Protocol):
    """A brain that is told how rows can be searched."""

    def searching(self, *, meaning: bool) -> Self:
        """Give the same brain, told whether what is asked of can be searched by meaning."""
        ...


def model_of(brain: Brain) -> str | None:
    """Give the name of the model behind a brain, as far as it is known; None for a brain without one."""
    model = getattr(brain, "model", None)
    return model if isinstance(model, str) else None
