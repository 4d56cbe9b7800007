"""Scorers of how a reply ends: its status, a refusal and its reason, whom it names, how many tools it took."""

from typing import Annotated, Literal, get_args

from pydantic import Field

from agent.evals.suites.scorers.scorer import RIGHT, Mark, Name, Scorer, Seen, instead
from agent.reply import Reason as Reasons

Right = Literal["answered", "refused", "not_found"]
ABSTAINED = ("refused", "not_found")


class Status(Scorer):
    """The reply's status is (one of) the target; a failed reply is never right."""

    target: Right | Annotated[list[Right], Field(min_length=1)]

    def mark(self, seen: Seen) -> Mark:
        """Compare the status."""
        wanted = [self.target] if isinstance(self.target, str) else self.target
        return RIGHT if seen.reply.status in wanted else Mark(0.0, f"{ending(seen)} instead of {' or '.join(wanted)}")


class Reason(Scorer):
    """The reply is a refusal for (one of) these reasons."""

    target: Reasons | Annotated[list[Reasons], Field(min_length=1, max_length=len(get_args(Reasons)) - 1)]

    def mark(self, seen: Seen) -> Mark:
        """Compare the reason."""
        wanted = [self.target] if isinstance(self.target, str) else self.target
        refusal = seen.reply.refusal if seen.reply.status == "refused" else None
        fits = refusal is not None and refusal.reason in wanted
        return RIGHT if fits else Mark(0.0, f"{ending(seen)} instead of refused {' or '.join(wanted)}")


class Refusal(Scorer):
    """The reply abstains, refused or not found (true), or answers (false)."""

    target: bool

    def mark(self, seen: Seen) -> Mark:
        """Look whether it abstained; a failed reply does neither."""
        fits = seen.reply.status in (ABSTAINED if self.target else ("answered",))
        return RIGHT if fits else Mark(0.0, f"{ending(seen)} instead of {'abstaining' if self.target else 'answering'}")


class Names(Scorer):
    """The reply names each of these voices: in its answer, its citations, its caveats, or what exists instead."""

    target: Annotated[list[Name], Field(min_length=1)]

    def mark(self, seen: Seen) -> Mark:
        """Look for each."""
        reply = seen.reply
        told = [reply.answer, *reply.caveats, *(cited.speaker or "" for cited in reply.citations)]
        told += [str(other) for other in (reply.refusal.alternatives if reply.refusal else [])]
        missing = [name for name in self.target if not any(name in text for text in told)]
        return Mark(1 - len(missing) / len(self.target), f"does not name {', '.join(missing)}" if missing else "")


class MaxToolCalls(Scorer):
    """The reply took at most so many tool calls; one that says nothing of its tools is not known to."""

    target: Annotated[int, Field(ge=0)]

    def mark(self, seen: Seen) -> Mark:
        """Compare the larger of what was planned and what was counted."""
        reply = seen.reply
        if not reply.model_fields_set & {"plan", "usage"}:
            return Mark(0.0, "the reply has neither `plan` nor `usage`, so its tools are not known")
        taken = max(len(reply.plan), reply.usage.tool_calls)
        return RIGHT if taken <= self.target else instead(taken, f"at most {self.target}")


def ending(seen: Seen) -> str:
    """Give a reply's status, with the reason of a refusal or what failed."""
    reply = seen.reply
    if reply.status == "failed":
        return f"failed ({reply.error.message if reply.error else reply.answer})"
    return f"refused {reply.refusal.reason}" if reply.status == "refused" and reply.refusal else reply.status
