"""Traces as people read them: which questions were asked, and how one answer came about, step by step."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from store.trace import Span, Trace

LIST = ("trace", "asked at", "status", "seconds", "question")
STEPS = ("at", "took", "step", "with", "result")
_LONGEST = 160

Row = tuple[str, ...]


def listed(traces: Sequence[Trace]) -> list[Row]:
    """Give one row a trace, in the columns of LIST."""
    return [(trace.id, trace.at, *_outcome(trace), trace.question) for trace in traces]


def head(trace: Trace) -> str:
    """Give a trace's first line: what was asked of which recordings, and what came of it."""
    status, seconds = _outcome(trace)
    where = ", ".join(trace.recordings) or "nothing"
    return f"{trace.id}  {trace.question}\nasked of {where} at {trace.at}: {status}" + (
        f", {seconds} s" if seconds else ""
    )


def steps(trace: Trace) -> list[Row]:
    """Give one row a step, in the columns of STEPS; a step inside another stands further in."""
    return [_step(span, depth) for span, depth in _nested(trace.spans, None, 0)]


def _outcome(trace: Trace) -> tuple[str, str]:
    if trace.reply is None:
        return "stopped", ""
    seconds = trace.reply.get("usage", {}).get("seconds")
    return str(trace.reply.get("status", "?")), "" if seconds is None else f"{seconds:.2f}"


def _nested(spans: Sequence[Span], parent: int | None, depth: int) -> Iterator[tuple[Span, int]]:
    for span in spans:
        if span.parent == parent:
            yield span, depth
            yield from _nested(spans, span.id, depth + 1)


def _step(span: Span, depth: int) -> Row:
    took = "never ended" if span.t_end is None else f"{(span.t_end - span.t_start) * 1000:.0f} ms"
    named, args = _named(span)
    given = ", ".join(f"{key}={_short(value)}" for key, value in args.items())
    result = f"error: {span.error}" if span.error else span.result_ref or ""
    return f"{span.t_start:.3f}", took, f"{'  ' * depth}{named}", _cut(given), _cut(result)


def _named(span: Span) -> tuple[str, Mapping[str, Any]]:
    """Give a span's name with its tool or node, and the arguments of that tool."""
    args = dict(span.args)
    tool, node, inner = args.pop("tool", None), args.pop("step", None), args.pop("arguments", None)
    given = args | (dict(inner) if isinstance(inner, Mapping) else {})
    return " ".join(str(part) for part in (span.name, tool or node) if part), given


def _short(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
