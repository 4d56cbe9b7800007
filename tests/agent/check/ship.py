"""A small meeting with what checking has to tell apart: close quotes, several voices, numbers, names in two forms."""

from collections.abc import Sequence

from agent.check.checking import Report, check
from agent.check.document import document
from agent.check.verdict import Checked
from agent.evals.minutes.meeting import Meeting, published
from store.database import Database
from store.record import Segment

SAID: Sequence[tuple[float, float, str, str]] = (
    (0, 4, "Ada", "Good morning, let us begin with the railway contract."),
    (4, 9, "Ben", "Well, uh, we ship on Friday and I don't agree with the budget."),
    (9, 10, "Chloé", "Mm-hmm."),
    (10, 14, "Ben", "It is twenty-three percent over, that is twelve point five million dollars."),
    (20, 24, "Ada", "50% of it is late, and case_1 is in the multi-agent part."),
    (30, 36, "Chloé", "The pension fund needs another four hundred and five thousand euros by March."),
    (400, 404, "Ada", "The museum opens at half past nine, I can't promise more than that."),
    (500, 504, "Hiếu", "Nobody asked me about the orchard before."),
    (600, 603, "ليلى", "نشحن يوم الجمعة with SAP 4"),
    (700, 703, "李雷", "我们星期五发货。"),
    (800, 830, "Ada", "The long answer is that the bridge was never safe, and we knew it in 2019 already."),
)


def meeting(names: dict[str, str] | None = None) -> Meeting:
    renamed = names or {}
    rows = [
        Segment(round(t0 * 1000), round(t1 * 1000), text, renamed.get(who, who), language="en")
        for t0, t1, who, text in SAID
    ]
    return Meeting("ship", rows)


def checked(database: Database, text: str, names: dict[str, str] | None = None, tolerance: float = 5.0) -> Report:
    public_id = published(database, meeting(names))
    return check(database, public_id, document("minutes.md", text.encode()), tolerance)


def only(report: Report, kind: str = "quote") -> Checked:
    (one,) = [found for found in report.claims if found.claim.kind == kind]
    return one
