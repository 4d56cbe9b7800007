"""What others published, to stand beside what was heard or said in fact, never beside rows that were given.

PlanRAG-Audio: arXiv 2605.20414. OpenTranscribe: its published figures on QMSum.
"""

from collections.abc import Sequence

from agent.evals.report.found import Table, figure
from agent.evals.report.tasks import by_task
from agent.evals.statistics import scoring
from agent.evals.tasks.record import Record

NONE = "not measured"
KINDS = {"Academic": "0.234", "Committee": "0.664", "Product": "0.124"}
"""OpenTranscribe's R@1 by kind of meeting."""
NOTE = (
    "Not comparable: the paper's recordings, questions and readers are others (long audio of 10 to 540 min, read by "
    "language models); ours were made of read speech and real sounds, and are answered by rules without a model. "
    "Comparable is only what is asked and how it is marked. The paper reports no false refusal and no plan accuracy."
)
TRANSCRIBE_NOTE = (
    "Comparable: the meetings, the queries and the gold spans are the same set's. Not comparable: how the peer cuts a "
    "transcript and which split it used are its own; its R@1 is of chunks."
)


def paper(records: Sequence[Record]) -> Table:
    """Give the paper's figures with ours on made audio, where there are any."""
    found = dict(by_task(records))
    limited = [one.mark for one in found.get("constrained", [])]
    answered = NONE
    if limited:
        answered = f"{100 * scoring.accuracy(limited):.2f} / {100 * scoring.abstention(limited):.2f}"
    rows = (
        ("speaker counting, accuracy", "14.20", "69.40", "36.66", _mean(found.get("count"), 100)),
        ("event ordering, Spearman", "0.30", "0.68", "0.34", _mean(found.get("order"), 1)),
        ("speaker-constrained MCQA: accuracy / abstention", "68.13 / 0.54", "70.96 / 94.90", "67.59 / 82.20", answered),
        ("input tokens, 60-min MCQA", "115.2k", "0.9k", "1.2k", "0 (no model reads)" if limited else NONE),
    )
    columns = ("task", "Gemini", "Gemini + PlanRAG", "Qwen3-4B + PlanRAG", "Overheard, made audio")
    return Table("PlanRAG-Audio's figures beside ours on made audio", columns, rows, NOTE)


def transcribe(first: dict[str, float]) -> Table:
    """Give OpenTranscribe's published figures with ours; `first` are our R@1 by kind of meeting."""
    rows = tuple((kind, peer, figure(first[kind]) if kind in first else NONE) for kind, peer in KINDS.items())
    columns = ("QMSum", "OpenTranscribe, R@1", "Overheard, R@1")
    return Table("OpenTranscribe's published R@1 beside ours", columns, rows, TRANSCRIBE_NOTE)


def _mean(records: Sequence[Record] | None, scale: int) -> str:
    return f"{scale * sum(one.score for one in records) / len(records):.2f}" if records else NONE
