"""One page of HTML that needs nothing else: no script, nothing fetched, and every text of others escaped."""

from collections import Counter
from html import escape

from agent.evals.suites.forms import plots
from agent.evals.suites.judging import Judged
from agent.evals.suites.report import Report
from tools.canonical import to_json
from tools.sanitize import sanitize

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;max-width:70rem;margin:2rem auto;padding:0 1rem;color:#212121}"
    "table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #cfd8dc;padding:.3rem .6rem;"
    "text-align:left;vertical-align:top}svg{max-width:100%;height:auto;display:block;margin:.5rem 0}"
    "svg text{font:12px system-ui,sans-serif}pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.3rem 0}"
    ".passed{color:#2e7d32}.failed{color:#c62828;font-weight:600}.skipped{color:#616161}"
)


def page(report: Report) -> str:
    """Give the report as HTML."""
    title, asked = _plain(report.suite), [one for one in report.results if one.outcome != "skipped"]
    counts = Counter(str(one.outcome) for one in report.results)
    state = "passed" if report.verdict.met else "failed"
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}</title><style>{_STYLE}</style></head><body>",
        f'<h1>{title}</h1><p class="{state}">{_plain(report.verdict.line)}</p>',
        f"<p>Asked of <code>{_plain(report.agent)}</code>, seed {report.seed}.</p>",
        plots.outcomes({name: counts[name] for name in plots.COLOURS}),
        f"<h2>Expectations</h2>{plots.shares(report.scorers)}",
        f"<h2>Time</h2>{plots.times([one.seconds for one in asked])}",
        f"<h2>Figures</h2><table>{''.join(_figure(*one) for one in report.figures.items())}</table>",
        "<h2>Cases</h2><table><tr><th>case</th><th>outcome</th><th>question, and what came of it</th></tr>",
        *map(_case, report.results),
        "</table></body></html>",
    ]
    return "\n".join(parts) + "\n"


def _figure(name: str, value: float | int | None) -> str:
    told = "" if value is None else f"{value:,.4g}" if isinstance(value, float) else f"{value:,}"
    return f"<tr><td>{_plain(name)}</td><td>{told}</td></tr>"


def _case(one: Judged) -> str:
    reasons = "".join(f'<p class="failed">{_plain(reason)}</p>' for reason in one.reasons)
    cells = f'<td>{_plain(one.case.id)}</td><td class="{one.outcome}">{one.outcome}</td>'
    return f"<tr>{cells}<td>{_plain(one.case.question)}{reasons}{_reply(one)}</td></tr>"


def _reply(one: Judged) -> str:
    reply = one.reply
    if reply is None:
        return ""
    cited = "".join(f"\n[{c.start:.1f} {c.speaker or ''}] {c.quote or ''}" for c in reply.citations)
    told = f"{reply.status}, value {to_json(reply.value)}, {one.seconds:.2f} s\n{reply.answer}{cited}"
    return f"<details><summary>reply</summary><pre>{_plain(told)}</pre></details>"


def _plain(text: str) -> str:
    return escape(sanitize(text))
