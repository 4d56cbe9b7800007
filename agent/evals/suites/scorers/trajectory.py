"""The scorer of which tools were called, as `plan` gives them: agentevals' four modes, calls as a multiset."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from agent.evals.suites.scorers.scorer import RIGHT, Mark, Name, Scorer, Seen, instead
from agent.evals.suites.scorers.values import alike

Mode = Literal["strict", "unordered", "subset", "superset"]


class Call(BaseModel):
    """One call that is wanted: a tool's name, and arguments of it that must have these values; others may be any."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    name: Name
    args: dict[str, Any] = Field(default_factory=dict)

    def fits(self, call: Mapping[str, Any]) -> bool:
        """Say whether a call that was made is this one."""
        given = call.get("args")
        mine = given if isinstance(given, Mapping) else {}
        return call.get("name") == self.name and all(
            key in mine and alike(mine[key], wanted) for key, wanted in self.args.items()
        )


class Tools(Scorer):
    """The calls are those of the target: in order (`strict`, unless said), in any order (`unordered`), some of them
    and no others (`subset`), or all of them and maybe others (`superset`)."""

    target: list[Name | Annotated[Call, Field(strict=True)]]
    mode: Mode = "strict"

    @model_validator(mode="after")
    def _asserts(self) -> Self:
        if self.mode == "superset" and not self.target:
            raise ValueError("all calls hold no calls, so nothing is asserted")
        return self

    def mark(self, seen: Seen) -> Mark:
        """Compare the calls."""
        if "plan" not in seen.reply.model_fields_set:
            return Mark(0.0, "the reply has no `plan`, so its tools are not known")
        made = seen.reply.plan
        wanted = [Call(name=one) if isinstance(one, str) else one for one in self.target]
        if matches(made, wanted, self.mode):
            return RIGHT
        return instead([_told(call, wanted) for call in made], f"{self.mode} {self.target}")


def matches(made: Sequence[Mapping[str, Any]], wanted: Sequence[Call], mode: Mode) -> bool:
    """Say whether calls are those wanted, by a mode."""
    if mode == "strict":
        return len(made) == len(wanted) and all(w.fits(m) for w, m in zip(wanted, made, strict=True))
    paired = _paired(made, wanted)
    all_made, all_wanted = paired == len(made), paired == len(wanted)
    return {"unordered": all_made and all_wanted, "subset": all_made, "superset": all_wanted}[mode]


def _paired(made: Sequence[Mapping[str, Any]], wanted: Sequence[Call]) -> int:
    """Give how many calls can be paired at most, each with one that is wanted: a call may fit several of them."""
    owner: dict[int, int] = {}

    def place(at: int, tried: set[int]) -> bool:
        for other, call in enumerate(made):
            if other not in tried and wanted[at].fits(call):
                tried.add(other)
                if other not in owner or place(owner[other], tried):
                    owner[other] = at
                    return True
        return False

    return sum(place(at, set()) for at in range(len(wanted)))


def _told(call: Mapping[str, Any], wanted: Sequence[Call]) -> Any:
    return {"name": call.get("name"), "args": call.get("args")} if any(w.args for w in wanted) else call.get("name")
