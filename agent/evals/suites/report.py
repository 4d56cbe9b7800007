"""What came of a run, as one document that can be read again: `report.json`, for a suite and for a measured model.

Both have `figures` and `cases` in the same form, so that one `diff` knows both.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from agent.evals.suites.judging import Judged
from agent.evals.suites.running import groups
from agent.evals.suites.verdict import Verdict
from store.errors import DataError, reason
from store.redact import redact
from tools.canonical import to_json

FILE = "report.json"
SCHEMA_VERSION = 1


@dataclass(frozen=True, slots=True)
class Report:
    """A suite's results with its verdict; the agent's command and all reasons without secrets."""

    suite: str
    agent: str
    seed: int
    verdict: Verdict
    results: tuple[Judged, ...]

    @classmethod
    def of(cls, suite: str, agent: str, seed: int, verdict: Verdict, results: Sequence[Judged]) -> "Report":
        """Make the report of a run."""
        clean = (replace(one, reasons=tuple(map(redact, one.reasons))) for one in results)
        return cls(suite, redact(agent), seed, verdict, tuple(clean))

    @property
    def figures(self) -> dict[str, float | int | None]:
        """The figures of the run: the share of cases first, then of each scorer, of wordings, and what it cost."""
        asked = [one for one in self.results if one.outcome != "skipped"]
        wordings = groups(self.results)
        right = sum(all(one.outcome == "passed" for one in members) for members in wordings.values())
        usage = [one.reply.usage for one in asked if one.reply is not None]
        return {
            "cases": len(self.results),
            "passed": self.verdict.passed,
            "failed": self.verdict.failed,
            "skipped": self.verdict.skipped,
            "pass_rate": None if self.verdict.rate is None else float(self.verdict.rate),
            **{f"{name}_passed": share for name, (share, _) in self.scorers.items()},
            **({"paraphrase_groups": len(wordings), "paraphrase^k": right / len(wordings)} if wordings else {}),
            "seconds_median": round(median(one.seconds for one in asked), 3) if asked else None,
            "replies_kept": sum(one.kept for one in asked),
            "model_calls": sum(one.model_calls for one in usage),
            "tokens_in": sum(one.input_tokens for one in usage),
            "tokens_out": sum(one.output_tokens for one in usage),
        }

    @property
    def scorers(self) -> dict[str, tuple[float, int]]:
        """Of each scorer, the share of its expectations that held, and how many there were."""
        found: dict[str, list[bool]] = {}
        for one in self.results:
            for score in one.scores:
                found.setdefault(score.scorer, []).append(score.passed)
        return {name: (sum(passed) / len(passed), len(passed)) for name, passed in sorted(found.items())}

    def document(self) -> dict[str, Any]:
        """Give the report as JSON."""
        verdict = self.verdict
        return {
            "suite": self.suite,
            "agent": self.agent,
            "seed": self.seed,
            "verdict": {"met": verdict.met, "line": verdict.line, "needed": float(verdict.needed)},
            "figures": self.figures,
            "cases": [_case(one) for one in self.results],
            "schema_version": SCHEMA_VERSION,
        }


class KnownCase(BaseModel):
    """A case of a report that is read again."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    outcome: Literal["passed", "failed", "skipped"]
    reasons: list[str] = Field(default_factory=list)
    fingerprint: str = ""


class Known(BaseModel):
    """A report that is read again, as far as another one is held against it."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    figures: dict[str, Any]
    cases: list[KnownCase] = Field(min_length=1)


def known(given: Path) -> Known:
    """Read a report, or the one in a folder; DataError when there is none."""
    path = given
    try:
        path = given / FILE if given.is_dir() else given
        found = Known.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except ValidationError as error:
        named = ".".join(map(str, error.errors()[0]["loc"])) or "all of it"
        raise DataError(f"{path} is no report ({named}: {error.errors()[0]['msg'].lower()})") from error
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(
            f"{given} holds no report ({reason(error)}); `eval run SUITE --out {given}` makes one"
        ) from error
    if len({case.id for case in found.cases}) < len(found.cases):
        raise DataError(f"{path} is no report: a case stands there twice")
    return found


def written(document: Mapping[str, Any]) -> str:
    """Give a document as it is kept."""
    return to_json(document, indent=1) + "\n"


def _case(one: Judged) -> dict[str, Any]:
    case, reply = one.case, one.reply
    told: dict[str, Any] = {
        "id": case.id,
        "outcome": one.outcome,
        "reasons": list(one.reasons),
        "question": case.question,
        "metadata": dict(case.metadata),
        "fingerprint": case.fingerprint,
        "seconds": one.seconds,
        "kept": one.kept,
        "scores": [
            {"scorer": s.scorer, "share": s.share, "passed": s.passed, "why": redact(s.why)} for s in one.scores
        ],
    }
    told |= {"reply": reply.model_dump(mode="json")} if reply is not None else {}
    return told | ({"fault": one.fault.kind} if one.fault is not None else {})
