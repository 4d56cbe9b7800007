"""The scorers by name; a new one is a class in a file here and a word below.

Names are those the field uses: Inspect's for text, agentevals' modes for tools, and the words of our own replies.
"""

from collections.abc import Mapping

from agent.evals.suites.scorers.endings import MaxToolCalls, Names, Reason, Refusal, Status
from agent.evals.suites.scorers.graded import ModelGraded
from agent.evals.suites.scorers.rouge import RougeL
from agent.evals.suites.scorers.scorer import Scorer
from agent.evals.suites.scorers.spans import Cites, SpanIoU, Spans, Turns
from agent.evals.suites.scorers.sql import SqlResult
from agent.evals.suites.scorers.texts import Exact, Includes, Match, MustInclude, MustNotInclude, Regex
from agent.evals.suites.scorers.trajectory import Tools
from agent.evals.suites.scorers.values import Labels, SameSet, Spearman, Value

SCORERS: Mapping[str, type[Scorer]] = {
    "status": Status,
    "reason": Reason,
    "refusal": Refusal,
    "value": Value,
    "set": SameSet,
    "labels": Labels,
    "spearman": Spearman,
    "spans": Spans,
    "span_iou": SpanIoU,
    "turns": Turns,
    "cites": Cites,
    "names": Names,
    "exact": Exact,
    "includes": Includes,
    "match": Match,
    "regex": Regex,
    "must_include": MustInclude,
    "must_not_include": MustNotInclude,
    "rouge_l": RougeL,
    "sql": SqlResult,
    "tools": Tools,
    "max_tool_calls": MaxToolCalls,
    "model_graded": ModelGraded,
}
ENDINGS = ("status", "reason", "refusal")
"""Those that say how a reply must end; where none stands, it must be `answered`."""
